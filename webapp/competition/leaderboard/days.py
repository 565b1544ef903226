"""Leaderboards of a day: pages of times, with ranks. The same second shares a rank."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Any

import sqlalchemy as sa

from webapp.competition.leaderboard import distribution, places
from webapp.competition.leaderboard.places import ATTEMPT, ORDER, Place
from webapp.competition.leaderboard.rows import PAGE, Cursor, LeaderboardPage, Row, cut, is_number, names
from webapp.competition.ranking import counts
from webapp.models import Daily, Leaderboard, TimeCount
from webapp.models.attempt import PUBLIC_ID
from webapp.process.database import db

COUNT = TimeCount.__table__


def day_key(text: str) -> tuple[int, datetime, str] | None:
    """Parse the key of a row of a day's leaderboard; None if invalid."""
    ms, _, rest = text.partition(".")
    micros, _, attempt_id = rest.partition(".")
    if not (is_number(ms) and is_number(micros) and PUBLIC_ID.fullmatch(attempt_id)):
        return None
    return int(ms), datetime.fromtimestamp(0, UTC) + timedelta(microseconds=int(micros)), attempt_id


def _day_key(row: Any) -> str:
    micros = (row.finished_at - datetime.fromtimestamp(0, UTC)) // timedelta(microseconds=1)
    return f"{row.board_ms}.{micros}.{row.id}"


_ROWS = sa.select(*ORDER, ATTEMPT.c.player_id).where(
    ATTEMPT.c.daily_id == sa.bindparam("daily"), ATTEMPT.c.board == sa.bindparam("on_board")
)


def page_of_day(after: Cursor | None) -> sa.Select[Any]:
    """The keys of one page plus one row; parameters `daily` and `on_board`."""
    query = _ROWS.limit(PAGE + 1)
    if after is None:
        return query.order_by(*ORDER)
    key = sa.tuple_(*(sa.literal(value, column.type) for value, column in zip(after.key, ORDER, strict=True)))
    if after.backwards:
        return query.where(sa.tuple_(*ORDER) < key).order_by(*(column.desc() for column in ORDER))
    return query.where(sa.tuple_(*ORDER) > key).order_by(*ORDER)


def day(
    daily_id: int,
    board: Leaderboard,
    player_id: int | None,
    at: Cursor | None = None,
    *,
    established: bool = False,
    closed: bool = False,
) -> DayPage:
    """Return a page of a daily's leaderboard, by default the first, and the state of the player's solve.

    established: without provisional times, which are otherwise listed too.
    closed: whether the daily is closed, so that replays can be watched.
    """
    key = {"daily": daily_id, "on_board": board}
    found, trials = _found(key, at, provisional=not established)
    rows, before, after = cut(found, at, _day_key)
    own = mine = None
    if player_id is not None:
        own = places.ranked(player_id, daily_id)
        if own is not None and (own.board == board or own.id in trials):
            mine = own
        elif board != Leaderboard.DAY:  # the leaderboard of ranked solves
            mine = db.session.execute(own_row(player_id, daily_id, board)).first()
    tally = _tally(key, [row.board_ms // 1000 for row in rows], mine.board_ms // 1000 if mine else None)
    listed = [*rows, *([mine] if mine else [])]
    named = names([row.player_id for row in listed])
    shown: set[str] = set()
    offered = None
    if closed and board == Leaderboard.DAY and rows:
        shown = set(db.session.scalars(_SHOWN, {"ids": [row.id for row in listed]}))
        offered = _fastest_shown(daily_id)

    def line(row: Any) -> Row:
        around = tally.around(row.board_ms // 1000)
        new = row.id in trials
        return Row(
            None if new else around.rank,
            not new and around.same > 1,
            named[row.player_id],
            row.player_id == player_id,
            elapsed_ms=row.board_ms,
            finished_at=row.finished_at,
            provisional=new,
            replay=row.id if row.id in shown else None,
        )

    page = LeaderboardPage(
        [line(row) for row in rows], tally.total, line(mine) if mine else None, before, after
    )
    place = None
    if own is not None:
        ranked_here = own is mine and own.board == board
        place = places.place_of(own, tally.around(own.board_ms // 1000) if ranked_here else None)
    return DayPage(page, tally.steps, place, offered)


def first_three(daily_id: int) -> list[Row]:
    """Return the first three ranked solves of a daily."""
    found = db.session.execute(
        _ROWS.order_by(*ORDER).limit(3), {"daily": daily_id, "on_board": Leaderboard.DAY}
    ).all()
    named = names([row.player_id for row in found])
    seconds = [row.board_ms // 1000 for row in found]
    return [
        Row(
            seconds.index(second) + 1,
            seconds.count(second) > 1,
            named[row.player_id],
            mine=False,  # a page marks one row as the reader's own
            elapsed_ms=row.board_ms,
        )
        for row, second in zip(found, seconds, strict=True)
    ]


def _found(key: dict[str, Any], at: Cursor | None, *, provisional: bool) -> tuple[list[Any], set[str]]:
    """Select the keys of one page plus one row, and the ids of the provisional times among them."""
    found = list(db.session.execute(page_of_day(at), key).all())
    if key["on_board"] != Leaderboard.DAY or not provisional:
        return found, set()
    below_podium = page_of_day(at).where(ATTEMPT.c.board_ms > places.podium(key["daily"]))
    new = db.session.execute(below_podium, key | {"on_board": Leaderboard.TRIAL}).all()
    backwards = at is not None and at.backwards
    together = sorted([*found, *new], key=lambda row: tuple(row)[:3], reverse=backwards)
    return together[: PAGE + 1], {row.id for row in new}


def _fastest_shown(daily_id: int) -> Replay | None:
    first = db.session.execute(_FASTEST_SHOWN, {"daily": daily_id}).first()
    if first is None:
        return None
    return Replay(first.id, counts.around(daily_id, Leaderboard.DAY, first.board_ms // 1000).rank)


@dataclass(frozen=True, slots=True)
class DayPage:
    """A page of a day's leaderboard with its distribution and the state of the player's ranked solve."""

    page: LeaderboardPage
    steps: dict[int, int]  # solves by the second at which their bar begins
    place: Place | None
    replay: Replay | None = None  # the replay offered first


@dataclass(frozen=True, slots=True)
class Replay:
    """The fastest solve of a closed daily whose player shares it."""

    attempt_id: str
    rank: int


_SHOWN = sa.select(ATTEMPT.c.id).where(
    ATTEMPT.c.id.in_(sa.bindparam("ids", expanding=True)), ATTEMPT.c.replay_shown
)
_FASTEST_SHOWN = (
    sa.select(ATTEMPT.c.id, ATTEMPT.c.board_ms)
    .where(
        ATTEMPT.c.daily_id == sa.bindparam("daily"),
        ATTEMPT.c.board == Leaderboard.DAY,
        # A literal in the statement, so that the partial index applies.
        ATTEMPT.c.replay_shown == sa.true(),
    )
    .order_by(ATTEMPT.c.board_ms, ATTEMPT.c.finished_at)
    .limit(1)
)


def own_row(player_id: int, daily_id: int, board: Leaderboard) -> sa.Select[Any]:
    """Return the key of a player's row on a leaderboard."""
    # Adding 0 makes SQLite use the index on the player's attempts instead of reading the whole leaderboard.
    return sa.select(*ORDER, ATTEMPT.c.player_id).where(
        ATTEMPT.c.player_id == player_id, ATTEMPT.c.daily_id + 0 == daily_id, ATTEMPT.c.board == board
    )


STEP = distribution.STEPS[0]
_ON_BOARD = sa.and_(
    COUNT.c.daily_id == sa.bindparam("daily", type_=sa.Integer),
    COUNT.c.board == sa.bindparam("on_board", type_=sa.String),
)
_BEGIN = (COUNT.c.second - COUNT.c.second % sa.literal_column(str(STEP))).label("begin")
_STEPS = sa.select(_BEGIN, sa.func.sum(COUNT.c.solves)).where(_ON_BOARD).group_by(_BEGIN).order_by(_BEGIN)
_SECONDS = (
    sa.select(COUNT.c.second, COUNT.c.solves)
    .where(
        _ON_BOARD,
        sa.or_(
            COUNT.c.second.between(sa.bindparam("first"), sa.bindparam("last")),
            COUNT.c.second.between(sa.bindparam("own_first"), sa.bindparam("own_last")),
        ),
    )
    .order_by(COUNT.c.second)
)


@dataclass(frozen=True, slots=True)
class _Tally:
    """The number of solves on a leaderboard, by bar and, where ranks are needed, by second."""

    steps: dict[int, int]
    ahead: dict[int, int]  # bar -> solves in the bars before it
    seconds: dict[int, int]

    @property
    def total(self) -> int:
        return sum(self.steps.values())

    def around(self, second: int) -> counts.Counts:
        begin = second - second % STEP
        faster = self.ahead.get(begin, 0) + sum(
            self.seconds.get(earlier, 0) for earlier in range(begin, second)
        )
        return counts.Counts(self.total, faster, self.seconds.get(second, 1))


def steps(daily_id: int, board: Leaderboard) -> dict[int, int]:
    """Count the solves of a leaderboard by the second at which their bar begins."""
    found = db.session.execute(_STEPS, {"daily": daily_id, "on_board": board})
    return {begin: int(solves) for begin, solves in found}


def _tally(key: dict[str, Any], seconds: Sequence[int], own: int | None) -> _Tally:
    """Load the counts needed to rank these seconds and the player's own, in two statements."""
    by_step = steps(key["daily"], key["on_board"])
    ahead, before = {}, 0
    for begin, solves in by_step.items():
        ahead[begin], before = before, before + solves
    first, last = (min(seconds), max(seconds)) if seconds else (0, -1)
    own_first, own_last = (own, own) if own is not None else (0, -1)
    spans = {
        "first": first - first % STEP,
        "last": last,
        "own_first": own_first - own_first % STEP,
        "own_last": own_last,
    }
    found = db.session.execute(_SECONDS, key | spans).all() if by_step else ()
    return _Tally(by_step, ahead, {row.second: row.solves for row in found})


def daily(day: date, level: int) -> Daily | None:
    """Return the daily of a day and level."""
    return db.session.scalar(sa.select(Daily).where(Daily.date == day, Daily.level == level))
