"""The test of a tier: a position of each of its families, to be answered correctly one after another.

It names no technique, so any step of the tier's techniques is correct.

Its progress is in the signed session and needs no row: passing only changes the state of the player's own
lessons.
"""

from __future__ import annotations

from random import SystemRandom
from typing import Any, Final

import engine
from engine.techniques import Family
from webapp.learn.board import MarkingBoard
from webapp.learn.exercises import judging, store
from webapp.learn.exercises.judging import Judgment
from webapp.learn.lessons import path
from webapp.learn.marks import Marks
from webapp.process.errors import NotFound
from webapp.process.words import gettext as _

FEWEST: Final = 3  # positions in a test of fewer families


class TierTest:
    """One position of a test under way."""

    def __init__(self, tier: int, asked: list[str]) -> None:
        """asked: the techniques so far; the last is the one to find now."""
        self.tier = tier
        self._asked = asked
        self.key = asked[-1]
        self.number = len(asked)
        self.count = length(tier)
        found = store.lesson(self.key).exercise
        if found is None:
            raise NotFound(_("We’re still preparing this test. Check back soon."))
        self.position = found.position
        self.places = bool(found.steps[0].placements)
        self.board = MarkingBoard(self.position)

    @property
    def last(self) -> bool:
        """Whether it is the last position."""
        return self.number == self.count

    @property
    def stored(self) -> dict[str, Any]:
        """The value for the session."""
        return {"tier": self.tier, "asked": self._asked}

    def judge(self, given: Marks) -> Judgment:
        """Assess marks on this position."""
        return judging.judge_any(
            self.position, self.key, candidates(self.tier), given.placements, given.eliminations
        )

    def following(self, judgment: Judgment) -> dict[str, Any] | None:
        """Return the session's value after an answer; None if the test is over."""
        if not judgment.right or self.last:
            return None
        return {"tier": self.tier, "asked": [*self._asked, _another(self.tier, self._asked)]}


def candidates(tier: int) -> list[str]:
    """Return the techniques of a tier that a test can ask for."""
    return [key for key in path.keys_of(tier) if key in engine.TECHNIQUES]


def length(tier: int) -> int:
    """Return the number of positions in the test of a tier."""
    keys = candidates(tier)
    return max(min(FEWEST, len(keys)), len(set(map(_family, keys))))


def at(tier: int, stored: object) -> TierTest:
    """Return the test that is under way, or a new one. NotFound for an unknown tier."""
    if not candidates(tier):
        raise NotFound(_("There’s no such test. Pick a path and test out of that one."))
    match stored:
        case {"tier": int(of), "asked": [*asked]} if of == tier and asked:
            known = [key for key in asked if key in engine.TECHNIQUES]
            if known == asked:
                return TierTest(tier, known)
    return TierTest(tier, [_another(tier, [])])


def _family(key: str) -> Family:
    return engine.TECHNIQUES[key].family


def _another(tier: int, asked: list[str]) -> str:
    """A technique that was not asked for, of a family that was not while there is one."""
    left = [key for key in candidates(tier) if key not in asked]
    SystemRandom().shuffle(left)
    met = set(map(_family, asked))
    left.sort(key=lambda key: _family(key) in met)
    return next((key for key in left if store.lesson(key).exercise is not None), left[0])
