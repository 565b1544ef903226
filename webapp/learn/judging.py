"""Assess marks: which of them a technique proves, what is missing, and why others are wrong.

Pure. A mark is correct if any step of the technique makes it, so every instance counts, and several together.
Reasons refer to the step that is nearest to the marks.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import engine
from engine.geometry import PEERS, Candidate, cell_name
from webapp.game.steps import technique_name
from webapp.learn.marks import Marks
from webapp.process.words import gettext as _
from webapp.process.words import ngettext

Mark = tuple[int, int, bool]  # cell 0..80, digit 1..9, and whether it is placed rather than crossed out


@dataclass(frozen=True, slots=True)
class Judgment:
    """The assessment of marks."""

    missing: int  # how many marks the nearest step lacks
    wrong: dict[Mark, str]  # the marks that the technique doesn't prove, and why
    step: engine.Step  # the one nearest to the marks
    text: str  # the assessment in a sentence, in the reader's language

    @property
    def right(self) -> bool:
        """Whether all marks are correct and complete one step."""
        return not self.wrong and not self.missing


def judge(position: engine.Position, technique: str, given: Marks, steps: Sequence[engine.Step]) -> Judgment:
    """Assess the marks of a reader who looked for a technique.

    steps: all of the technique there, at least one. Marking a step's placements is enough; if it has none,
    marking its eliminations is.
    """
    placed, crossed = given.placements, given.eliminations
    all_placed = frozenset[Candidate]().union(*(step.placements for step in steps))
    all_crossed = frozenset[Candidate]().union(*(step.eliminations for step in steps))
    step = _nearest(steps, placed, crossed)
    wrong = {
        (*mark, True): _wrong_placed(position, technique, *mark) for mark in sorted(placed - all_placed)
    } | {(*mark, False): _wrong_crossed(position, *mark, step) for mark in sorted(crossed - all_crossed)}
    missing = _missing(step, placed, crossed)
    text = _summary(technique, len(placed) + len(crossed) - len(wrong), missing, len(wrong))
    return Judgment(missing, wrong, step, text)


def _missing(step: engine.Step, placed: frozenset[Candidate], crossed: frozenset[Candidate]) -> int:
    """Count the marks that a step lacks."""
    if step.placements and (placed & step.placements or not crossed & step.eliminations):
        return len(step.placements - placed)
    return len(step.eliminations - crossed)


def _nearest(
    steps: Sequence[engine.Step], placed: frozenset[Candidate], crossed: frozenset[Candidate]
) -> engine.Step:
    """Return the step that shares most with the marks, and of those the one with the fewest missing."""

    def rank(step: engine.Step) -> tuple[int, int, int]:
        shared = len(step.placements & placed) + len(step.eliminations & crossed)
        digits = {digit for _, digit in step.placements | step.eliminations}
        told = sum(digit in digits for _, digit in placed | crossed)
        return -shared, _missing(step, placed, crossed) if shared else 0, -told

    return min(steps, key=rank)


def _wrong_placed(position: engine.Position, technique: str, cell: int, digit: int) -> str:
    """Say why a digit can't be placed: it is no candidate, wrong, or not proved by the pattern."""
    names = {"cell": cell_name(cell), "digit": digit}
    if digit not in position.candidates(cell):
        return _("%(cell)s can’t be %(digit)s anymore.", **names)
    if position.solution is not None and position.solution[cell] != digit:
        return _("%(cell)s isn’t %(digit)s.", **names)
    return _(
        "You can’t tell yet that %(cell)s is %(digit)s. There’s no %(technique)s that shows it.",
        technique=technique_name(technique),
        **names,
    )


def _wrong_crossed(position: engine.Position, cell: int, digit: int, step: engine.Step) -> str:
    """Say why a candidate can't be crossed out: it isn't there, is part of the pattern, doesn't see all of
    it, is the solution, or has nothing to do with it.
    """
    names = {"cell": cell_name(cell), "digit": digit}
    if digit not in position.candidates(cell):
        return _("%(cell)s has no %(digit)s to cross out.", **names)
    if any(fact.cell == cell and digit in fact.digits for fact in step.cells):
        return _("In %(cell)s, %(digit)s is part of the pattern, so it stays.", **names)
    unseen = _unseen(position, cell, digit, step)
    if unseen is not None:
        return _(
            "%(cell)s can still be %(digit)s: it doesn’t see %(other)s.", other=cell_name(unseen), **names
        )
    if position.solution is not None and position.solution[cell] == digit:
        return _("Don’t cross out %(digit)s in %(cell)s: it’s the digit that goes there.", **names)
    return _("%(cell)s can still be %(digit)s: this pattern says nothing about it.", **names)


def _unseen(position: engine.Position, cell: int, digit: int, step: engine.Step) -> int | None:
    """Return the lowest cell of a pattern that `cell` would have to see for `digit` to be eliminated, but
    doesn't.

    Only if visibility decides: the step eliminates the digit from exactly the candidates outside its pattern
    that see all the cells its eliminations see.
    """
    targets = {at for at, gone in step.eliminations if gone == digit}
    holders = {fact.cell for fact in step.cells if digit in fact.digits}
    seen = {holder for holder in holders if targets and all(holder in PEERS[at] for at in targets)}
    outside = {at for at in range(81) if digit in position.candidates(at) and at not in holders}
    if not seen or targets != {at for at in outside if all(holder in PEERS[at] for holder in seen)}:
        return None
    return min((holder for holder in seen if holder not in PEERS[cell] and holder != cell), default=None)


def _summary(technique: str, right: int, missing: int, wrong: int) -> str:
    name = technique_name(technique)
    if wrong:
        if not right:
            return _("Not quite. Look for another %(technique)s.", technique=name)
        return ngettext(
            "Some of it is right, but one mark is wrong.",
            "Some of it is right, but %(num)s marks are wrong.",
            wrong,
        )
    if not right:
        return _("Nothing’s marked yet.")
    if missing:
        return ngettext(
            "Right so far, but one mark is missing.", "Right so far, but %(num)s marks are missing.", missing
        )
    return _("That’s it: %(technique)s.", technique=name)
