"""The judge of marks: which of them a technique proves, what is missing, and why the others are wrong.

Pure. A mark is right where any step of the technique makes it, so every instance counts, and several
together. Reasons are about the step that comes nearest to the marks.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

import engine
from engine.geometry import PEERS, cell_name
from engine.step import Candidate
from webapp.game.steps import technique_name
from webapp.learn.exercises.kept import Effects, whole
from webapp.process.words import gettext as _
from webapp.process.words import ngettext


class Reason(StrEnum):
    """Why a mark is wrong."""

    ABSENT = "absent"  # no candidate there to cross out or place
    SOLUTION = "solution"  # crosses out the digit that belongs there
    NOT_SEEN = "not_seen"  # the cell does not see a cell of the pattern that the others see
    PATTERN = "pattern"  # it is a part of the pattern itself
    SILENT = "silent"  # the pattern says nothing about it
    PLACED_WRONG = "placed_wrong"  # the digit does not belong there
    PLACED_EARLY = "placed_early"  # the pattern does not prove the digit


@dataclass(frozen=True, slots=True)
class Wrong:
    """A mark that the technique does not prove."""

    cell: int  # 0..80
    digit: int  # 1..9
    placed: bool  # placed, not crossed out
    reason: Reason
    text: str  # the reason in the reader's language
    unseen: int | None = None  # of NOT_SEEN: the cell of the pattern that `cell` does not see


@dataclass(frozen=True, slots=True)
class Judgment:
    """What marks come to."""

    right_placements: frozenset[Candidate]
    right_eliminations: frozenset[Candidate]
    missing_placements: frozenset[Candidate]  # of the step nearest to the marks
    missing_eliminations: frozenset[Candidate]
    wrong: tuple[Wrong, ...]
    step: engine.Step | None  # the one nearest to the marks; None where the technique is not there
    text: str  # the whole of it in a sentence, in the reader's language

    @property
    def right(self) -> bool:
        """Whether the marks are all right and nothing of a step is missing."""
        return self.step is not None and not self.wrong and not self.missing

    @property
    def missing(self) -> int:
        """How many marks the step nearest to them still lacks."""
        return len(self.missing_placements) + len(self.missing_eliminations)


@dataclass(frozen=True, slots=True)
class Presence:
    """The answer to whether a technique is there, judged."""

    right: bool
    there: bool
    text: str


def fault_of(position: engine.Position) -> str | None:
    """What keeps a position from being judged: no solution, several, or a lost digit of the solution."""
    match position.verdict:
        case engine.Verdict.NONE:
            return _("This puzzle has no solution.")
        case engine.Verdict.MULTIPLE:
            return _("This puzzle has more than one solution.")
    wrong = sorted(position.wrong())
    if wrong:
        cell, digit = wrong[0]
        if position.grid[cell]:
            return _("%(cell)s can’t be %(digit)s in this puzzle.", cell=cell_name(cell), digit=digit)
        return _("The candidates of %(cell)s exclude the correct digit.", cell=cell_name(cell))
    return None


def judge(
    position: engine.Position,
    technique: str,
    placements: Collection[Candidate],
    eliminations: Collection[Candidate],
    steps: Sequence[Effects] | None = None,
) -> Judgment:
    """Judge the digits placed and candidates crossed out by someone who looked for a technique.

    steps: all of the technique there, where they are known. What a step places is enough to have found it, as
    what it crosses out is where it places nothing.
    KeyError for an unknown technique; ValueError, with its text, for a position with a `fault_of`.
    """
    fault = fault_of(position)
    if fault is not None:
        raise ValueError(fault)
    if steps is None:
        steps = engine.find(position, technique)
    placed, crossed = frozenset(placements), frozenset(eliminations)
    all_placed = frozenset[Candidate]().union(*(step.placements for step in steps))
    all_crossed = frozenset[Candidate]().union(*(step.eliminations for step in steps))
    nearest = _nearest(steps, placed, crossed)
    step = None if nearest is None else whole(nearest)
    wrong = [_wrong_placed(position, technique, *mark, step) for mark in sorted(placed - all_placed)]
    wrong += [_wrong_crossed(position, technique, *mark, step) for mark in sorted(crossed - all_crossed)]
    lacking = _lacking(step, placed, crossed) if step else (frozenset[Candidate](), frozenset[Candidate]())
    right = placed & all_placed, crossed & all_crossed
    text = _summary(technique, len(right[0]) + len(right[1]), sum(map(len, lacking)), wrong, step)
    return Judgment(*right, *lacking, tuple(wrong), step, text)


def judge_presence(
    technique: str,
    says: bool,
    there: bool,
    spoilers: Iterable[Candidate] = (),
) -> Presence:
    """Judge the answer to "is it there?".

    there: whether the technique has a step.  spoilers: of a near miss, what keeps it from being there.
    """
    name = technique_name(technique)
    right = says == there
    if there:
        text = (
            _("Right: %(technique)s is there.", technique=name)
            if right
            else _("It’s there: %(technique)s has a step here.", technique=name)
        )
        return Presence(right, there, text)
    first = min(spoilers, default=None)
    if first is None:
        text = (
            _("Right: there’s no %(technique)s here.", technique=name)
            if right
            else _("There’s no %(technique)s here.", technique=name)
        )
    else:
        facts = {"technique": name, "cell": cell_name(first[0]), "digit": first[1]}
        text = (
            _("Right: %(cell)s can still be %(digit)s, so there’s no %(technique)s here.", **facts)
            if right
            else _("Not here: %(cell)s can still be %(digit)s, so there’s no %(technique)s.", **facts)
        )
    return Presence(right, there, text)


def _lacking(
    step: Effects, placed: frozenset[Candidate], crossed: frozenset[Candidate]
) -> tuple[frozenset[Candidate], frozenset[Candidate]]:
    """What of a step is not marked."""
    if step.placements and (placed & step.placements or not crossed & step.eliminations):
        return step.placements - placed, frozenset()
    return frozenset(), step.eliminations - crossed


def _nearest(
    steps: Sequence[Effects], placed: frozenset[Candidate], crossed: frozenset[Candidate]
) -> Effects | None:
    """The step that shares most with the marks, and of those the one that lacks least."""

    def rank(step: Effects) -> tuple[int, int, int]:
        shared = len(step.placements & placed) + len(step.eliminations & crossed)
        digits = {digit for _, digit in step.placements | step.eliminations}
        told = sum(digit in digits for _, digit in placed | crossed)
        return -shared, sum(map(len, _lacking(step, placed, crossed))) if shared else 0, -told

    return min(steps, key=rank, default=None)


def _wrong_placed(
    position: engine.Position, technique: str, cell: int, digit: int, step: engine.Step | None
) -> Wrong:
    names = {"cell": cell_name(cell), "digit": digit}
    if digit not in position.candidates(cell):
        return Wrong(cell, digit, True, Reason.ABSENT, _("%(cell)s can’t be %(digit)s anymore.", **names))
    if position.solution is not None and position.solution[cell] != digit:
        text = _("%(cell)s isn’t %(digit)s.", **names)
        return Wrong(cell, digit, True, Reason.PLACED_WRONG, text)
    del step
    text = _(
        "%(cell)s doesn’t have to be %(digit)s yet: %(technique)s doesn’t show it.",
        technique=technique_name(technique),
        **names,
    )
    return Wrong(cell, digit, True, Reason.PLACED_EARLY, text)


def _wrong_crossed(
    position: engine.Position,
    technique: str,
    cell: int,
    digit: int,
    step: engine.Step | None,
) -> Wrong:
    names = {"cell": cell_name(cell), "digit": digit}
    if digit not in position.candidates(cell):
        return Wrong(cell, digit, False, Reason.ABSENT, _("%(cell)s has no %(digit)s to cross out.", **names))
    if step is not None and _in_pattern(step, cell, digit):
        text = _("%(digit)s in %(cell)s is part of the pattern, so it stays.", **names)
        return Wrong(cell, digit, False, Reason.PATTERN, text)
    unseen = None if step is None else _unseen(position, cell, digit, step)
    if unseen is not None:
        text = _(
            "%(cell)s can still be %(digit)s: it doesn’t see %(other)s.", other=cell_name(unseen), **names
        )
        return Wrong(cell, digit, False, Reason.NOT_SEEN, text, unseen)
    if position.solution is not None and position.solution[cell] == digit:
        text = _("Don’t cross out %(digit)s in %(cell)s: it’s the digit that goes there.", **names)
        return Wrong(cell, digit, False, Reason.SOLUTION, text)
    if step is None:
        text = _(
            "%(cell)s can still be %(digit)s: there’s no %(technique)s here.",
            technique=technique_name(technique),
            **names,
        )
    else:
        text = _("%(cell)s can still be %(digit)s: this pattern says nothing about it.", **names)
    return Wrong(cell, digit, False, Reason.SILENT, text)


def _in_pattern(step: engine.Step, cell: int, digit: int) -> bool:
    return any(fact.cell == cell and digit in fact.digits for fact in step.cells)


def _unseen(position: engine.Position, cell: int, digit: int, step: engine.Step) -> int | None:
    """A cell of a pattern that `cell` would have to see for `digit` to go, and does not; the lowest one.

    Only where seeing is all that counts: the step takes the digit from every candidate outside its pattern
    that sees all the cells its eliminations see, and from no other.
    """
    targets = {at for at, gone in step.eliminations if gone == digit}
    holders = {fact.cell for fact in step.cells if digit in fact.digits}
    seen = {holder for holder in holders if targets and all(holder in PEERS[at] for at in targets)}
    outside = {at for at in range(81) if digit in position.candidates(at) and at not in holders}
    if not seen or targets != {at for at in outside if all(holder in PEERS[at] for holder in seen)}:
        return None
    return min((holder for holder in seen if holder not in PEERS[cell] and holder != cell), default=None)


def _summary(
    technique: str, right: int, missing: int, wrong: Sequence[Wrong], step: engine.Step | None
) -> str:
    name = technique_name(technique)
    if step is None:
        return _("There’s no %(technique)s here.", technique=name)
    if wrong:
        if not right:
            return _("That isn’t the %(technique)s we were looking for.", technique=name)
        return ngettext(
            "Some of it is right, but one mark is wrong.",
            "Some of it is right, but %(num)s marks are wrong.",
            len(wrong),
        )
    if not right:
        return _("Nothing’s marked yet.")
    if missing:
        return ngettext(
            "Right so far. One mark is missing.", "Right so far. %(num)s marks are missing.", missing
        )
    return _("That’s it: %(technique)s.", technique=name)
