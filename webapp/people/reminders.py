"""Daily reminders by mail, for players who asked for them and have confirmed an address.

At most one a day, at an hour in the player's time zone, and only if they haven't solved one of today's
dailies. A mail is claimed before it is sent: one that the mail server refuses is lost, and none is sent
twice.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime
from functools import cache
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError, available_timezones

import sqlalchemy as sa
from itsdangerous import BadData, URLSafeSerializer

from webapp.competition.daily.dailies import today
from webapp.identity.keys import signing
from webapp.models import Attempt, Daily, Player
from webapp.process.database import db, rows_changed, write_tx
from webapp.process.errors import BadInput, NotFound
from webapp.process.words import gettext as _

HOURS = range(24)
_AREAS = ("Africa", "America", "Antarctica", "Asia", "Atlantic", "Australia", "Europe", "Indian", "Pacific")


@dataclass(frozen=True, slots=True)
class Reminder:
    """A mail to send."""

    to: str
    name: str
    token: str  # ends the reminders of this player
    language: str | None  # the player's, if chosen


@cache
def zones() -> tuple[str, ...]:
    """Return the time zones a player can choose from: UTC, then places by name."""
    return ("UTC", *sorted(name for name in available_timezones() if name.partition("/")[0] in _AREAS))


def set_reminder(player_id: int, hour: int | None, zone: str, now: datetime) -> None:
    """Remind a player at this hour, starting with its next occurrence; None: never. Raises BadInput."""
    if hour is not None and hour not in HOURS:
        raise BadInput(hour=_("Choose an hour from the list."))
    if zone not in zones():
        raise BadInput(zone=_("Choose a time zone from the list."))
    local = now.astimezone(ZoneInfo(zone))
    with write_tx():
        player = db.session.get_one(Player, player_id, with_for_update=True)
        if hour is not None and player.email is None:
            raise BadInput(hour=_("Confirm an email address first."))
        player.reminder_hour, player.time_zone = hour, zone
        passed = hour is not None and local.hour >= hour
        player.reminded_on = local.date() if passed else None


def due(now: datetime) -> Iterator[Reminder]:
    """Claim and yield due reminders; each is claimed for this day before it is yielded.

    A player who has solved a daily by their hour is claimed too: new dailies open later in most players' day,
    and must not trigger a mail at another hour.
    """
    asked = sa.select(
        *(Player.id, Player.key, Player.name, Player.email, Player.reminder_hour, Player.time_zone),
        *(Player.reminded_on, Player.language),
        _solved(today(now)).label("solved"),
    ).where(Player.reminder_hour.is_not(None), Player.email.is_not(None))
    for row in db.session.execute(asked.order_by(Player.id)).all():
        local = now.astimezone(_zone(row.time_zone))
        day = local.date()
        if local.hour < row.reminder_hour or (row.reminded_on is not None and row.reminded_on >= day):
            continue
        if _claim(row.id, day) and not row.solved:
            yield Reminder(row.email, row.name, _serializer().dumps(row.key), row.language)


def _zone(name: str) -> ZoneInfo:
    """Return the zone; UTC for one unknown to this machine, so that other players get their mail."""
    try:
        return ZoneInfo(name)
    except ZoneInfoNotFoundError:
        return ZoneInfo("UTC")


def _solved(day: date) -> sa.ColumnElement[bool]:
    return sa.exists().where(
        Attempt.player_id == Player.id,
        Attempt.finished_at.is_not(None),
        Attempt.daily_id.in_(sa.select(Daily.id).where(Daily.date == day)),
    )


def _claim(player_id: int, day: date) -> bool:
    """Claim a player's day; False if a reminder was sent or another worker is sending it."""
    unsent = sa.or_(Player.reminded_on.is_(None), Player.reminded_on < day)
    claim = sa.update(Player).where(Player.id == player_id, Player.reminder_hour.is_not(None), unsent)
    with write_tx():
        return rows_changed(claim.values(reminded_on=day)) == 1


def whose(token: str) -> Player:
    """Return the player whose reminders this token ends. Raises NotFound."""
    try:
        key = _serializer().loads(token)
    except BadData:
        key = None
    player = db.session.scalar(sa.select(Player).where(Player.key == key)) if isinstance(key, str) else None
    if player is None:
        raise NotFound(_("That link doesn’t work. You can turn reminders off in your account."))
    return player


def stop(token: str) -> None:
    """End the reminders of the token's player; idempotent. Raises NotFound."""
    player_id = whose(token).id
    with write_tx():
        db.session.execute(sa.update(Player).where(Player.id == player_id).values(reminder_hour=None))


def _serializer() -> URLSafeSerializer:
    return signing.serializer("reminder")
