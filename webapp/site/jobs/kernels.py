"""Compile missing kernels when the worker starts, so that no player has to wait for them."""

from __future__ import annotations

import logging
import subprocess
import sys

from flask import Flask

from engine import warm

log = logging.getLogger(__name__)


def register(_app: Flask) -> None:
    """Register nothing: compiling twice is harmless, so the log is a sufficient record."""
    log.setLevel(logging.INFO)


def start(_app: Flask) -> subprocess.Popen[bytes] | None:
    """Compile in a separate process, so that other jobs can run meanwhile."""
    if warm.ready():
        return None
    log.info("compiling the engine for this machine, once: hints and ratings are there in a few minutes")
    return subprocess.Popen([sys.executable, "-m", "engine.warm"], stderr=subprocess.DEVNULL)
