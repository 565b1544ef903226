"""Cases of HoDoKu's regression library: a position, and the steps that one technique must find in it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path

from engine import Grid
from engine.position import Position
from engine.steps.step import Step
from engine.techniques.keys import KEYS

# Library codes of the keys of engine.TECHNIQUES.
_CODES = Path(__file__).parent / "data" / "technique_codes.txt"
OWN = Path(__file__).parent / "data" / "technique_cases.txt"  # of every technique, in the same form
KEY_OF_CODE = dict(line.split() for line in _CODES.read_text().splitlines()[1:])


@dataclass(frozen=True)
class Case:
    """One line of the library. `placements` and `eliminations` are (cell, digit); one of them is empty."""

    line: str
    technique: str
    position: Position
    placements: frozenset[tuple[int, int]]
    eliminations: frozenset[tuple[int, int]]
    silent: bool  # the technique must find nothing

    def holds(self, steps: list[Step]) -> bool:
        """Tell whether one of the steps has exactly the stated effects, or none is there at all if silent."""
        if self.silent:
            return not steps
        if self.placements:
            return any(step.placements == self.placements for step in steps)
        return any(step.eliminations == self.eliminations and not step.placements for step in steps)

    def __str__(self) -> str:
        return self.line


def read_case(line: str) -> Case | None:
    """Return the case of one library line; None for unsupported codes (templates, larger mutant fish).

    Techniques that the library lacks stand by their own key in place of its code.
    """
    code, _digits, cells, deleted, eliminations, placements = line.rstrip("\n").split(":")[1:7]
    variant = code.partition("-")[2]
    technique = code if code in KEYS else KEY_OF_CODE.get(code[:4])
    if technique is None:
        return None
    return Case(
        line=line.strip(),
        technique=technique,
        position=_position(cells, deleted),
        placements=_candidates(placements),
        eliminations=_candidates(eliminations),
        silent=variant == "x",
    )


@cache
def read_cases(path: Path) -> tuple[Case, ...]:
    """Return every supported case of a file, cached, because tests are collected from it repeatedly."""
    cases = (read_case(line) for line in path.read_text().splitlines() if line.startswith(":"))
    return tuple(case for case in cases if case is not None)


def _position(cells: str, deleted: str) -> Position:
    placed: list[int] = []
    givens: list[int] = []
    by_player = False
    for character in cells:
        if character == "+":
            by_player = True
            continue
        digit = int(character) if character.isdigit() else 0
        placed.append(digit)
        givens.append(0 if by_player else digit)
        by_player = False
    gone = _candidates(deleted)
    marks = "".join(
        "." if (cell, digit) in gone else str(digit) for cell in range(81) for digit in range(1, 10)
    )
    return Position.from_pencilmarks(marks, Grid.from_digits(placed), Grid.from_digits(givens))


def _candidates(text: str) -> frozenset[tuple[int, int]]:
    """Parse candidates: '436 521' is 4 at r3c6 and 5 at r2c1."""
    return frozenset(
        (9 * (int(row) - 1) + int(column) - 1, int(digit)) for digit, row, column in map(tuple, text.split())
    )
