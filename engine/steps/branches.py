"""Branches: the links of a chain or net as claims and inferences, for code that words or draws a step.

`Step.branches` creates them; no other code needs the encoding of links.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property
from itertools import groupby
from typing import Final, Protocol

from ..kernels.steps import BY_ALS, BY_LEMMA
from ..techniques.entry import Role
from ..techniques.graph import CANDIDATE_NODES, SEGMENTS
from ..techniques.implications import ASSUMED, BY_CELL

_WORTH: Final = 3  # claims that a branch must save before "as before" is worthwhile


class Marked(Protocol):
    """An object with the candidates of each cell, such as a Position."""

    def candidates(self, cell: int) -> tuple[int, ...]:
        """The digits still possible in `cell`, ascending."""


@dataclass(frozen=True, slots=True)
class Link:
    """One implication of a chain in the kernels' encoding; `Step.branches` decodes it.

    Consecutive links with the same target and cause belong together: their sources are its premises.

    A literal is 2 * node + on. Node 9 * cell + digit - 1 (0..728) is a candidate. Node 729 + 54 * (digit - 1)
    + segment is a group node: the two or three places of a digit in a segment, the part of a line inside one
    box. Segment 3 * row + n (0..26) is the n-th part of a row from the left, segment 27 + 3 * column + n
    (27..53) the n-th part of a column from the top. A group is on if one of its cells holds the digit, off if
    none does.

    >>> from engine import Position, find, parse
    >>> text = "....8.95...........2.3...6.8.415........3.7....6....4..9....6..7..2...8.4.1.98.7."
    >>> position = Position.from_grid(parse(text))
    >>> link = find(position, "x_chain")[0].links[0]
    >>> type(link).__name__
    'Link'
    """

    source: int  # a literal; NOTHING starts a branch with an assumption
    target: int  # a literal
    cause: int  # a house 0..26, BY_CELL, ASSUMED, BY_LEMMA + index of a lemma, BY_ALS + index of a set


class Cause(StrEnum):
    """The reason for an inference."""

    HOUSE = "house"  # a house holds each digit once
    CELL = "cell"  # a cell holds one digit
    LEMMA = "lemma"  # another step, found under the assumption
    SET = "set"  # an almost locked set that lost one digit keeps all others


@dataclass(frozen=True, slots=True)
class Claim:
    """The claim that a candidate is true or false; for a group, that one or none of its cells holds the
    digit.

    >>> Claim((3,), 7, True).opposite
    Claim(cells=(3,), digit=7, on=False)
    """

    cells: tuple[int, ...]  # one cell, or those of a group: the two or three places of a digit in a segment
    digit: int  # 1..9
    on: bool

    @property
    def opposite(self) -> Claim:
        """The negation of this claim."""
        return Claim(self.cells, self.digit, not self.on)


@dataclass(frozen=True, slots=True)
class Inference:
    """One claim that follows from others."""

    premises: tuple[Claim, ...]
    result: Claim
    cause: Cause
    house: int | None = None  # 0..26 if the cause is a house
    lemma: int | None = None  # index into Step.lemmas if the cause is a lemma
    als: int | None = (
        None  # number of the almost locked set if the cause is one: its cells have Role.ALS + als
    )
    als_cells: tuple[int, ...] = ()  # the cells of that set

    @property
    def strong(self) -> bool:
        """Whether it is a strong link: it makes something true because nothing else is left."""
        return self.result.on


@dataclass(frozen=True)
class Branch:
    """The consequences of one assumption, in the order derived."""

    assumption: Claim
    inferences: tuple[Inference, ...]

    @property
    def end(self) -> Claim:
        """The last claim derived, or the assumption if nothing follows."""
        return self.inferences[-1].result if self.inferences else self.assumption

    @property
    def claims(self) -> tuple[Claim, ...]:
        """The assumption and all its consequences."""
        return self.assumption, *(inference.result for inference in self.inferences)

    @cached_property
    def clash(self) -> tuple[Claim, Claim] | None:
        """Two contradictory claims, the first one derived first; None if there are none."""
        seen = {self.assumption}
        for inference in self.inferences:
            if inference.result.opposite in seen:
                return inference.result.opposite, inference.result
            seen.add(inference.result)
        return None


@dataclass(frozen=True, slots=True)
class DisplayedBranch:
    """A branch for display: without obvious inferences, and only up to where it joins an earlier one."""

    assumption: Claim
    inferences: tuple[Inference, ...]
    net: bool  # the step has claims with several premises: what true digits rule out is omitted
    as_before: bool  # whether the rest is the same as in an earlier branch
    clash: tuple[Claim, Claim] | None  # the contradiction at its end


def displayed(branches: Iterable[Branch]) -> tuple[DisplayedBranch, ...]:
    """Return the branches for display, for words and pictures alike: both number their inferences this
    way.
    """
    branches = tuple(branches)
    net = any(len(each.premises) > 1 for branch in branches for each in branch.inferences)
    earlier: list[tuple[Branch, set[Claim]]] = []
    found = []
    for branch in branches:
        start = _up_to_known(branch, earlier)
        short = start or branch
        inferences = _condensed(short) if net else short.inferences
        earlier.append((branch, {branch.assumption, *(each.result for each in inferences)}))
        opposite = short.end == short.assumption.opposite
        clash = (short.assumption, short.end) if opposite else short.clash
        found.append(DisplayedBranch(branch.assumption, inferences, net, start is not None, clash))
    return tuple(found)


def _up_to_known(branch: Branch, earlier: Iterable[tuple[Branch, set[Claim]]]) -> Branch | None:
    """Return the branch up to a claim of an earlier one that led to the same end; or None."""
    for claim in branch.claims[1:-_WORTH]:
        if any(claim in known and _leads_on(claim, other, branch.end) for other, known in earlier):
            return Branch(branch.assumption, tuple(_behind(claim, branch)))
    return None


def _leads_on(claim: Claim, branch: Branch, end: Claim) -> bool:
    """Whether `end` follows from `claim` alone by the inferences of `branch`."""
    known = {claim}
    for inference in branch.inferences:
        if known.issuperset(inference.premises):
            known.add(inference.result)
    return end in known


def _behind(claim: Claim, branch: Branch) -> list[Inference]:
    """Return the inferences of `branch` that derive `claim`, in order."""
    needed, kept = {claim}, []
    for inference in reversed(branch.inferences):
        if inference.result in needed:
            kept.append(inference)
            needed.update(inference.premises)
    return kept[::-1]


def _condensed(branch: Branch) -> tuple[Inference, ...]:
    """Return a net's inferences for display: without what a true digit rules out.

    That is obvious, so inferences from it refer to the digit itself. The inference that ends the branch is
    kept.
    """
    ends = branch.clash or (branch.end,)
    plain = {
        each.result: each.premises[0]
        for each in branch.inferences
        if each.cause in (Cause.HOUSE, Cause.CELL) and not each.result.on and each.premises[0].on
    }
    return tuple(
        replace(each, premises=tuple(dict.fromkeys(plain.get(claim, claim) for claim in each.premises)))
        for each in branch.inferences
        if each.result not in plain or each.result in ends
    )


def branches_of(
    links: Iterable[Link], cells_of: Callable[[int], tuple[int, ...]], position: Marked | None = None
) -> tuple[Branch, ...]:
    """Return `Step.branches` for a step with these links; `cells_of` returns the cells of a role."""
    found: list[tuple[Claim, list[Inference]]] = []
    for (target, cause), together in groupby(links, key=lambda link: (link.target, link.cause)):
        result = _claim(target, position)
        if cause == ASSUMED:
            found.append((result, []))
        else:
            premises = tuple(_claim(link.source, position) for link in together)
            found[-1][1].append(_inference(cells_of, premises, result, cause))
    return tuple(Branch(assumption, tuple(inferences)) for assumption, inferences in found)


def _claim(literal: int, position: Marked | None) -> Claim:
    """Return the claim of a Link's literal."""
    node, on = literal // 2, bool(literal % 2)
    if node < CANDIDATE_NODES:
        return Claim((node // 9,), node % 9 + 1, on)
    digit, segment = divmod(node - CANDIDATE_NODES, len(SEGMENTS))
    cells: list[int] = SEGMENTS[segment].tolist()
    if position is not None:
        cells = [cell for cell in cells if digit + 1 in position.candidates(cell)]
    return Claim(tuple(cells), digit + 1, on)


def _inference(
    cells_of: Callable[[int], tuple[int, ...]], premises: tuple[Claim, ...], result: Claim, cause: int
) -> Inference:
    if cause >= BY_ALS:
        number = cause - BY_ALS
        return Inference(premises, result, Cause.SET, als=number, als_cells=cells_of(Role.ALS + number))
    if cause >= BY_LEMMA:
        return Inference(premises, result, Cause.LEMMA, lemma=cause - BY_LEMMA)
    if cause == BY_CELL:
        return Inference(premises, result, Cause.CELL)
    return Inference(premises, result, Cause.HOUSE, house=cause)
