"""The distribution as its users get it: `make wheel`, which has the tools that this needs.

Builds the sdist and, from that, the wheel. Each is installed in an empty environment, where nothing of the
repository can be seen; the tutorial and the how-tos run there, and mypy and pyright check the examples.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
LIBRARY = ROOT / "docs" / "library"


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        build = (sys.executable, "-m", "build", "--outdir", str(place / "dist"), str(ROOT))
        subprocess.run(build, check=True, cwd=place, stdout=subprocess.DEVNULL)  # a line for each file
        for suffix in (".whl", ".tar.gz"):
            (package,) = (place / "dist").glob(f"*{suffix}")
            python = _installed(place / f"env{suffix}", package)
            _run(place, python, "-c", _ALONE)
            for page in ("tutorial.md", "how-to.md"):
                _run(place, python, "-m", "doctest", LIBRARY / page)
            print(f"{package.name}: installs alone, tutorial and how-tos run", flush=True)
        examples = [*(LIBRARY / "examples").glob("*.py")]
        _run(place, sys.executable, "-m", "mypy", "--strict", "--python-executable", python, *examples)
        _run(place, sys.executable, "-m", "pyright", "--pythonpath", python, *examples)


_ALONE = """
import importlib.metadata, importlib.util, ninefold, pathlib, sys
assert importlib.util.find_spec("webapp") is None
assert pathlib.Path(ninefold.__file__).is_relative_to(sys.prefix)
names = {str(file) for file in importlib.metadata.files("ninefold")}
for needed in ("ninefold/py.typed", "engine/py.typed", "licenses/LICENSE", "man1/ninefold.1"):
    assert any(name.endswith(needed) for name in names), needed
"""


def _installed(environment: Path, package: Path) -> Path:
    """The Python of a new environment that has the package and what it needs."""
    _run(environment.parent, sys.executable, "-m", "venv", environment)
    python = environment / "bin" / "python"
    _run(environment.parent, python, "-m", "pip", "install", "--quiet", package)
    return python


def _run(place: Path, *command: str | Path) -> None:
    subprocess.run(command, check=True, cwd=place)


if __name__ == "__main__":
    main()
