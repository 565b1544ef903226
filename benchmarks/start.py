"""What a fresh process waits for: imports, and the kernels, compiled once and then loaded from the cache.

Processor seconds of whole processes, so that a busy machine does not slow them.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from statistics import median

_RUNS = 9
_MOST_IMPORT, _MOST_COMPILING, _MOST_LOADING = 0.1, 60, 1

_IMPORTS = """
import time
started = time.process_time()
import numba
between = time.process_time()
import engine
print(between - started, time.process_time() - between)
"""
_ROOMS = """
import time
from engine.warm import LAST, ROOMS
for name, work in {**ROOMS, **LAST}.items():
    started = time.process_time()
    work()
    print(f"{name}\t{time.process_time() - started}")
"""


def main() -> None:
    """Print the seconds of every import and of every room of kernels, cold and from the cache."""
    runs = [[float(word) for word in _said(_IMPORTS).split()] for _ in range(_RUNS)]
    numba, engine = (median(column) for column in zip(*runs, strict=True))
    print(f"Start, processor seconds: import numba {numba:.3f}, engine beyond it {engine:.3f}", end="")
    print(f" (at most {_MOST_IMPORT})")
    with tempfile.TemporaryDirectory() as cache:
        cold = _rooms(cache)
        warm = [_rooms(cache) for _ in range(_RUNS)]
    print(
        f"  {'first use of':28}{'compiled':>10}{'loaded':>10}   (at most {_MOST_COMPILING}, {_MOST_LOADING})"
    )
    for name, seconds in cold.items():
        print(f"  {name:28}{seconds:>9.1f}s{median(run[name] for run in warm):>9.2f}s")


def _rooms(cache: str) -> dict[str, float]:
    """Processor seconds of each room's first use in a new process."""
    lines = _said(_ROOMS, NINEFOLD_CACHE=cache).splitlines()
    return {name: float(seconds) for name, seconds in (line.split("\t") for line in lines)}


def _said(code: str, **environment: str) -> str:
    command = [sys.executable, "-c", code]
    return subprocess.run(
        command, env={**os.environ, **environment}, check=True, capture_output=True, text=True
    ).stdout
