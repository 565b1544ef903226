"""Drill: a position of the path in a random equivalent form, and a question about it.

Nothing is stored: a drill travels signed with the page. Pure but for the signature.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import Final

from itsdangerous import BadData

import engine
from engine.drawing import PATTERN, Overlay, house_frame, ring
from engine.geometry import HOUSES, Candidate
from engine.techniques import Family, HouseRole
from webapp.game.steps import StepView
from webapp.identity import keys
from webapp.learn import positions
from webapp.learn.lessons import path
from webapp.learn.positions import steps_in
from webapp.process.errors import NotFound
from webapp.process.words import gettext as _

CHOICES: Final = 4
FEWEST_EMPTY: Final = 4  # cells of a house where a technique is asked about that isn't there
# Techniques whose presence a glance decides: in a marked house, or for a marked digit.
IN_A_HOUSE: Final = (
    *("full_house", "hidden_single", "pointing", "claiming"),
    *("naked_pair", "hidden_pair", "naked_triple", "hidden_triple"),
)
OF_A_DIGIT: Final = ("x_wing", "swordfish", "skyscraper", "two_string_kite", "empty_rectangle")


class Kind(StrEnum):
    """The kinds of drill."""

    FIND = "find"  # mark what the technique places or removes
    NAME = "name"  # name the pattern that is drawn
    THERE = "there"  # say whether it is in the marked house, or of the marked digit


@dataclass(frozen=True)
class Drill:
    """One question."""

    technique: str
    kind: Kind
    number: int  # of the technique's positions
    turn: engine.Transformation
    about: int = 0  # the marked house 0..26 or digit 1..9, as a question for THERE

    @cached_property
    def position(self) -> engine.Position:
        """The position as the reader sees it."""
        return positions.of(self.technique).found[self.number].position.transformed(self.turn)

    @property
    def steps(self) -> tuple[engine.Step, ...]:
        """All steps of the technique there."""
        return steps_in(self.technique, self.position)

    @property
    def step(self) -> engine.Step | None:
        """The step to explain: of the marked house or digit, if there is one."""
        there = self.kind is not Kind.THERE
        return next((step for step in self.steps if there or self.about in _about(step)), None)

    @cached_property
    def overlay(self) -> Overlay | None:
        """The drawing that belongs to the question."""
        if self.kind is Kind.NAME and self.step is not None:
            return StepView(self.step, self.position).overlay
        if self.kind is not Kind.THERE:
            return None
        if self.technique in IN_A_HOUSE:
            return Overlay(houses=(house_frame(self.about, PATTERN),))
        cells = (cell for cell in range(81) if self.about in self.position.candidates(cell))
        return Overlay(rings=tuple(ring(cell, self.about, PATTERN) for cell in cells))

    @cached_property
    def choices(self) -> tuple[str, ...]:
        """The techniques to choose a name from, in the order of the path."""
        own, effects = engine.TECHNIQUES[self.technique].family, self._effects(self.technique)
        mixed = (Family.SINGLES, Family.LOCKED_CANDIDATES, Family.SUBSETS)
        tier = path.tier_of(self.technique)
        nearby = sorted(path.techniques(), key=lambda key: abs(path.tier_of(key) - tier))
        found = [self.technique]
        for key in nearby:
            family = engine.TECHNIQUES[key].family
            alike = family is Family.DIRECT or (family is own and family not in mixed)
            if key == self.technique or alike or self._effects(key) & effects:
                continue
            found.append(key)
            if len(found) == CHOICES:
                break
        return tuple(key for key in path.techniques() if key in found)

    def _effects(self, key: str) -> frozenset[Candidate]:
        steps = steps_in(key, self.position)
        return frozenset().union(*(step.placements | step.eliminations for step in steps))

    @property
    def token(self) -> str:
        """The drill as signed text."""
        turn = self.turn
        content = [self.technique, self.kind, self.number, self.about, turn.transposed]
        return str(keys.serializer("drill").dumps([*content, turn.rows, turn.columns, turn.digits]))


def read(token: str) -> Drill:
    """Return the drill of a token. Raises NotFound for text that this site hasn't signed."""
    try:
        technique, kind, number, about, transposed, rows, columns, digits = keys.serializer("drill").loads(
            token
        )
        turn = engine.Transformation(transposed, tuple(rows), tuple(columns), tuple(digits))
        positions.of(technique).found[number]
        return Drill(technique, Kind(kind), number, turn, about)
    except (BadData, LookupError):
        raise NotFound(_("That drill isn’t available anymore. Take the next one.")) from None


def kinds_of(technique: str) -> tuple[Kind, ...]:
    """Return the questions that can be asked about a technique."""
    found = [Kind.FIND]
    if engine.TECHNIQUES[technique].family is not Family.DIRECT:
        found.append(Kind.NAME)
    if technique in IN_A_HOUSE or technique in OF_A_DIGIT:
        found.append(Kind.THERE)
    return tuple(found)


def drawn(technique: str, kind: Kind, below: Callable[[int], int] = secrets.randbelow) -> Drill:
    """Draw a drill. below: as for `engine.Transformation.random`."""
    number = below(len(positions.of(technique).found))
    drill = Drill(technique, kind, number, engine.Transformation.random(below))
    if kind is not Kind.THERE:
        return drill
    there = sorted(set[int]().union(*map(_about, drill.steps)))
    absent = [about for about in _askable(drill) if about not in there]
    pool = absent if absent and below(2) else there
    return Drill(technique, kind, number, drill.turn, pool[below(len(pool))])


def _about(step: engine.Step) -> frozenset[int]:
    """Return the houses in which a step's pattern is seen, or its digit."""
    if step.technique in OF_A_DIGIT:
        return frozenset(step.digits)
    bases = [fact.house for fact in step.houses if fact.role is HouseRole.BASE]
    return frozenset(bases or [fact.house for fact in step.houses])


def _askable(drill: Drill) -> list[int]:
    """Return the houses or digits that may be asked about without the technique being there."""
    position = drill.position
    if drill.technique in OF_A_DIGIT:
        places = (sum(digit in position.candidates(cell) for cell in range(81)) for digit in range(1, 10))
        return [digit for digit, count in enumerate(places, 1) if count >= FEWEST_EMPTY]
    houses = (
        range(18, 27) if drill.technique == "pointing" else range(18 if drill.technique == "claiming" else 27)
    )
    least = 2 if drill.technique == "full_house" else FEWEST_EMPTY
    return [house for house in houses if sum(not position.grid[cell] for cell in HOUSES[house]) >= least]
