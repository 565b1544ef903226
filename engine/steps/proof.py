"""Shorter proofs of nets: the inferences that the conclusion needs, derived in the easiest way.

A search derives claims in waves, and each claim keeps the first derivation. This module derives the
conclusion once more from the rules of the game and the step's lemmas, starting with the claims that need the
least. Of three or more branches the shortest comes first. At ER 8 to 9.5 the median text is two fifths
shorter, including what the display omits.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from heapq import heappop, heappush
from itertools import groupby
from typing import Final

from ..geometry import HOUSES, HOUSES_OF
from ..kernels.steps import BY_ALS, BY_LEMMA
from ..position import Position
from ..techniques import TECHNIQUES
from ..techniques.implications import ASSUMED, BY_CELL, LITERALS, NOTHING
from .branches import Link
from .step import Step

# The cost of reading a claim. A true digit has to be found; what it rules out is then obvious.
_ON: Final = 4
_OFF: Final = 1
_LEMMA: Final = 8  # plus twice the links of its own proof

_TRUE: Final = sum(1 << literal for literal in range(1, LITERALS, 2))


@dataclass(frozen=True, slots=True)
class _Inference:
    sources: tuple[int, ...]  # literals, as in `Link`; empty for the assumption
    target: int
    cause: int


@dataclass(slots=True)
class _Known:
    """The consequences of one assumption: how each literal is derived, and what it depends on, as bits."""

    how: dict[int, _Inference] = field(default_factory=dict)  # in the order derived
    behind: dict[int, int] = field(default_factory=dict)  # literals, then lemmas


def shortened(step: Step, position: Position) -> Step:
    """Return the same step with a proof that is no longer; chains and patterns are returned as they are.

    position: where the step was found. Keeps everything except links and lemmas, including `size` for
    ratings.
    """
    if not step.links:
        return step
    branches = _branches(step.links)
    sets = any(each.cause >= BY_ALS for branch in branches for each in branch)
    if TECHNIQUES[step.technique].template == "net" and len(branches) > 2 and not sets:
        branches.sort(key=len)
        step = _with(step, branches)
    if not any(len(each.sources) > 1 or each.cause >= BY_LEMMA for branch in branches for each in branch):
        return step
    if sets or any(each.target >= LITERALS for branch in branches for each in branch):
        return step  # groups and almost locked sets: chains, which are shown link by link
    rules = _Rules(step, position, branches)
    found = [rules.shortest(branch, alone=len(branches) == 1) for branch in branches]
    return _with(step, sorted(found, key=len) if len(found) > 2 else found)


def _branches(links: Iterable[Link]) -> list[list[_Inference]]:
    """The inferences of each branch, its assumption first."""
    found: list[list[_Inference]] = []
    for (target, cause), together in groupby(links, key=lambda link: (link.target, link.cause)):
        if cause == ASSUMED:
            found.append([_Inference((), target, ASSUMED)])
        else:
            found[-1].append(_Inference(tuple(link.source for link in together), target, cause))
    return found


def _with(step: Step, branches: list[list[_Inference]]) -> Step:
    """Return the step with these branches, and the lemmas they use."""
    causes = {each.cause for branch in branches for each in branch}
    used = sorted(cause - BY_LEMMA for cause in causes if cause >= BY_LEMMA)
    number = {BY_LEMMA + lemma: BY_LEMMA + at for at, lemma in enumerate(used)}
    links = tuple(
        Link(source, each.target, number.get(each.cause, each.cause))
        for branch in branches
        for each in branch
        for source in each.sources or (NOTHING,)
    )
    return replace(step, links=links, lemmas=tuple(step.lemmas[lemma] for lemma in used))


class _Rules:
    """The possible inferences: the candidates of a position and the lemmas of a step."""

    def __init__(self, step: Step, position: Position, branches: list[list[_Inference]]) -> None:
        self._marks = [mask if not position.grid[cell] else 0 for cell, mask in enumerate(position.masks)]
        self._places = [
            [cell for cell in cells if self._marks[cell] >> digit & 1]
            for digit in range(9)
            for cells in HOUSES
        ]
        self._lemmas = [each for branch in branches for each in branch if each.cause >= BY_LEMMA]
        self._weights = [_LEMMA + 2 * _length(step.lemmas[each.cause - BY_LEMMA]) for each in self._lemmas]
        self._needing: dict[int, list[int]] = {}
        for at, each in enumerate(self._lemmas):
            for source in each.sources:
                self._needing.setdefault(source, []).append(at)
        self._one_digit = step.technique == "nishio"  # its proof uses one digit only

    def shortest(self, branch: list[_Inference], *, alone: bool) -> list[_Inference]:
        """Return the branch with the cheapest proof found, or unchanged. alone: it ends in a
        contradiction.
        """
        goal = None if alone else branch[-1].target
        known, ends = self._derive(branch[0].target, goal)
        kept = _explaining(known, ends)
        return (
            kept
            if ends and self._cost(_bits(kept, self._lemmas)) <= self._cost(_bits(branch, self._lemmas))
            else branch
        )

    def _cost(self, behind: int) -> int:
        lemmas = behind >> LITERALS
        cost = sum(weight for at, weight in enumerate(self._weights) if lemmas >> at & 1) if lemmas else 0
        literals = behind & ((1 << LITERALS) - 1)
        true = (literals & _TRUE).bit_count()
        return cost + _ON * true + _OFF * (literals.bit_count() - true)

    def _derive(self, start: int, goal: int | None) -> tuple[_Known, tuple[int, ...]]:
        """Derive the consequences of `start`, cheapest first, until the goal or the cheapest contradiction.

        Returns them with the literals that end the proof: the goal, or two that contradict each other; none
        if no end is found.
        """
        known = _Known()
        waiting: list[tuple[int, int, _Inference, int]] = [(0, 0, _Inference((), start, ASSUMED), 1 << start)]
        pushed = 0
        missing = [len(set(each.sources)) for each in self._lemmas]
        clash: tuple[int, ...] = ()
        least = 1 << 30
        while waiting and waiting[0][0] < least:
            _, _, inference, behind = heappop(waiting)
            literal = inference.target
            if literal in known.how:
                continue
            known.how[literal] = inference
            known.behind[literal] = behind
            if literal == goal:
                return known, (literal,)
            if literal ^ 1 in known.how:
                cost = self._cost(behind | known.behind[literal ^ 1])
                if goal is None and cost < least:
                    least, clash = cost, (literal ^ 1, literal)
                continue
            for following in self._following(literal, known, missing):
                if following.target not in known.how:
                    pushed += 1
                    bits = 1 << following.target
                    for source in following.sources:
                        bits |= known.behind[source]
                    if following.cause >= BY_LEMMA:
                        bits |= 1 << LITERALS + self._lemmas.index(following)
                    heappush(waiting, (self._cost(bits), pushed, following, bits))
        return known, clash

    def _following(self, literal: int, known: _Known, missing: list[int]) -> Iterator[_Inference]:
        """Return the inferences possible now that `literal` is known."""
        cell, digit = divmod(literal >> 1, 9)
        if literal & 1:
            yield from self._ruled_out(literal, cell, digit)
        else:
            if not self._one_digit:
                candidates = [2 * (9 * cell + other) for other in range(9) if self._marks[cell] >> other & 1]
                yield from _last(candidates, known, BY_CELL)
            for house in HOUSES_OF[cell]:
                places = [2 * (9 * place + digit) for place in self._places[27 * digit + house]]
                yield from _last(places, known, house)
        for at in self._needing.get(literal, ()):
            missing[at] -= 1
            if not missing[at]:
                yield self._lemmas[at]

    def _ruled_out(self, literal: int, cell: int, digit: int) -> Iterator[_Inference]:
        """Return what the digit in that cell rules out."""
        for other in range(9):
            if other != digit and self._marks[cell] >> other & 1 and not self._one_digit:
                yield _Inference((literal,), 2 * (9 * cell + other), BY_CELL)
        for house in HOUSES_OF[cell]:
            for place in self._places[27 * digit + house]:
                if place != cell:
                    yield _Inference((literal,), 2 * (9 * place + digit), house)


def _last(offs: list[int], known: _Known, cause: int) -> Iterator[_Inference]:
    """Infer the one candidate of a cell or house that isn't ruled out."""
    left = [off for off in offs if off not in known.how]
    if len(left) == 1 and len(offs) > 1:
        yield _Inference(tuple(off for off in offs if off != left[0]), left[0] + 1, cause)


def _explaining(known: _Known, ends: tuple[int, ...]) -> list[_Inference]:
    """Return the inferences behind the ends, in the order derived; the last end comes last."""
    needed = set(ends)
    kept = []
    for literal in reversed(known.how):
        if literal in needed:
            kept.append(known.how[literal])
            needed.update(known.how[literal].sources)
    return kept[::-1]


def _bits(branch: list[_Inference], lemmas: list[_Inference]) -> int:
    """The literals and lemmas of a branch as bits."""
    bits = 0
    for each in branch:
        bits |= 1 << each.target
        if each.cause >= BY_LEMMA:
            bits |= 1 << LITERALS + lemmas.index(each)
    return bits


def _length(lemma: Step) -> int:
    """Return the length of a lemma's proof: its links with those of the lemmas it uses, or its cells."""
    return len(lemma.links) + len(lemma.cells) + sum(map(_length, lemma.lemmas))
