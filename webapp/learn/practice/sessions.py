"""Sessions: five minutes of drills chosen by what is due, and their results. Owns its transactions."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

import sqlalchemy as sa

from webapp.learn.practice import cards, drills, schedule, stock
from webapp.learn.practice.drills import Outcome
from webapp.learn.practice.schedule import Kind
from webapp.learn.state import State
from webapp.models import Drill, PracticeSession
from webapp.models.attempt import PUBLIC_ID
from webapp.process.database import db, write_tx
from webapp.process.errors import NotFound, NotReady
from webapp.process.words import gettext as _

LASTS: Final = timedelta(minutes=5)


@dataclass(frozen=True, slots=True)
class Learned:
    """The result of a session for one technique."""

    technique: str
    right: int
    asked: int
    state: State
    days: int | None  # until it is due; None without a card


def start(player_id: int | None, now: datetime) -> Drill:
    """Return the current drill of the session under way, or the first of a new one.

    Creates a guest if there is no player yet. Raises NotReady while there are no drills.
    """
    with write_tx():
        player_id = drills.player_for(player_id, now)
        session = under_way(player_id)
        if session is not None and now >= session.started_at + LASTS:
            session.ended_at = session.started_at + LASTS
            db.session.flush()
            session = None
        if session is None:
            session = PracticeSession(player_id=player_id, started_at=now)
            db.session.add(session)
            db.session.flush()
        return _next(session, now)


def go_on(player_id: int | None, key: str, now: datetime) -> Drill | None:
    """Return the next drill of a session; None once its time is up, which ends it. Raises NotFound."""
    with write_tx():
        session = own(player_id, key, lock=True)
        if session.ended_at is None and now < session.started_at + LASTS:
            return _next(session, now)
        session.ended_at = session.ended_at or now
        return None


def end(player_id: int | None, key: str, now: datetime) -> None:
    """End a session; does nothing to an ended one. Raises NotFound."""
    with write_tx():
        session = own(player_id, key, lock=True)
        session.ended_at = session.ended_at or now


def under_way(player_id: int | None) -> PracticeSession | None:
    """Return the player's open session."""
    return db.session.scalar(
        sa.select(PracticeSession).where(
            PracticeSession.player_id == player_id, PracticeSession.ended_at.is_(None)
        )
    )


def own(player_id: int | None, key: str, *, lock: bool = False) -> PracticeSession:
    """Return a player's session. Raises NotFound for a missing one or another player's."""
    query = sa.select(PracticeSession).where(
        PracticeSession.key == key, PracticeSession.player_id == player_id
    )
    known = PUBLIC_ID.fullmatch(key) and player_id is not None
    session = db.session.scalar(query.with_for_update() if lock else query) if known else None
    if session is None:
        raise NotFound(_("We couldn’t find that session."))
    return session


def _next(session: PracticeSession, now: datetime) -> Drill:
    asked = of_session(session.id)
    if asked and asked[-1].answered_at is None:
        return asked[-1]
    held, keys = cards.of_player(session.player_id), [drill.technique for drill in asked]
    key = schedule.choose(held, stock.path(session.player_id), keys, now, cards.zone_of(session.player_id))
    if key is None:
        raise NotReady(_("We’re still making drills. Try again in a few minutes."))
    kinds = [Kind(drill.kind) for drill in asked]
    kind = schedule.kind_for(held.get(key), kinds, met=key in keys)
    if kind is Kind.THERE and kind not in stock.kinds_of(key):  # some techniques have no near misses
        kind = schedule.kind_for(held.get(key), [kind], met=True)
    return drills.given(session.player_id, key, kind, now, session.id)


def of_session(session_id: int) -> list[Drill]:
    """Return the drills of a session in the order given."""
    query = sa.select(Drill).where(Drill.session_id == session_id).order_by(Drill.id)
    return list(db.session.scalars(query))


def learned(session: PracticeSession, now: datetime) -> list[Learned]:
    """Return the results of a session, in the order of its techniques."""
    held, zone = cards.of_player(session.player_id), cards.zone_of(session.player_id)
    answered = [drill for drill in of_session(session.id) if drill.answered_at is not None]
    found = []
    for key in dict.fromkeys(drill.technique for drill in answered):
        outcomes = [drill.outcome for drill in answered if drill.technique == key]
        card = held.get(key)
        state = State.SEEN if card is None else schedule.state_of(card)
        days = None if card is None else schedule.days_until(card, now, zone)
        right = outcomes.count(Outcome.RIGHT) + outcomes.count(Outcome.OTHER)
        found.append(Learned(key, right, len(outcomes), state, days))
    return found
