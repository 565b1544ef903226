"""Posed: the positions of lessons and practice, which `python -m benchmarks positions` chooses.

Each technique of the path has eight positions, the first of which is its example, and a near miss.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from pathlib import Path
from typing import Final

import engine
from engine.formats import hodoku_candidates
from engine.geometry import Candidate

FILE: Final = Path(__file__).with_name("positions.txt")
FIELDS: Final = "technique|givens|digits|struck|spoilers"  # the last in a near miss only
EXERCISES: Final = 3  # in a lesson, after the example
_ALL_DIGITS: Final = 0x1FF


@dataclass(frozen=True)
class Posed:
    """A position with a technique in it or, with `spoilers`, a near miss."""

    technique: str
    position: engine.Position
    spoilers: frozenset[Candidate] = frozenset()  # without these, the technique would apply

    @cached_property
    def steps(self) -> tuple[engine.Step, ...]:
        """All steps of the technique there, in the engine's order; empty in a near miss."""
        return steps_in(self.technique, self.position)

    @cached_property
    def lacking(self) -> tuple[Candidate, ...]:
        """The digits that a near miss lacks: what its spoilers leave to a cell; empty if it needs none."""
        if steps_in(self.technique, self.position.changed((), self.spoilers)):
            return ()
        left = {
            cell: {*self.position.candidates(cell)} - {digit for at, digit in self.spoilers if at == cell}
            for cell, _ in self.spoilers
        }
        return tuple((cell, min(digits)) for cell, digits in sorted(left.items()) if len(digits) == 1)

    @cached_property
    def nearly(self) -> engine.Position:
        """The position that a near miss is mistaken for."""
        return self.position.changed(self.lacking, () if self.lacking else self.spoilers)

    @cached_property
    def missed(self) -> engine.Step | None:
        """The first step in that position; None if it has none."""
        return next(iter(steps_in(self.technique, self.nearly)), None)


@dataclass(frozen=True, slots=True)
class Positions:
    """The positions of a technique."""

    found: tuple[Posed, ...]
    near_miss: Posed | None

    @property
    def example(self) -> Posed:
        """The one that a lesson explains."""
        return self.found[0]

    @property
    def exercises(self) -> tuple[Posed, ...]:
        """Those that its reader solves."""
        return self.found[1 : 1 + EXERCISES]


def of(technique: str) -> Positions:
    """Return the positions of a technique on the path. KeyError for others."""
    return _all()[technique]


@cache
def _all() -> dict[str, Positions]:
    found: dict[str, list[Posed]] = {}
    near: dict[str, Posed] = {}
    for line in FILE.read_text().splitlines():
        if line.startswith("#"):
            continue
        technique, givens, digits, struck, *spoilers = line.split("|")
        marks = [_ALL_DIGITS] * 81
        for cell, digit in hodoku_candidates(struck):
            marks[cell] &= ~(1 << digit - 1)
        position = engine.Position.from_marks(marks, engine.parse(digits), engine.parse(givens))
        if spoilers:
            near[technique] = Posed(technique, position, frozenset(hodoku_candidates(spoilers[0])))
        else:
            found.setdefault(technique, []).append(Posed(technique, position))
    return {key: Positions(tuple(each), near.get(key)) for key, each in found.items()}


@lru_cache(maxsize=512)
def steps_in(technique: str, position: engine.Position) -> tuple[engine.Step, ...]:
    """Return all steps of a technique in a position."""
    return tuple(engine.find(position, technique))
