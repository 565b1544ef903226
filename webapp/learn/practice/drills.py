"""Drills: give a player a position, and accept one answer. Owns its transactions.

A drill's id reveals nothing about its position. Until it is answered, its page contains nothing that tells a
position with the technique from one without.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from functools import lru_cache
from typing import Final

import sqlalchemy as sa
from fsrs import Rating

import engine
from webapp.game.steps import technique_name
from webapp.identity import players
from webapp.learn import marks as marking
from webapp.learn.exercises import judging, store
from webapp.learn.exercises.posed import Posed
from webapp.learn.lessons import path as learning
from webapp.learn.marks import Marks
from webapp.learn.practice import cards, stock
from webapp.learn.practice.schedule import Kind
from webapp.models import Drill, Player
from webapp.models.attempt import PUBLIC_ID
from webapp.process.database import db, write_tx
from webapp.process.errors import BadInput, NotFound
from webapp.process.words import current_locale
from webapp.process.words import gettext as _

MOST_EXPLAINED: Final = 4  # explained wrong marks


class Outcome(StrEnum):
    """How a drill ended."""

    RIGHT = "right"
    PARTLY = "partly"  # nothing wrong, but incomplete
    OTHER = "other"  # a whole step of another technique, where none was named
    WRONG = "wrong"
    SHOWN = "shown"  # the player asked for the answer


# Reviews by outcome. A correct yes or no doesn't count, since half of all guesses are correct.
RATINGS: Final = {
    **{
        (kind, outcome): rating
        for kind in (Kind.FIND, Kind.NEXT)
        for outcome, rating in (
            (Outcome.RIGHT, Rating.Good),
            (Outcome.PARTLY, Rating.Hard),
            (Outcome.WRONG, Rating.Again),
            (Outcome.SHOWN, Rating.Again),
        )
    },
    (Kind.THERE, Outcome.WRONG): Rating.Again,
    (Kind.THERE, Outcome.SHOWN): Rating.Again,
}


@dataclass(frozen=True, slots=True)
class Reply:
    """A player's answer: marks, or whether the technique is there; neither asks for the solution."""

    marks: Marks | None = None
    there: bool | None = None

    def text(self) -> str:
        """Return the stored JSON."""
        return json.dumps({"marks": None if self.marks is None else str(self.marks), "there": self.there})

    @staticmethod
    def read(text: str | None, position: engine.Position) -> Reply:
        """Parse the JSON of `text()`, for a drill on this position."""
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

    Raises NotFound for a technique or kind without drills, and NotReady while there are none yet.
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
    known = PUBLIC_ID.fullmatch(key) and player_id is not None
    drill = db.session.scalar(query.with_for_update() if lock else query) if known else None
    if drill is None:
        raise NotFound(_("We couldn’t find that drill."))
    return drill


def answer(player_id: int | None, key: str, reply: Reply, now: datetime) -> Drill:
    """Store the answer to a drill and review its card; later answers change nothing.

    First marks that are not all right leave it open for a second try, which counts as found with difficulty.
    Raises NotFound, and BadInput for an answer to the other kind of drill.
    """
    outcome = judged(own(player_id, key), reply)
    with write_tx():
        drill = own(player_id, key, lock=True)
        if drill.answered_at is None:
            again, drill.answer = drill.answer is not None, reply.text()
            if reply.marks and not again and outcome in (Outcome.PARTLY, Outcome.WRONG):
                return drill
            drill.answered_at, drill.outcome = now, outcome
            rating = RATINGS.get((Kind(drill.kind), outcome))
            if rating is not None:
                rating = Rating.Hard if again and rating is Rating.Good else rating
                cards.review(drill.player_id, drill.technique, rating, now)
        return drill


def posed(drill: Drill) -> Posed:
    """Return the exercise of a drill."""
    return store.exercise(drill.exercise_id)


def judged(drill: Drill, reply: Reply) -> Outcome:
    """Return the assessment of an answer to this drill. Raises BadInput if nothing is marked."""
    if reply == Reply():
        return Outcome.SHOWN
    if drill.kind == Kind.THERE:
        return Outcome.RIGHT if reply.there == posed(drill).there else Outcome.WRONG
    if not reply.marks:
        raise BadInput(marks=_("Mark something on the board first."))
    found = _judgment(drill, reply.marks)
    if found.wrong:
        return Outcome.WRONG
    if found.technique != drill.technique:
        return Outcome.OTHER
    return Outcome.RIGHT if found.right else Outcome.PARTLY


def feedback(drill: Drill, reply: Reply) -> list[str]:
    """Return the feedback on an answer, in whole sentences."""
    if drill.kind == Kind.THERE:
        there = posed(drill).there
        said = not there if reply.there is None else reply.there
        return [judging.judge_presence(drill.technique, said, there, posed(drill).spoiling)]
    if not reply.marks:
        return []
    found = _judgment(drill, reply.marks)
    lines = [found.text, *(wrong.text for wrong in found.wrong[:MOST_EXPLAINED])]
    if drill.answered_at is None and drill.kind == Kind.NEXT:  # what is asked stays hidden
        return [line for line in lines if technique_name(drill.technique) not in line]
    return lines


def step_of(drill: Drill, reply: Reply) -> engine.Step | None:
    """Return the step to explain, the one nearest to the player's marks; None if there is none."""
    return _judgment(drill, reply.marks or Marks()).step


def _judgment(drill: Drill, marks: Marks) -> judging.Judgment:
    return judgment(posed(drill), marks, drill.kind == Kind.NEXT, current_locale())


@lru_cache(maxsize=32)  # one answer asks three times: for its outcome, its words and its step
def judgment(exercise: Posed, marks: Marks, unnamed: bool, _language: str) -> judging.Judgment:
    """Check marks on an exercise, in the language of this request, which is the one that is named.

    unnamed: whether every technique of the path up to this one's tier is right, too.
    """
    tier = learning.tier_of(exercise.technique)
    others = [key for key in learning.order() if key in engine.TECHNIQUES and learning.tier_of(key) <= tier]
    return judging.judge_any(
        *(exercise.position, exercise.technique, others if unnamed else ()),
        *(marks.placements, marks.eliminations, exercise.effects),
    )
