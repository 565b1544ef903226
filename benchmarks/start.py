"""Start-up time of a fresh process: imports, and the kernels, loaded from the cache.

`python -m engine.warm` compiles them and prints the time of each. These are processor seconds of whole
processes, which other load on the machine doesn't change.
"""

from __future__ import annotations

import subprocess
import sys
from statistics import median

from benchmarks.tables import SMALLEST, Table, sized

RUNS = sized("RUNS", 9)

_IMPORTS = """
import time
started = time.process_time()
import numba
between = time.process_time()
import engine
print(between - started, time.process_time() - between)
"""
_GROUPS = """
import time
from engine.warm import LAST, GROUPS
for name, work in {**GROUPS, **LAST}.items():
    started = time.process_time()
    work()
    print(f"{name}\t{time.process_time() - started}")
"""


def main() -> None:
    """Print the seconds of every import and of every group of kernels."""
    runs = [[float(word) for word in _said(_IMPORTS).split()] for _ in range(RUNS)]
    table = Table(("import",), ("processor seconds",))
    for name, column in zip(("numba", "engine, beyond it"), zip(*runs, strict=True), strict=True):
        table.row(name, f"{median(column):.3f}")
    if not SMALLEST:
        _groups()  # compiles missing kernels
    uses = [_groups() for _ in range(RUNS)]
    table = Table(("first use of",), ("loaded, s",))
    for name in uses[0]:
        table.row(name, f"{median(use[name] for use in uses):.2f}")
    table.row("all", f"{median(sum(use.values()) for use in uses):.2f}")


def _groups() -> dict[str, float]:
    """Time each group's first use in a new process."""
    lines = _said(_GROUPS).splitlines()
    return {name: float(seconds) for name, seconds in (line.split("\t") for line in lines)}


def _said(code: str) -> str:
    command = [sys.executable, "-c", code]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout
