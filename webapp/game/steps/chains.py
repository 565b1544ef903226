"""Chains and nets read from a step's links: what is assumed, what follows, and how it ends."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import groupby

import engine
from engine.kernels.steps import BY_ALS, BY_LEMMA
from engine.techniques import Role
from engine.techniques.graph import CANDIDATE_NODES, SEGMENTS
from engine.techniques.implications import ASSUMED, BY_CELL
from webapp.game.steps.places import House


@dataclass(frozen=True, slots=True)
class Claim:
    """That a candidate is true or false; with several cells, that one of them or none of them holds it."""

    cells: tuple[int, ...]
    digit: int
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
    cause: str  # "house", "cell", "lemma" or "set"
    house: House | None = None  # where cause is "house"
    lemma: int = 0  # where cause is "lemma": its place among the step's lemmas
    set: tuple[int, ...] = ()  # where cause is "set": the cells of the almost locked set

    @property
    def strong(self) -> bool:
        """Whether it turns something on because nothing else is left."""
        return self.result.on


@dataclass(frozen=True)
class Branch:
    """What follows from one assumption, in order."""

    assumption: Claim
    inferences: tuple[Inference, ...]

    @property
    def end(self) -> Claim:
        """The last claim derived, or the assumption where nothing follows."""
        return self.inferences[-1].result if self.inferences else self.assumption

    @cached_property
    def clash(self) -> tuple[Claim, Claim] | None:
        """Two claims of the branch that contradict each other, the first derived first."""
        seen = {self.assumption}
        for inference in self.inferences:
            if inference.result.opposite in seen:
                return inference.result.opposite, inference.result
            seen.add(inference.result)
        return None

    @property
    def claims(self) -> tuple[Claim, ...]:
        """The assumption and all that follows from it."""
        return self.assumption, *(inference.result for inference in self.inferences)


def _claim(literal: int, position: engine.Position | None) -> Claim:
    """The claim that a literal of engine.step.Link stands for."""
    node, on = literal // 2, bool(literal % 2)
    if node < CANDIDATE_NODES:
        return Claim((node // 9,), node % 9 + 1, on)
    digit, segment = divmod(node - CANDIDATE_NODES, len(SEGMENTS))
    cells: list[int] = SEGMENTS[segment].tolist()
    if position is not None:
        cells = [cell for cell in cells if digit + 1 in position.candidates(cell)]
    return Claim(tuple(cells), digit + 1, on)


def branches(step: engine.Step, position: engine.Position | None = None) -> tuple[Branch, ...]:
    """The branches of a step's proof; empty for a pattern.

    A group is named by the line's part in a box that holds it; its cells among these are told by `position`.
    """
    found: list[tuple[Claim, list[Inference]]] = []
    for (target, cause), links in groupby(step.links, key=lambda link: (link.target, link.cause)):
        if cause == ASSUMED:
            found.append((_claim(target, position), []))
            continue
        premises = tuple(_claim(link.source, position) for link in links)
        found[-1][1].append(_inference(step, premises, _claim(target, position), cause))
    return tuple(Branch(assumption, tuple(inferences)) for assumption, inferences in found)


def _inference(step: engine.Step, premises: tuple[Claim, ...], result: Claim, cause: int) -> Inference:
    if cause >= BY_ALS:
        return Inference(premises, result, "set", set=step.cells_of(Role.ALS + cause - BY_ALS))
    if cause >= BY_LEMMA:
        return Inference(premises, result, "lemma", lemma=cause - BY_LEMMA)
    if cause == BY_CELL:
        return Inference(premises, result, "cell")
    return Inference(premises, result, "house", house=House(cause))
