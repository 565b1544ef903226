"""Start-up cost of commands that run no kernel, compared with Python and NumPy alone.

Processor seconds of whole processes, in alternation, so that other load slows all alike.
"""

from __future__ import annotations

import resource
import subprocess
import sys
from statistics import median

from benchmarks.tables import Table, sized

RUNS = sized("RUNS", 9)

_GRID = 80 * "." + "1"
_PROCESSES = {
    "Python alone": "",
    "import numpy": "import numpy",
    "ninefold --version": "from engine.cli import main; main(['--version'])",
    "ninefold --help": "from engine.cli import main; main(['--help'])",
    "parse": f"import engine; engine.parse({_GRID!r})",
    "write": f"import engine; engine.write(engine.parse({_GRID!r}))",
    "draw": f"import engine; engine.draw(engine.parse({_GRID!r}))",
}


def main() -> None:
    """Print the median of RUNS runs each."""
    turns = [{name: _seconds(code) for name, code in _PROCESSES.items()} for _ in range(RUNS)]
    table = Table(("process",), ("processor seconds",))
    for name in _PROCESSES:
        table.row(name, f"{median(turn[name] for turn in turns):.3f}")


def _seconds(code: str) -> float:
    """Return the processor seconds of a Python process that runs some code, from start to end."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, "-c", code], check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
