"""Posed: a position for a reader, as stored in the database and the file of lessons. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache

import engine
from engine.formats import hodoku_candidates
from engine.geometry import Candidate
from webapp.learn.exercises import kept

ALL_DIGITS = 0x1FF
KEPT = 512  # positions with cached steps: some searches take longer than a response may


@dataclass(frozen=True)
class Posed:
    """A position with a technique in it or, with `spoilers`, a near miss."""

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
    known: str | None = field(default=None, compare=False)  # its stored steps, if this engine has found them

    @cached_property
    def position(self) -> engine.Position:
        """The position."""
        return position_of(self.givens, self.digits, self.struck)

    @property
    def steps(self) -> tuple[engine.Step, ...]:
        """All steps of the technique there, in the engine's order; empty in a near miss."""
        return tuple(map(kept.whole, self.effects))

    @property
    def effects(self) -> Sequence[kept.Effects]:
        """The same, with stored steps parsed only as far as needed."""
        if self.known is not None:
            return kept.read(self.known)
        return steps_of(self.technique, self.givens, self.digits, self.struck)

    @property
    def spoiling(self) -> frozenset[Candidate]:
        """Candidates (cell 0..80, digit 1..9) of a near miss without which the technique would apply."""
        return candidates_of(self.spoilers)

    @cached_property
    def lacking(self) -> tuple[Candidate, ...]:
        """The digits that a near miss lacks: what its spoilers leave to a cell; empty if it needs none."""
        if _steps_in(self.technique, self.position.changed((), self.spoiling)):
            return ()
        left = {
            cell: {*self.position.candidates(cell)} - {digit for at, digit in self.spoiling if at == cell}
            for cell, _ in self.spoiling
        }
        return tuple((cell, min(digits)) for cell, digits in sorted(left.items()) if len(digits) == 1)

    @cached_property
    def nearly(self) -> engine.Position:
        """The position that a near miss is mistaken for."""
        return self.position.changed(self.lacking, () if self.lacking else self.spoiling)

    @cached_property
    def missed(self) -> engine.Step | None:
        """The first step in that position; None if it has none."""
        return next(iter(_steps_in(self.technique, self.nearly)), None)

    @property
    def there(self) -> bool:
        """Whether the technique has a step there."""
        return bool(self.effects)


def position_of(givens: str, digits: str, struck: str) -> engine.Position:
    """Return the position of 81 givens, 81 placed digits and the struck candidates."""
    gone = candidates_of(struck)
    marks = [ALL_DIGITS] * 81
    for cell, digit in gone:
        marks[cell] &= ~(1 << digit - 1)
    return engine.Position.from_marks(marks, engine.parse(digits), engine.parse(givens))


@lru_cache(maxsize=KEPT)
def steps_of(technique: str, givens: str, digits: str, struck: str) -> tuple[engine.Step, ...]:
    """Return all steps of a technique in a position; none if the search exceeds its limit."""
    try:
        return tuple(engine.find(position_of(givens, digits, struck), technique))
    except engine.GaveUp:
        return ()


def _steps_in(technique: str, position: engine.Position) -> tuple[engine.Step, ...]:
    return steps_of(technique, str(position.givens), str(position.grid), text_of(struck_in(position)))


def struck_in(position: engine.Position) -> frozenset[Candidate]:
    """Return the removed candidates that the digits would allow."""
    full = engine.Position.from_grid(position.grid)
    return frozenset(
        (cell, digit)
        for cell in range(81)
        for digit in full.candidates(cell)
        if digit not in position.candidates(cell)
    )


def text_of(candidates: Iterable[Candidate]) -> str:
    """Format candidates as digit, row and column, as HoDoKu does: '347 829'."""
    return " ".join(f"{digit}{cell // 9 + 1}{cell % 9 + 1}" for cell, digit in sorted(candidates))


def candidates_of(text: str) -> frozenset[Candidate]:
    """Parse candidates written by `text_of`."""
    return frozenset(hodoku_candidates(text))
