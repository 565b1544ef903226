"""Start-up time of a fresh process: imports, the first call from source, and the kernels from the cache.

`python -m engine.warm` compiles them and prints the time of each. These are processor seconds of whole
processes, which other load on the machine doesn't change.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
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
# The first call of a process whose kernels nothing has compiled
_FIRST = """
import time
started = time.process_time()
import numba
between = time.process_time()
import engine
puzzle = engine.parse("53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79")
{call}
print(between - started, time.process_time() - between)
"""
_CALLS = {
    "solution": "engine.solution(puzzle)",
    "hint": "engine.next_step(engine.Position.from_grid(puzzle))",
    "generate": "engine.generate()",
    "rate": "engine.rate(puzzle)",
}


def main() -> None:
    """Print the seconds of every import and of every group of kernels."""
    runs = [[float(word) for word in _said(_IMPORTS).split()] for _ in range(RUNS)]
    table = Table(("import",), ("processor seconds",))
    for name, column in zip(("numba", "engine, beyond it"), zip(*runs, strict=True), strict=True):
        table.row(name, f"{median(column):.3f}")
    table = Table(("first call from source",), ("processor seconds", "times `import numba`"))
    for name, call in _CALLS.items():
        with tempfile.TemporaryDirectory() as empty:
            said = _said(_FIRST.format(call=call), None if SMALLEST else empty)
        unit, seconds = map(float, said.split())
        table.row(name, f"{seconds:.1f}", f"{seconds / unit:.1f}")
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


def _said(code: str, cache: str | None = None) -> str:
    """Run code in a process of its own, with another cache of kernels; return what it prints."""
    there = os.environ if cache is None else os.environ | {"NINEFOLD_CACHE": cache}
    command = [sys.executable, "-c", code]
    return subprocess.run(command, check=True, capture_output=True, text=True, env=there).stdout
