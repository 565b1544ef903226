"""PyInstaller finds here how to freeze the engine: by the entry point `pyinstaller40` of the distribution."""

from pathlib import Path


def folders() -> list[str]:
    """Return the folder with the hook."""
    return [str(Path(__file__).parent)]
