"""A player's cards: read, review, and move to another account. The schedule itself is in schedule.py."""

from __future__ import annotations

from datetime import UTC, datetime, tzinfo
from zoneinfo import ZoneInfo

import sqlalchemy as sa
from fsrs import Card, Rating
from fsrs import State as Phase

from webapp.learn.practice import schedule
from webapp.learn.state import State
from webapp.models import Drill, Player, PracticeCard, PracticeSession
from webapp.process.database import db


def of_player(player_id: int | None) -> dict[str, Card]:
    """Return a player's cards by technique."""
    if player_id is None:
        return {}
    rows = db.session.scalars(sa.select(PracticeCard).where(PracticeCard.player_id == player_id))
    return {row.technique: _card(row) for row in rows}


def states(player_id: int | None) -> dict[str, State]:
    """Return the state of every technique that a player has practiced: PRACTICED or MASTERED."""
    return {key: schedule.state_of(card) for key, card in of_player(player_id).items()}


def due(player_id: int | None, now: datetime) -> list[str]:
    """Return the techniques that a player has to repeat today, the most urgent first."""
    held = of_player(player_id)
    return schedule.due(held, now, zone_of(player_id)) if held else []


def zone_of(player_id: int | None) -> tzinfo:
    """Return a player's chosen time zone, else UTC."""
    query = sa.select(Player.time_zone).where(Player.id == player_id)
    name = db.session.scalar(query) if player_id is not None else None
    return ZoneInfo(name) if name is not None else UTC


def review(player_id: int, technique: str, rating: Rating, now: datetime) -> Card:
    """Inside `write_tx()`: review a card, the first time a new one, and return it."""
    row = db.session.get(PracticeCard, (player_id, technique), with_for_update=True)
    card = schedule.reviewed(None if row is None else _card(row), rating, now)
    assert card.stability is not None and card.difficulty is not None, "every review sets both"
    if row is None:
        row = PracticeCard(player_id=player_id, technique=technique)
        db.session.add(row)
    row.phase, row.step = card.state, card.step
    row.stability, row.difficulty = card.stability, card.difficulty
    row.due_at, row.reviewed_at = card.due, now
    return card


def _card(row: PracticeCard) -> Card:
    return Card(
        card_id=0,  # avoids the library's delay of a millisecond to invent one
        state=Phase(row.phase),
        step=row.step,
        stability=row.stability,
        difficulty=row.difficulty,
        due=row.due_at,
        last_review=row.reviewed_at,
    )


def merge(guest_id: int, into_id: int) -> None:
    """Inside `write_tx()`: move a guest's practice to an account; of two cards the last reviewed stays.

    The guest's open drills and sessions stay open, since they are on screen; conflicting ones of the account
    end.
    """
    cards = sa.select(PracticeCard)
    own = {row.technique: row for row in db.session.scalars(cards.where(PracticeCard.player_id == into_id))}
    for row in db.session.scalars(cards.where(PracticeCard.player_id == guest_id)).all():
        held = own.get(row.technique)
        if held is None or held.reviewed_at < row.reviewed_at:
            values = {column.key: getattr(row, column.key) for column in PracticeCard.__table__.columns}
            db.session.merge(PracticeCard(**values | {"player_id": into_id}))
    guests = sa.select(PracticeSession.started_at).where(
        PracticeSession.player_id == guest_id, PracticeSession.ended_at.is_(None)
    )
    if (started_at := db.session.scalar(guests)) is not None:
        before = sa.update(PracticeSession).where(
            PracticeSession.player_id == into_id, PracticeSession.ended_at.is_(None)
        )
        db.session.execute(before.values(ended_at=started_at))
    again = sa.select(Drill.technique, Drill.kind).where(
        Drill.player_id == guest_id, Drill.answered_at.is_(None)
    )
    for technique, kind in db.session.execute(again).all():
        db.session.execute(
            sa.delete(Drill).where(
                Drill.player_id == into_id,
                Drill.technique == technique,
                Drill.kind == kind,
                Drill.answered_at.is_(None),
            )
        )
    for table in (PracticeSession, Drill):
        db.session.execute(sa.update(table).where(table.player_id == guest_id).values(player_id=into_id))
