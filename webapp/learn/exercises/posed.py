"""Posed: a position put before a reader, as the database and the file of lessons hold it. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache

import engine
from engine.formats import hodoku
from engine.step import Candidate
from webapp.learn.exercises import kept

ALL_DIGITS = 0x1FF
KEPT = 512  # positions whose steps are kept: some searches take longer than an answer may


@dataclass(frozen=True)
class Posed:
    """A position with a technique in it or, with `spoilers`, nearly so."""

    technique: str
    kind: str  # an ExerciseKind
    givens: str
    digits: str
    struck: str
    spoilers: str
    least: bool
    seed: str
    engine_version: str
    id: int | None = None  # None for one of the file
    known: str | None = field(default=None, compare=False)  # its steps, where this engine has found them

    @cached_property
    def position(self) -> engine.Position:
        """The position."""
        return position_of(self.givens, self.digits, self.struck)

    @property
    def steps(self) -> tuple[engine.Step, ...]:
        """All steps of the technique there, the first ones first seen; empty in a near miss."""
        return tuple(map(kept.whole, self.effects))

    @property
    def effects(self) -> Sequence[kept.Effects]:
        """The same, of which stored ones are read no further than needed."""
        if self.known is not None:
            return kept.read(self.known)
        return steps_of(self.technique, self.givens, self.digits, self.struck)

    @property
    def spoiling(self) -> frozenset[Candidate]:
        """Candidates (cell 0..80, digit 1..9) without which the technique would be there; of a near miss."""
        return candidates_of(self.spoilers)

    @cached_property
    def missed(self) -> engine.Step | None:
        """The first step that there would be without the spoilers, and whose effects no step has."""
        proved = frozenset[Candidate]().union(*(step.placements | step.eliminations for step in self.effects))
        struck = text_of(candidates_of(self.struck) | self.spoiling)
        for step in steps_of(self.technique, self.givens, self.digits, struck):
            if not step.placements | step.eliminations <= proved:
                return step
        return None

    def as_kind(self, kind: str) -> Posed:
        """The same position for another purpose."""
        return replace(self, kind=kind)

    @property
    def there(self) -> bool:
        """Whether the technique has a step there."""
        return bool(self.effects)


def position_of(givens: str, digits: str, struck: str) -> engine.Position:
    """The position of 81 givens, 81 digits placed and the candidates that are gone besides."""
    gone = candidates_of(struck)
    marks = [ALL_DIGITS] * 81
    for cell, digit in gone:
        marks[cell] &= ~(1 << digit - 1)
    return engine.Position.from_marks(marks, engine.parse(digits), engine.parse(givens))


@lru_cache(maxsize=KEPT)
def steps_of(technique: str, givens: str, digits: str, struck: str) -> tuple[engine.Step, ...]:
    """All steps of a technique in a position; none where the search goes past its bound."""
    try:
        return tuple(engine.find(position_of(givens, digits, struck), technique))
    except engine.GaveUp:
        return ()


def struck_in(position: engine.Position) -> frozenset[Candidate]:
    """The candidates that its digits leave and that are gone."""
    full = engine.Position.from_grid(position.grid)
    return frozenset(
        (cell, digit)
        for cell in range(81)
        for digit in full.candidates(cell)
        if digit not in position.candidates(cell)
    )


def text_of(candidates: Iterable[Candidate]) -> str:
    """Candidates as digit, row and column, as HoDoKu writes them: '347 829'."""
    return " ".join(f"{digit}{cell // 9 + 1}{cell % 9 + 1}" for cell, digit in sorted(candidates))


def candidates_of(text: str) -> frozenset[Candidate]:
    """The candidates that `text_of` has written."""
    return frozenset(hodoku.candidates(text))
