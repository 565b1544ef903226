"""The most memory each command takes over a long input: it must not grow with the number of puzzles."""

from __future__ import annotations

import os
import sys
import tempfile
from itertools import cycle, islice
from pathlib import Path
from textwrap import wrap
from time import perf_counter

CEILING = 300  # megabytes

_SOME = (
    "...7..12.........4.8316...5..2..6.37..9...8..36.8..4..1...4956.5.........34..8...",
    "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79",
)


def main(puzzles: int = 1_000_000) -> None:
    """Print the peak of every command over a million puzzles, as the system counts it."""
    print(f"Peak memory of a command over {puzzles:,} puzzles (ceiling {CEILING} MB)")
    with tempfile.TemporaryDirectory() as folder:
        lines, table, blocks = (Path(folder) / name for name in ("lines.txt", "table.csv", "blocks.txt"))
        _fill(lines, puzzles, [f"{line}\n" for line in _SOME])
        _fill(table, puzzles, [f"{line},28,1.5\n" for line in _SOME], "puzzle,givens,rating\n")
        _fill(blocks, puzzles // 10, ["\n".join(wrap(line, 9)) + "\n\n" for line in _SOME])
        for arguments in (
            ["solve", str(lines)],
            ["solve", str(lines), "--json", "--jobs", "2"],
            ["check", str(lines), "--jobs", "2"],
            ["canon", str(lines), "--jobs", "2"],
            ["solve", str(table)],
            ["solve", str(blocks)],
            ["generate", "--count", str(puzzles // 100), "--jobs", "2"],
        ):
            megabytes, seconds = _measured(arguments)
            shown = " ".join(Path(word).name if "/" in word else word for word in arguments)
            print(f"  {shown:40}{megabytes:>6.0f} MB{seconds:>8.1f} s")


def _fill(path: Path, puzzles: int, entries: list[str], header: str = "") -> None:
    with path.open("w") as out:
        out.write(header)
        out.writelines(islice(cycle(entries), puzzles))


def _measured(arguments: list[str]) -> tuple[float, float]:
    """Megabytes at the peak and seconds of one run of the command line."""
    start = perf_counter()
    process = os.spawnv(os.P_NOWAIT, sys.executable, [sys.executable, "-c", _QUIET, *arguments])
    _, status, usage = os.wait4(process, 0)
    if status:
        raise RuntimeError(f"{' '.join(arguments)} ended with status {status}")
    return usage.ru_maxrss / 1024, perf_counter() - start


_QUIET = "import sys; sys.stdout = open('/dev/null', 'w'); from engine.cli import main; sys.exit(main())"
