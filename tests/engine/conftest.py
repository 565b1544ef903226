"""Fixtures of the engine's tests."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from engine.cli import main


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Callable[..., tuple[str, str, int]]:
    """Run a command on a text in a file: (output, errors, exit status)."""

    def run(command: str, *options: str, given: str = "") -> tuple[str, str, int]:
        file = tmp_path / "given.txt"
        file.write_text(given)
        status = main([command, *[str(file)][: bool(given)], *options])
        return (*capsys.readouterr(), status)

    return run
