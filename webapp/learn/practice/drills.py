"""Drills: give a player a position, take the answer once, and let it count. Owns its transactions.

A drill is known by an id that says nothing of its position, and until it is answered its page holds nothing
that tells a position with the technique from one without.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from functools import lru_cache
from typing import Final

import sqlalchemy as sa
from fsrs import Rating

import engine
from webapp.identity import players
from webapp.learn import marks as marking
from webapp.learn.exercises import judging, store
from webapp.learn.exercises.posed import Posed
from webapp.learn.marks import Marks
from webapp.learn.practice import cards, stock
from webapp.learn.practice.schedule import Kind
from webapp.models import Drill, Player
from webapp.process.database import db, write_tx
from webapp.process.errors import BadInput, NotFound
from webapp.process.words import current_locale
from webapp.process.words import gettext as _

MOST_TOLD: Final = 4  # wrong marks that are explained
PUBLIC_KEY = re.compile(r"[\w-]{22}", re.ASCII)


class Outcome(StrEnum):
    """How a drill ended."""

    RIGHT = "right"
    PARTLY = "partly"  # nothing wrong, but not all there is
    WRONG = "wrong"
    SHOWN = "shown"  # the player asked for the answer


# What an answer is worth. A right yes or no is not counted, since half of all guesses are right.
RATINGS: Final = {
    (Kind.FIND, Outcome.RIGHT): Rating.Good,
    (Kind.FIND, Outcome.PARTLY): Rating.Hard,
    (Kind.FIND, Outcome.WRONG): Rating.Again,
    (Kind.FIND, Outcome.SHOWN): Rating.Again,
    (Kind.THERE, Outcome.WRONG): Rating.Again,
    (Kind.THERE, Outcome.SHOWN): Rating.Again,
}


@dataclass(frozen=True, slots=True)
class Reply:
    """What a player answers: marks, or whether the technique is there; neither asks to be shown."""

    marks: Marks | None = None
    there: bool | None = None

    def text(self) -> str:
        """The JSON that is stored."""
        return json.dumps({"marks": None if self.marks is None else str(self.marks), "there": self.there})

    @staticmethod
    def read(text: str | None, position: engine.Position) -> Reply:
        """Read what `text()` has written, for a drill on this position."""
        fields = json.loads(text) if text else {}
        line = fields.get("marks")
        return Reply(None if line is None else marking.read(line, position), fields.get("there"))


def player_for(player_id: int | None, now: datetime) -> int:
    """Inside `write_tx()`: return the player's id; creates a guest if there is none yet."""
    if player_id is not None and db.session.get(Player, player_id, with_for_update=True) is not None:
        return player_id  # locked: of two concurrent requests the second sees what the first opened
    player = players.new_guest(now)
    db.session.flush()
    return player.id


def begin(player_id: int | None, technique: str, kind: Kind, now: datetime) -> Drill:
    """Give a player a drill outside of any session; creates a guest if there is no player yet.

    Raises NotFound for what has no drills, and NotReady while there are none yet.
    """
    with write_tx():
        return given(player_for(player_id, now), technique, kind, now)


def given(player_id: int, technique: str, kind: Kind, now: datetime, session_id: int | None = None) -> Drill:
    """Inside `write_tx()`: return the player's open drill of this technique and kind, or a new one."""
    drill = open_one(player_id, technique, kind)
    if drill is None:
        exercise_id = stock.draw(player_id, technique, kind)
        drill = Drill(
            player_id=player_id, exercise_id=exercise_id, technique=technique, kind=kind, drawn_at=now
        )
        db.session.add(drill)
    drill.session_id = session_id
    return drill


def open_one(player_id: int | None, technique: str, kind: Kind) -> Drill | None:
    """Return the player's unanswered drill of a technique and kind."""
    return db.session.scalar(
        sa.select(Drill).where(
            Drill.player_id == player_id,
            Drill.technique == technique,
            Drill.kind == kind,
            Drill.answered_at.is_(None),
        )
    )


def own(player_id: int | None, key: str, *, lock: bool = False) -> Drill:
    """Return a player's drill. Raises NotFound for a missing one or another player's."""
    query = sa.select(Drill).where(Drill.key == key, Drill.player_id == player_id)
    known = PUBLIC_KEY.fullmatch(key) and player_id is not None
    drill = db.session.scalar(query.with_for_update() if lock else query) if known else None
    if drill is None:
        raise NotFound(_("We couldn’t find that drill."))
    return drill


def answer(player_id: int | None, key: str, reply: Reply, now: datetime) -> Drill:
    """Store the answer to a drill and review its card; the first answer counts, any other changes nothing.

    Raises NotFound, and BadInput for an answer to the other kind of drill.
    """
    outcome = judged(own(player_id, key), reply)
    with write_tx():
        drill = own(player_id, key, lock=True)
        if drill.answered_at is None:
            drill.answered_at, drill.outcome, drill.answer = now, outcome, reply.text()
            rating = RATINGS.get((Kind(drill.kind), outcome))
            if rating is not None:
                cards.review(drill.player_id, drill.technique, rating, now)
        return drill


def posed(drill: Drill) -> Posed:
    """Return the exercise of a drill."""
    return store.exercise(drill.exercise_id)


def judged(drill: Drill, reply: Reply) -> Outcome:
    """Return what a reply to this drill comes to. Raises BadInput where nothing is marked."""
    if reply == Reply():
        return Outcome.SHOWN
    if drill.kind == Kind.THERE:
        return Outcome.RIGHT if reply.there == posed(drill).there else Outcome.WRONG
    if not reply.marks:
        raise BadInput(marks=_("Mark something on the board first."))
    found = _judgment(drill, reply.marks)
    if found.wrong:
        return Outcome.WRONG
    return Outcome.RIGHT if found.right else Outcome.PARTLY


def told(drill: Drill, reply: Reply) -> list[str]:
    """Return what is to be said of an answer, in whole sentences."""
    if drill.kind == Kind.THERE:
        there = posed(drill).there
        said = not there if reply.there is None else reply.there
        return [judging.judge_presence(drill.technique, said, there, posed(drill).spoiling).text]
    if not reply.marks:
        return []
    found = _judgment(drill, reply.marks)
    return [found.text, *(wrong.text for wrong in found.wrong[:MOST_TOLD])]


def step_of(drill: Drill, reply: Reply) -> engine.Step | None:
    """Return the step to explain, the one nearest to the player's marks; None where there is none."""
    return _judgment(drill, reply.marks or Marks()).step


def _judgment(drill: Drill, marks: Marks) -> judging.Judgment:
    return judgment(posed(drill), marks, current_locale())


@lru_cache(maxsize=32)  # one answer asks three times: for its outcome, its words and its step
def judgment(exercise: Posed, marks: Marks, _language: str) -> judging.Judgment:
    """Judge marks on an exercise, in the language of this request, which is the one that is named."""
    return judging.judge(
        exercise.position, exercise.technique, marks.placements, marks.eliminations, exercise.effects
    )
