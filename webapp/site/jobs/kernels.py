"""Compile missing kernels when the worker starts, so that no player has to wait for them."""

from __future__ import annotations

import logging
import subprocess
import sys

from engine import warm

log = logging.getLogger(__name__)


def start() -> subprocess.Popen[bytes] | None:
    """Compile in a separate process, so that jobs can run meanwhile; twice is harmless."""
    if warm.ready():
        return None
    log.setLevel(logging.INFO)
    log.info("compiling the engine for this machine, once: hints and ratings are there in a few minutes")
    return subprocess.Popen([sys.executable, "-m", "engine.warm"], stderr=subprocess.DEVNULL)
