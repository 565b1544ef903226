"""Rows and pages of leaderboards.

A page is found by the key of the row before or after it, never by an offset, so the last page is as fast as
the first.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final
from zlib import crc32

import sqlalchemy as sa

from webapp.models import Listing, Player
from webapp.process.database import db

PAGE = 50
TINTS: Final = 6  # behind initials


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a leaderboard: a time, or points."""

    rank: int | None  # None for a time under review, or typed in one go
    name: str | None  # None for an anonymous player
    mine: bool
    elapsed_ms: int | None = None
    finished_at: datetime | None = None
    points: int | None = None
    solves: int | None = None
    public: bool = True  # whether the player's profile is public
    replay: str | None = None  # the attempt, if its player shares it and the daily has closed

    @property
    def tint(self) -> int:
        """Which of the tints stands behind the initials, from 1: always the same for a name."""
        return crc32((self.name or "").encode()) % TINTS + 1


@dataclass(frozen=True, slots=True)
class Ranks:
    """Where a second, or a number of points, stands on a list."""

    total: int
    better: int
    same: int

    @property
    def rank(self) -> int:
        """One more than the solves in fewer whole seconds, or the players with more points."""
        return self.better + 1


def counted(listed: sa.Select[Any], *parts: tuple[sa.ColumnElement[bool], ...]) -> list[Ranks]:
    """Count a list by one statement: all of it, and for each pair of conditions the better and the same."""
    counts = (sa.func.count().filter(part) for pair in parts for part in pair)
    total, *found = db.session.execute(listed.with_only_columns(sa.func.count(), *counts)).one()
    return [Ranks(total, better, same) for better, same in zip(found[::2], found[1::2], strict=True)]


def numbered(values: Sequence[int], first: Ranks) -> dict[int, int]:
    """Return the rank of each value of a page, best first. first: where its first value stands."""
    if not values:
        return {}
    # Those that share the first value may begin before the page.
    before = first.rank + first.same - values.count(values[0])
    return {value: before + values.index(value) for value in values} | {values[0]: first.rank}


@dataclass(frozen=True, slots=True)
class LeaderboardPage:
    """A page of a leaderboard, with the player's own row from any page."""

    rows: list[Row]
    total: int
    mine: Row | None
    before: str | None = None  # key for the page before this one
    after: str | None = None  # key for the next one
    ranks: Ranks | None = None  # where the player's own row stands


@dataclass(frozen=True, slots=True)
class Cursor:
    """The start of a page: right after this key, or right before it."""

    key: tuple[Any, ...]
    backwards: bool = False


def is_number(text: str) -> bool:
    """Whether a part of a key is a whole number that a database can hold."""
    return text.isascii() and text.isdigit() and len(text) <= 17


def paged(
    found: sa.Select[Any],
    order: Sequence[sa.ColumnElement[Any]],
    at: Cursor | None,
    *,
    most_first: bool = False,
) -> sa.Select[Any]:
    """Select a page in the order of these columns, plus one row: the first page, or that of a cursor."""
    falling = most_first != (at is not None and at.backwards)
    if at is not None:
        key = sa.tuple_(*(sa.literal(value, each.type) for value, each in zip(at.key, order, strict=True)))
        found = found.where(sa.tuple_(*order) < key if falling else sa.tuple_(*order) > key)
    return found.order_by(*(each.desc() if falling else each for each in order)).limit(PAGE + 1)


def cut(rows: Sequence[Any], at: Cursor | None, key: Any) -> tuple[list[Any], str | None, str | None]:
    """Return the rows of a page in order, and the keys of its neighbors, from the PAGE + 1 selected rows."""
    more, shown = len(rows) > PAGE, list(rows[:PAGE])
    if at is not None and at.backwards:
        shown.reverse()
        before, after = more, bool(shown)
    else:
        before, after = at is not None and bool(shown), more
    return shown, key(shown[0]) if before else None, key(shown[-1]) if after else None


_NAMES = sa.select(Player.id, Player.name, Player.listing).where(
    Player.id.in_(sa.bindparam("players", expanding=True))
)


def names(player_ids: Sequence[int]) -> dict[int, str | None]:
    """Return the names of players, None for anonymous ones."""
    if not player_ids:
        return {}
    return {
        player_id: None if listing == Listing.ANONYMOUS else name
        for player_id, name, listing in db.session.execute(_NAMES, {"players": sorted(set(player_ids))})
    }
