"""Puzzles offered to players keep their level's promise, checked independently of how they are made.

The campaign `levels` checks 1,000 of each level.
"""

from __future__ import annotations

import random
import secrets
from collections import Counter

import pytest
from flask import Flask

from tests.plain_tiers import level_of
from tests.thorough import amount
from tests.webapp.visitors import SetClock
from webapp.bank import bank

GIVENS = {1: (38, 45), 2: (30, 38), 3: (26, 32), 4: (24, 30), 5: (22, 28)}
LUCKLESS = 0.995  # of the puzzles no order of steps succeeds with a lower tier
# The cell that each symmetry maps row r and column c to.
TURNS = {
    "half turn": lambda r, c: (8 - r, 8 - c),
    "quarter turn": lambda r, c: (c, 8 - r),
    "top to bottom": lambda r, c: (8 - r, c),
    "left to right": lambda r, c: (r, 8 - c),
    "diagonal": lambda r, c: (c, r),
    "other diagonal": lambda r, c: (8 - c, 8 - r),
}


def symmetries(givens: str) -> list[str]:
    """Return the symmetries of the givens' pattern."""
    cells = {divmod(cell, 9) for cell in range(81) if givens[cell] != "."}
    return [name for name, turn in TURNS.items() if all(turn(*cell) in cells for cell in cells)]


def empty_houses(givens: str) -> int:
    """Count the rows, columns and boxes without a given."""
    rows = [givens[9 * row : 9 * row + 9] for row in range(9)]
    columns = [givens[column::9] for column in range(9)]
    boxes = [
        "".join(row[left : left + 3] for row in rows[top : top + 3])
        for top in (0, 3, 6)
        for left in (0, 3, 6)
    ]
    return sum(set(house) == {"."} for house in (*rows, *columns, *boxes))


@pytest.mark.slow
@pytest.mark.parametrize("level", GIVENS)
def test_an_offered_puzzle_is_what_its_level_says(
    app: Flask, level: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(secrets, "randbits", random.Random(level).getrandbits)
    least, most = GIVENS[level]
    patterns: Counter[str] = Counter()
    numbers: Counter[int] = Counter()
    tiers: Counter[int] = Counter()
    puzzles = amount("OFFERED", 12, 1000)
    with app.app_context():
        for _ in range(puzzles):
            puzzle = bank.generated(level, SetClock.time)
            count = 81 - puzzle.givens.count(".")
            found = symmetries(puzzle.givens)
            tier = level_of(puzzle.givens)
            assert puzzle.level == level
            assert tier == level or (tier, level) == (4, 5), puzzle.givens
            assert least <= count <= most, puzzle.givens
            assert found, puzzle.givens
            assert level == 5 or not empty_houses(puzzle.givens), puzzle.givens
            patterns.update(found)
            numbers[count] += 1
            tiers[tier] += 1
    print(f"level {level}: tiers {dict(tiers)}, givens {dict(sorted(numbers.items()))}, {dict(patterns)}")
    # A rectangle that proves something can be gone after another step, so a lucky order gets further.
    assert tiers[level] >= LUCKLESS * puzzles
