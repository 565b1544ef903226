"""The first stock: rated puzzles that come with the site, so that a fresh one needs no rating to begin.

The engine made them, each from the seed that stands beside it: `python -m webapp.bank.first_stock` makes the
file anew, and has to whenever levels may change. No site offers them as they are here, or everyone could look
up its first dailies: it varies them at random. Their level stays, as it depends on the logic a puzzle needs
and not on the places of its cells; the command keeps only puzzles that pass a trial of that.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import engine
from engine.generation.symmetry import ANY
from engine.rating import level_of
from webapp.bank import turns

FILE = Path(__file__).with_name("first_stock.txt")
EACH = 20  # puzzles of a level
TRIALS = 40  # variations that must be of the level too
APART = 1_000  # between the seeds of two levels: one seed gives puzzles of two levels the same solution


@dataclass(frozen=True, slots=True)
class StockLine:
    """A line of the file."""

    level: int
    seed: int
    givens: str

    def varied(self, seed: int | None = None) -> engine.Grid:
        """Return a random equivalent whose givens have the same symmetry."""
        return turns.turn(self.givens, seed).grid


@cache
def entries() -> tuple[StockLine, ...]:
    """Return all of them, by level."""
    lines = (line.split() for line in FILE.read_text().splitlines() if not line.startswith("#"))
    return tuple(StockLine(int(level), int(seed), givens) for level, seed, givens in lines)


def make(level: int, count: int) -> Iterator[StockLine]:
    """Yield so many puzzles of a level, from its lowest seeds that make one whose level is firm."""
    seed = APART * level
    while count:
        seed += 1
        entry = StockLine(
            level, seed, str(engine.generate(engine.Recipe(level=level, symmetry=ANY), seed).grid)
        )
        if all(_level(entry.varied(trial)) == level for trial in range(TRIALS)):
            count -= 1
            yield entry


def _level(grid: engine.Grid) -> int:
    return level_of(engine.Position.from_grid(grid))


def main() -> None:
    """Write the file."""
    lines = [
        f"{entry.level} {entry.seed} {entry.givens}" for level in range(1, 6) for entry in make(level, EACH)
    ]
    heading = f"# level, seed, givens: engine {engine.__version__}, Recipe(level=…, symmetry=ANY)"
    FILE.write_text("\n".join([heading, *lines, ""]), "utf-8")
    sys.stdout.write(f"{len(lines)} puzzles written to {FILE}\n")


if __name__ == "__main__":
    main()
