"""The first stock: rated puzzles that ship with the site, so that a new site can start without rating any.

The engine generated each from the seed beside it. `python -m webapp.bank.first_stock` regenerates the file;
run it whenever levels may change. A site offers random variations of them, or everyone could look up its
first dailies. A variation keeps the level, which depends on logic and not on the places of cells; the command
keeps only puzzles for which trials confirm that. Hardest technique and expected time hold for variations too,
so a new site shows them from its first minute.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import astuple, dataclass
from functools import cache
from pathlib import Path

import engine
from engine.generation import ANY
from engine.rating import level_of
from webapp.bank import breakdown, offer

FILE = Path(__file__).with_name("first_stock.txt")
EACH = 20  # puzzles of a level
TRIALS = 40  # variations that must have the level too
APART = 1_000  # offset between two levels' seeds: the same seed would give both the same solution


@dataclass(frozen=True, slots=True)
class StockLine:
    """One line of the file."""

    level: int
    seed: int
    givens: str
    hardest: str
    seconds: int  # expected of an average player

    def varied(self, seed: int | None = None) -> engine.Grid:
        """Return a random equivalent with the same symmetry of givens."""
        return breakdown.random_transform(self.givens, seed).grid


@cache
def entries() -> tuple[StockLine, ...]:
    """Return all lines, by level."""
    lines = (line.split() for line in FILE.read_text().splitlines() if not line.startswith("#"))
    return tuple(
        StockLine(int(level), int(seed), givens, hardest, int(seconds))
        for level, seed, givens, hardest, seconds in lines
    )


def make(level: int, count: int) -> Iterator[StockLine]:
    """Yield so many typical puzzles of a level, from the lowest seeds whose puzzle keeps it in all trials."""
    seed = APART * level
    while count:
        seed += 1
        grid = engine.generate(engine.Recipe(level=level, symmetry=ANY), seed).grid
        rating = engine.rate(grid)
        seconds, hardest = round(rating.expected_seconds or 0), rating.hardest or ""
        entry = StockLine(level, seed, str(grid), hardest, seconds)
        typical = offer.typical(level, rating.expected_seconds, rating.hardest)
        if (
            rating.level == level
            and typical
            and all(
                level_of(engine.Position.from_grid(entry.varied(trial))) == level for trial in range(TRIALS)
            )
        ):
            count -= 1
            yield entry


def main() -> None:
    """Write the file."""
    lines = [" ".join(map(str, astuple(entry))) for level in range(1, 6) for entry in make(level, EACH)]
    heading = f"# level, seed, givens, hardest technique, expected seconds: engine {engine.__version__}"
    FILE.write_text("\n".join([heading, *lines, ""]), "utf-8")
    sys.stdout.write(f"{len(lines)} puzzles written to {FILE}\n")


if __name__ == "__main__":
    main()
