"""Compiles every kernel at the worker's start, unless that has been done, so that no player waits."""

from __future__ import annotations

import subprocess
import sys

from flask import Flask

from engine import warm


def register(_app: Flask) -> None:
    """Nothing to declare: compiling twice does no harm and needs no record."""


def start(_app: Flask) -> subprocess.Popen[bytes] | None:
    """Compile in a process of its own, which leaves this one's jobs free to run meanwhile."""
    if warm.ready():
        return None
    return subprocess.Popen([sys.executable, "-m", "engine.warm"], stderr=subprocess.DEVNULL)
