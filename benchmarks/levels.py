"""Compare the puzzles of each level: `python -m benchmarks levels`.

PUZZLES (200) are made for each level. Compares all of that level with those offered first.
"""

from __future__ import annotations

from collections import Counter
from statistics import median
from typing import Any, Final

import engine
from benchmarks.tables import Table, sized
from engine.generation import ANY
from webapp.bank import bank, offer

SEED: Final = 47_000
NAMED: Final = 3  # hardest techniques that a row names


def main() -> None:
    """Print a row for each level and set."""
    made: dict[int, list[dict[str, Any]]] = {level: [] for level in bank.LEVELS}
    for level in bank.LEVELS:
        for number in range(sized("PUZZLES", 200, 3)):
            grid = engine.generate(engine.Recipe(level=level, symmetry=ANY), seed=SEED + number).grid
            rating = bank.rating_columns(grid)
            made[rating["level"]].append(rating | {"givens": sum(map(bool, grid.digits))})
    table = Table(
        ("offered", "level"),
        ("puzzles", "givens", "ER", "minutes, median", "times the level before", "hardest technique"),
    )
    for which in ("any", "first"):
        before = 0.0
        for level, all_of_it in made.items():
            found = [each for each in all_of_it if which == "any" or _first(level, each)]
            minutes = median(each["expected_seconds"] for each in found) / 60 if found else 0.0
            hardest = Counter(each["hardest"] for each in found).most_common(NAMED)
            table.row(
                which,
                level,
                len(found),
                _between([each["givens"] for each in found]),
                _between([each["explainer"] for each in found]),
                f"{minutes:.1f}",
                f"{minutes / before:.2f}" if before and minutes else "",
                ", ".join(f"{key} {count / len(found):.0%}" for key, count in hardest),
            )
            before = minutes


def _first(level: int, rating: dict[str, Any]) -> bool:
    return offer.typical(level, rating["expected_seconds"], rating["hardest"])


def _between(values: list[Any]) -> str:
    return f"{min(values)} to {max(values)}" if values else ""
