"""Players, identified by the key in their browser, and their rows in any table. Independent of requests."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any

import sqlalchemy as sa

from webapp.identity import costs, limits
from webapp.identity.names import LONGEST, fold
from webapp.models import Attempt, LessonProgress, Player, Role, SignIn
from webapp.process.database import Base, db, hold_lock, rows_changed, write_tx
from webapp.process.errors import BadInput, NotFound
from webapp.process.words import gettext as _

AT_ONCE = timedelta(seconds=2)  # within which a form can come twice: a double click, a try after a timeout
UNUSED = timedelta(days=30)  # after which a guest without a move is deleted

_PLAYER, _SIGN_IN = Player.__table__, SignIn.__table__
_OF_SESSION = sa.and_(_SIGN_IN.c.id == sa.bindparam("session"), _SIGN_IN.c.player_id == _PLAYER.c.id)
_WITH_KEY = (
    sa.select(
        _PLAYER.c.id,
        _PLAYER.c.key,
        _PLAYER.c.name,
        _PLAYER.c.epoch,
        _PLAYER.c.role,
        _SIGN_IN.c.created_at.label("signed_in_at"),
        _SIGN_IN.c.seen_at,
    )
    .select_from(_PLAYER.outerjoin(_SIGN_IN, _OF_SESSION))
    .where(_PLAYER.c.key == sa.bindparam("key"))
)


@dataclass(frozen=True, slots=True)
class Identity:
    """The fields of a player that every page needs."""

    id: int
    key: str
    name: str | None  # None for a guest
    epoch: int
    role: str | None = None  # a curator's role
    # The session's start; None if it isn't the player's or has ended.
    signed_in_at: datetime | None = None
    seen_at: datetime | None = None

    @property
    def curator(self) -> bool:
        """Whether they may use the desk."""
        return self.role is not None


def with_key(key: str, session: str = "") -> Identity | None:
    """Return the player with this key, or None; `session` is the browser's session id."""
    found = db.session.execute(_WITH_KEY, {"key": key, "session": session}).first()
    return Identity(*found) if found else None


def with_name(name: str) -> Player:
    """Return the player of a name, locked. Raises NotFound."""
    key = fold(name[: 10 * LONGEST])
    query = sa.select(Player).where(Player.name_key == key).with_for_update()
    player = db.session.scalar(query) if key else None
    if player is None:
        raise NotFound(_("No player is named %(name)s.", name=name))
    return player


@contextmanager
def one_at_a_time(player_id: int | None, now: datetime) -> Iterator[int | None]:
    """One write transaction beside which no other of this player runs; yields the player's id.

    None for a browser's first form. If it comes twice, the second finds the guest whom the first has made.
    """
    key = _newcomer()
    with write_tx():
        if player_id is not None:
            db.session.execute(sa.select(Player.id).where(Player.id == player_id).with_for_update())
        elif key is not None:
            hold_lock(int.from_bytes(hashlib.blake2b(key.encode(), digest_size=8).digest(), signed=True))
            just_come = Player.key == key, Player.name.is_(None), Player.created_at > now - AT_ONCE
            player_id = db.session.scalar(sa.select(Player.id).where(*just_come))
        yield player_id


def new_guest(now: datetime) -> Player:
    """Inside `write_tx()`: return the row of a new guest, added to the session. Raises TooMany."""
    costs.spend(limits.GUESTS)
    key = _newcomer()
    taken = key is None or db.session.scalar(sa.select(sa.exists().where(Player.key == key)))
    guest = Player(created_at=now) if taken else Player(created_at=now, key=key)
    db.session.add(guest)
    return guest


def _newcomer() -> str | None:
    asking = costs.payer()
    return None if asking is None else asking.newcomer


def fingerprint(player_key: str) -> str:
    """Return a digest of the key, for places where the key must not appear: a device's list of accounts."""
    return hashlib.blake2b(player_key.encode(), digest_size=8).hexdigest()


def forget_unused_guests(now: datetime) -> int:
    """Delete guests created UNUSED ago who have neither moved nor practiced. Returns how many."""
    played = sa.exists().where(
        Attempt.player_id == Player.id, sa.or_(Attempt.last_seq > 0, Attempt.started_at >= now - UNUSED)
    )
    learned = sa.exists().where(
        LessonProgress.player_id == Player.id,
        sa.or_(LessonProgress.practiced_at.is_not(None), LessonProgress.drills > 0),
    )
    unused = sa.delete(Player).where(
        Player.name.is_(None), Player.created_at < now - UNUSED, ~played, ~learned
    )
    with write_tx():
        return rows_changed(unused)


def speak(player_id: int, language: str | None) -> None:
    """Store the language that a player has chosen; None for their browser's."""
    with write_tx():
        db.session.execute(sa.update(Player).where(Player.id == player_id).values(language=language))


def refuse_names_of_accounts(name: str) -> None:
    """Raise BadInput if a group's or guest's name looks like the name of an account."""
    if db.session.scalar(sa.select(sa.exists().where(Player.name_key == fold(name)))):
        raise BadInput(name=_("That name, or one that looks like it, is taken. Try another."))


def any_moderators() -> bool:
    """Return whether the site has anybody who could review a solve: editors and reviewers can't."""
    moderators = Player.role.in_((Role.ADMINISTRATOR, Role.MODERATOR))
    return bool(db.session.scalar(sa.select(sa.exists().where(moderators))))


def player_column(table: sa.FromClause) -> sa.Column[int]:
    """Return the column of a table that refers to a player."""
    (found,) = (key.parent for key in table.foreign_keys if key.column is Player.__table__.c.id)
    return found


def rows_of(model: type[Base], player_id: int, *columns: str, **renamed: str) -> list[dict[str, Any]]:
    """Return these columns of a player's rows, ready for JSON and in the order of the primary key.

    renamed: the name in the export -> the column.
    """
    table = model.__table__
    chosen = [table.c[column].label(name) for name, column in ({c: c for c in columns} | renamed).items()]
    query = sa.select(*chosen).where(player_column(table) == player_id).order_by(*table.primary_key)
    return plain(db.session.execute(query))


def plain(rows: sa.Result[Any]) -> list[dict[str, Any]]:
    """Return rows as dictionaries of JSON values."""
    return [
        {name: value.isoformat() if isinstance(value, date) else value for name, value in row.items()}
        for row in rows.mappings()
    ]


def move_rows(model: type[Base], guest_id: int, into_id: int) -> None:
    """Move a guest's rows to an account, except where the account has a row with the same key."""
    table = model.__table__
    player, own = player_column(table), table.alias("own")
    same = [own.c[column.name] == column for column in table.primary_key if column is not player]
    moved = sa.update(table).where(player == guest_id)
    if player.primary_key:
        moved = moved.where(~sa.exists().where(own.c[player.name] == into_id, *same))
    db.session.execute(moved.values({player: into_id}))
