"""Branches: the links of a chain or net as claims and inferences, for whoever tells or draws a step.

`Step.branches` makes them; nothing else needs to know how a link is coded.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from itertools import groupby
from typing import TYPE_CHECKING

from engine.kernels.steps import BY_ALS, BY_LEMMA
from engine.techniques.entry import Role
from engine.techniques.graph import CANDIDATE_NODES, SEGMENTS
from engine.techniques.implications import ASSUMED, BY_CELL

if TYPE_CHECKING:
    from engine.position import Position
    from engine.step import Step


class Cause(StrEnum):
    """What an inference rests on."""

    HOUSE = "house"  # a house holds each digit once
    CELL = "cell"  # a cell holds one digit
    LEMMA = "lemma"  # another step, found under the assumption
    SET = "set"  # an almost locked set that lost one digit keeps all others


@dataclass(frozen=True, slots=True)
class Claim:
    """That a candidate is true or false; with several cells, that one or none of them holds the digit.

    >>> Claim((3,), 7, True).opposite
    Claim(cells=(3,), digit=7, on=False)
    """

    cells: tuple[int, ...]  # one cell, or those of a group: the two or three places of a digit in a segment
    digit: int  # 1..9
    on: bool

    @property
    def opposite(self) -> Claim:
        """The claim that this one is wrong."""
        return Claim(self.cells, self.digit, not self.on)


@dataclass(frozen=True, slots=True)
class Inference:
    """One claim that follows from others."""

    premises: tuple[Claim, ...]
    result: Claim
    cause: Cause
    house: int | None = None  # 0..26 where the cause is a house
    lemma: int | None = None  # index into Step.lemmas where the cause is a lemma
    als: int | None = (
        None  # number of the almost locked set where the cause is one: its cells have Role.ALS + als
    )
    als_cells: tuple[int, ...] = ()  # the cells of that set

    @property
    def strong(self) -> bool:
        """Whether it makes something true because nothing else is left (a strong link)."""
        return self.result.on


@dataclass(frozen=True)
class Branch:
    """What follows from one assumption, in the order derived."""

    assumption: Claim
    inferences: tuple[Inference, ...]

    @property
    def end(self) -> Claim:
        """The last claim derived, or the assumption where nothing follows."""
        return self.inferences[-1].result if self.inferences else self.assumption

    @property
    def claims(self) -> tuple[Claim, ...]:
        """The assumption and all that follows from it."""
        return self.assumption, *(inference.result for inference in self.inferences)

    @cached_property
    def clash(self) -> tuple[Claim, Claim] | None:
        """Two claims that contradict each other, the one derived first in front; None where none do."""
        seen = {self.assumption}
        for inference in self.inferences:
            if inference.result.opposite in seen:
                return inference.result.opposite, inference.result
            seen.add(inference.result)
        return None


def branches_of(step: Step, position: Position | None = None) -> tuple[Branch, ...]:
    """What `Step.branches` answers."""
    found: list[tuple[Claim, list[Inference]]] = []
    for (target, cause), links in groupby(step.links, key=lambda link: (link.target, link.cause)):
        result = _claim(target, position)
        if cause == ASSUMED:
            found.append((result, []))
        else:
            premises = tuple(_claim(link.source, position) for link in links)
            found[-1][1].append(_inference(step, premises, result, cause))
    return tuple(Branch(assumption, tuple(inferences)) for assumption, inferences in found)


def _claim(literal: int, position: Position | None) -> Claim:
    """The claim that a literal of a Link stands for."""
    node, on = literal // 2, bool(literal % 2)
    if node < CANDIDATE_NODES:
        return Claim((node // 9,), node % 9 + 1, on)
    digit, segment = divmod(node - CANDIDATE_NODES, len(SEGMENTS))
    cells: list[int] = SEGMENTS[segment].tolist()
    if position is not None:
        cells = [cell for cell in cells if digit + 1 in position.candidates(cell)]
    return Claim(tuple(cells), digit + 1, on)


def _inference(step: Step, premises: tuple[Claim, ...], result: Claim, cause: int) -> Inference:
    if cause >= BY_ALS:
        number = cause - BY_ALS
        return Inference(premises, result, Cause.SET, als=number, als_cells=step.cells_of(Role.ALS + number))
    if cause >= BY_LEMMA:
        return Inference(premises, result, Cause.LEMMA, lemma=cause - BY_LEMMA)
    if cause == BY_CELL:
        return Inference(premises, result, Cause.CELL)
    return Inference(premises, result, Cause.HOUSE, house=cause)
