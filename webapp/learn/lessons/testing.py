"""The test of a tier: a few positions of its techniques, all to be judged right one after the other.

Where it has got to is in the signed session, so that it takes no row: it earns nothing but the state of
one's own lessons.
"""

from __future__ import annotations

from random import SystemRandom
from typing import Any, Final

import engine
from webapp.game.steps import technique_name
from webapp.learn.board import MarkingBoard
from webapp.learn.exercises import judging, store
from webapp.learn.exercises.judging import Judgment
from webapp.learn.lessons import path
from webapp.learn.marks import Marks
from webapp.process.errors import NotFound
from webapp.process.words import gettext as _
from webapp.web.i18n import level_name

LENGTH: Final = 3  # positions of a test; a tier with fewer techniques asks for each of them
UNTESTED: Final = frozenset({"trial", "brute_force"})  # no pattern to be found


class TierTest:
    """One position of a test under way."""

    def __init__(self, tier: int, asked: list[str]) -> None:
        """asked: the techniques so far, the last of them the one to find now."""
        self.tier = tier
        self._asked = asked
        self.key = asked[-1]
        self.number = len(asked)
        self.name = technique_name(self.key)
        self.count = length(tier)
        found = store.lesson(self.key).exercise
        if found is None:
            raise NotFound(_("We’re still preparing this test. Check back soon."))
        self._posed = found
        self.position = found.position
        self.places = bool(found.steps[0].placements)
        self.board = MarkingBoard(self.position)

    @property
    def tier_name(self) -> str:
        return level_name(self.tier)

    @property
    def last(self) -> bool:
        """Whether nothing comes after it."""
        return self.number == self.count

    @property
    def stored(self) -> dict[str, Any]:
        """What the session keeps."""
        return {"tier": self.tier, "asked": self._asked}

    def judge(self, given: Marks) -> Judgment:
        """Judge marks on this position."""
        return judging.judge(
            self.position, self.key, given.placements, given.eliminations, self._posed.effects
        )

    def following(self, judgment: Judgment) -> dict[str, Any] | None:
        """What the session keeps after an answer that was right or wrong; None where the test is over."""
        if not judgment.right or self.last:
            return None
        return {"tier": self.tier, "asked": [*self._asked, _another(self.tier, self._asked)]}


def candidates(tier: int) -> list[str]:
    """The techniques of a tier that a test can ask for."""
    return [key for key in path.keys_of(tier) if key not in UNTESTED]


def length(tier: int) -> int:
    """How many positions the test of a tier has."""
    return min(LENGTH, len(candidates(tier)))


def at(tier: int, stored: object) -> TierTest:
    """The test that is under way, or a new one. NotFound for a number that is no tier."""
    if not candidates(tier):
        raise NotFound(_("There are five tiers, 1 to 5."))
    match stored:
        case {"tier": int(of), "asked": [*asked]} if of == tier and asked:
            known = [key for key in asked if key in engine.TECHNIQUES]
            if known == asked:
                return TierTest(tier, known)
    return TierTest(tier, [_another(tier, [])])


def _another(tier: int, asked: list[str]) -> str:
    left = [key for key in candidates(tier) if key not in asked]
    SystemRandom().shuffle(left)
    return next((key for key in left if store.lesson(key).exercise is not None), left[0])
