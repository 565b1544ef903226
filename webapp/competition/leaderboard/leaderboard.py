"""Leaderboards: pages for a day, a week and all time, and the place of one player.

Pages are found by the key of the row before or after them, never by counting rows, so the last page
is as fast as the first. A rank of a day is a sum over `TimeCount`. The same second, or the same points,
share a rank.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Any

import sqlalchemy as sa

from webapp.competition import ranking
from webapp.competition.first_meeting import PEEKED
from webapp.competition.leaderboard import distribution
from webapp.game import plausibility
from webapp.models import Attempt, Daily, Leaderboard, Listing, Player, PointCount, Scope, Score, TimeCount
from webapp.models.attempt import PUBLIC_ID
from webapp.models.daily import FIRST_DAY
from webapp.process.database import db

PAGE = 50
ATTEMPT = Attempt.__table__
COUNT = TimeCount.__table__
SCORE = Score.__table__
POINT_COUNT = PointCount.__table__


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a leaderboard: a time, or points."""

    rank: int | None  # None for a provisional time, which takes no rank from anybody
    tied: bool
    name: str | None  # None for a player who wants to stay anonymous
    mine: bool
    elapsed_ms: int | None = None
    finished_at: datetime | None = None
    points: float | None = None
    solves: int | None = None
    provisional: bool = False  # whether points may still change
    public: bool = True  # whether the player's profile is public
    replay: str | None = None  # the attempt, if its player shows it and the daily has closed


@dataclass(frozen=True, slots=True)
class LeaderboardPage:
    """A page of a leaderboard, with the player's own row from any page."""

    rows: list[Row]
    total: int
    mine: Row | None
    before: str | None = None  # key for the page before this one
    after: str | None = None  # key for the next one


@dataclass(frozen=True, slots=True)
class Cursor:
    """The start of a page: right after this key, or right before it."""

    key: tuple[Any, ...]
    backwards: bool = False


# Days


def day_key(text: str) -> tuple[int, datetime, str] | None:
    """Parse the key of a row of a day's leaderboard; None if invalid."""
    ms, _, rest = text.partition(".")
    micros, _, attempt_id = rest.partition(".")
    if not (_number(ms) and _number(micros) and PUBLIC_ID.fullmatch(attempt_id)):
        return None
    return int(ms), datetime.fromtimestamp(0, UTC) + timedelta(microseconds=int(micros)), attempt_id


def _number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= 17


def _day_key(row: Any) -> str:
    micros = (row.finished_at - datetime.fromtimestamp(0, UTC)) // timedelta(microseconds=1)
    return f"{row.board_ms}.{micros}.{row.id}"


_ORDER = (ATTEMPT.c.board_ms, ATTEMPT.c.finished_at, ATTEMPT.c.id)
_ROWS = sa.select(*_ORDER, ATTEMPT.c.player_id).where(
    ATTEMPT.c.daily_id == sa.bindparam("daily"), ATTEMPT.c.board == sa.bindparam("on_board")
)


def page_of_day(after: Cursor | None) -> sa.Select[Any]:
    """The keys of one page and of one row more; parameters `daily` and `on_board`."""
    query = _ROWS.limit(PAGE + 1)
    if after is None:
        return query.order_by(*_ORDER)
    key = sa.tuple_(
        *(sa.literal(value, column.type) for value, column in zip(after.key, _ORDER, strict=True))
    )
    if after.backwards:
        return query.where(sa.tuple_(*_ORDER) < key).order_by(*(column.desc() for column in _ORDER))
    return query.where(sa.tuple_(*_ORDER) > key).order_by(*_ORDER)


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

    established: without provisional times, which otherwise stand among the others of the day.
    closed: whether the daily is, so that replays can be watched.
    """
    key = {"daily": daily_id, "on_board": board}
    found = list(db.session.execute(page_of_day(at), key).all())
    trials: set[str] = set()
    if board == Leaderboard.DAY and not established:
        new = db.session.execute(_trials(at, podium(daily_id)), key | {"on_board": Leaderboard.TRIAL}).all()
        trials = {row.id for row in new}
        backwards = at is not None and at.backwards
        found = sorted([*found, *new], key=lambda row: tuple(row)[:3], reverse=backwards)[: PAGE + 1]
    rows, before, after = _paged(found, at, _day_key)
    own = mine = None
    if player_id is not None:
        own = db.session.execute(_RANKED, {"daily": daily_id, "player": player_id}).first()
        if own is not None and (own.board == board or own.id in trials):
            mine = own
        elif board != Leaderboard.DAY:  # the leaderboard of ranked solves
            mine = db.session.execute(own_row(player_id, daily_id, board)).first()
    tally = _tally(key, [row.board_ms // 1000 for row in rows], mine.board_ms // 1000 if mine else None)
    listed = [*rows, *([mine] if mine else [])]
    names = _names([row.player_id for row in listed])
    shown: set[str] = set()
    first = None
    if closed and board == Leaderboard.DAY and rows:
        shown = set(db.session.scalars(_SHOWN, {"ids": [row.id for row in listed]}))
        first = db.session.execute(_FASTEST_SHOWN, {"daily": daily_id}).first()

    def line(row: Any) -> Row:
        counts = tally.around(row.board_ms // 1000)
        new = row.id in trials
        return Row(
            None if new else counts.faster + 1,
            not new and counts.same > 1,
            names[row.player_id],
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
        place = _place(
            own, tally.around(own.board_ms // 1000) if own is mine and own.board == board else None
        )
    offered = None
    if first is not None:
        faster = ranking.counts(daily_id, board, first.board_ms // 1000).faster
        offered = Replay(first.id, faster + 1)
    return DayPage(page, tally.steps, place, offered)


def podium(daily_id: int) -> int:
    """The time in milliseconds above which provisional times are listed: that of the last of the first three.

    With fewer settled players it is that of the last of them, and without any 0: nobody loses a place.
    """
    times = db.session.scalars(
        sa.select(ATTEMPT.c.board_ms)
        .where(ATTEMPT.c.daily_id == daily_id, ATTEMPT.c.board == Leaderboard.DAY)
        .order_by(*_ORDER)
        .limit(ranking.PODIUM)
    )
    return max(times.all(), default=0)


def _trials(at: Cursor | None, above: int) -> sa.Select[Any]:
    return page_of_day(at).where(ATTEMPT.c.board_ms > above)


@dataclass(frozen=True, slots=True)
class DayPage:
    """A page of a day's leaderboard with its distribution and the state of the player's ranked solve."""

    page: LeaderboardPage
    steps: dict[int, int]  # solves by the second their step of the chart begins with
    place: Place | None
    replay: Replay | None = None  # the one offered first


@dataclass(frozen=True, slots=True)
class Replay:
    """The fastest solve of a closed daily that its player shows: the winner's, if they do."""

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
    return sa.select(*_ORDER, ATTEMPT.c.player_id).where(
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
    """How many solves a board has, by steps of a few seconds, and by the second where ranks are asked for."""

    steps: dict[int, int]
    ahead: dict[int, int]  # step -> solves in the steps before it
    seconds: dict[int, int]

    @property
    def total(self) -> int:
        return sum(self.steps.values())

    def around(self, second: int) -> ranking.Counts:
        begin = second - second % STEP
        faster = self.ahead.get(begin, 0) + sum(
            self.seconds.get(earlier, 0) for earlier in range(begin, second)
        )
        return ranking.Counts(self.total, faster, self.seconds.get(second, 1))


def steps(daily_id: int, board: Leaderboard) -> dict[int, int]:
    """Return the solves on a leaderboard by the second their step of the chart begins with."""
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


_NAMES = sa.select(Player.id, Player.name, Player.listing).where(
    Player.id.in_(sa.bindparam("players", expanding=True))
)


def _names(player_ids: Sequence[int]) -> dict[int, str | None]:
    if not player_ids:
        return {}
    return {
        player_id: None if listing == Listing.ANONYMOUS else name
        for player_id, name, listing in db.session.execute(_NAMES, {"players": sorted(set(player_ids))})
    }


def _paged(rows: Sequence[Any], at: Cursor | None, key: Any) -> tuple[list[Any], str | None, str | None]:
    """The rows of a page in order, and the keys of its neighbors; one row more was asked for."""
    more, shown = len(rows) > PAGE, list(rows[:PAGE])
    if at is not None and at.backwards:
        shown.reverse()
        before, after = more, bool(shown)
    else:
        before, after = at is not None and bool(shown), more
    return shown, key(shown[0]) if before else None, key(shown[-1]) if after else None


# Weeks and all time


def score_key(text: str) -> tuple[float, int] | None:
    """Parse the key of a row of points; None if invalid."""
    thousandths, _, player_id = text.partition(".")
    if not (_number(thousandths) and _number(player_id) and len(player_id) <= 9):
        return None
    return int(thousandths) / 1000, int(player_id)


def _score_key(row: Any) -> str:
    return f"{round(row.points * 1000)}.{row.player_id}"


_PARAMETERS = {
    "scope": sa.bindparam("of_scope", type_=sa.String),
    "starts_on": sa.bindparam("from_day", type_=sa.Date),
    "level": sa.bindparam("of_level", type_=sa.Integer),
}
_ON_TABLE = sa.and_(*(SCORE.c[name] == value for name, value in _PARAMETERS.items()))
_BY_POINTS = (SCORE.c.points, SCORE.c.player_id)
_POINTS = sa.select(*_BY_POINTS, *SCORE.c["solves", "provisional"]).where(_ON_TABLE)
_OWN_POINTS = _POINTS.where(SCORE.c.player_id == sa.bindparam("player"))


def _above(name: str) -> sa.ColumnElement[int]:
    tenth = sa.bindparam(name, type_=sa.Integer)
    players = sa.func.sum(POINT_COUNT.c.players).filter(POINT_COUNT.c.tenth > tenth)
    return sa.func.coalesce(players, 0)


_COUNTED = sa.select(
    sa.func.coalesce(sa.func.sum(POINT_COUNT.c.players), 0), _above("first_tenth"), _above("own_tenth")
).where(*(POINT_COUNT.c[name] == value for name, value in _PARAMETERS.items()))
_these = sa.bindparam("points", type_=sa.Float)
NEAR_POINTS = sa.select(
    sa.func.count().filter(SCORE.c.points > _these), sa.func.count().filter(SCORE.c.points == _these)
).where(_ON_TABLE, SCORE.c.points >= _these, SCORE.c.points < sa.bindparam("above", type_=sa.Float))


def page_of_points(at: Cursor | None) -> sa.Select[Any]:
    """The keys of one page of points and of one row more; parameters of `_PARAMETERS`."""
    query = _POINTS.limit(PAGE + 1)
    if at is not None:
        key = sa.tuple_(sa.literal(at.key[0], sa.Float), sa.literal(at.key[1], sa.Integer))
        order = sa.tuple_(*_BY_POINTS)
        query = query.where(order > key if at.backwards else order < key)
    if at is not None and at.backwards:
        return query.order_by(*_BY_POINTS)
    return query.order_by(*(column.desc() for column in _BY_POINTS))


def points(
    scope: Scope, day: date, level: int, player_id: int | None, at: Cursor | None = None
) -> LeaderboardPage:
    """Return a page of points for the week of a day or for all time, for one level or, with 0, for all."""
    starts_on = ranking.monday(day) if scope == Scope.WEEK else FIRST_DAY
    table = {"of_scope": scope, "from_day": starts_on, "of_level": level}
    rows, before, after = _paged(db.session.execute(page_of_points(at), table).all(), at, _score_key)
    mine = None
    if player_id is not None:
        mine = db.session.execute(_OWN_POINTS, table | {"player": player_id}).first()
    names = _names([row.player_id for row in [*rows, *([mine] if mine else [])]])
    tenths = {
        "first_tenth": ranking.tenth(rows[0].points) if rows else 0,
        "own_tenth": ranking.tenth(mine.points) if mine else 0,
    }
    total, above_first, above_own = db.session.execute(_COUNTED, table | tenths).one()

    def near(points: float) -> tuple[int, int]:
        """Count the players in the same tenth with more points than these, and with as many."""
        above = {"points": points, "above": (ranking.tenth(points) + 1) / 10}
        more, same = db.session.execute(NEAR_POINTS, table | above).one()
        return more, same

    def line(row: Any, ahead: int, same: int) -> Row:
        name, own = names[row.player_id], row.player_id == player_id
        return Row(
            ahead + 1,
            same > 1,
            name,
            own,
            points=row.points,
            solves=row.solves,
            provisional=row.provisional,
        )

    lines: list[Row] = []
    if rows:
        same = Counter(row.points for row in rows)
        # Only points at the ends of a page can be tied with rows beyond it.
        more, same[rows[0].points] = near(rows[0].points)
        ahead = above_first + more
        if rows[-1].points != rows[0].points:
            same[rows[-1].points] = near(rows[-1].points)[1]
        for points in same:  # in the order of the page
            lines += [line(row, ahead, same[points]) for row in rows if row.points == points]
            ahead += same[points]
    own = None
    if mine is not None:
        more, equal = near(mine.points)
        own = line(mine, above_own + more, equal)
    return LeaderboardPage(lines, total, own, before, after)


def shows_replay(player_id: int | None, day: date, level: int) -> bool | None:
    """Whether a player shows the replay of their ranked solve of a daily; None without one."""
    own = (
        sa.select(Attempt.replay_shown)
        .join(Daily, Daily.id == Attempt.daily_id)
        .where(Attempt.player_id == player_id, Attempt.ranked, Daily.date == day, Daily.level == level)
    )
    return None if player_id is None else db.session.scalar(own.limit(1))


def daily(day: date, level: int) -> Daily | None:
    """Return the daily of a day and level."""
    return db.session.scalar(sa.select(Daily).where(Daily.date == day, Daily.level == level))


# One solve


@dataclass(frozen=True, slots=True)
class Place:
    """The place of a solve of a daily, for its player."""

    attempt: Attempt
    board: Leaderboard | None
    rank: int | None
    tied: bool
    total: int
    percentile: float | None  # 0..100: share of others that were slower
    final: bool  # whether the board is frozen
    named: bool
    listing: str  # a Listing
    peeked: bool  # whether the player had seen the puzzle at the desk
    doubts: list[str]  # words
    asked: bool  # whether the player is asked if the solve came from paper
    wait: ranking.Wait | None  # why the time takes no rank yet
    against: list[str]  # words: what speaks against one that waits for a curator
    lately: list[str]  # or else what speaks against the player's latest
    new_for: int  # how many ranked dailies a player is new for
    backing: int  # how many of a player's times must be as fast as a very fast one that takes a rank
    disputed: int  # how many of a player's
    recent: int  # latest ranked solves in doubt keep a time from the first three
    waiting: bool  # whether a provisional time would be among the first three, and waits to be listed

    @property
    def rank_of_day(self) -> tuple[int, int] | None:
        """Return rank and total on the day's leaderboard; None without others, or if not listed."""
        if self.board != Leaderboard.DAY or self.rank is None or self.total < 2:
            return None
        return self.rank, self.total


# Select columns, not the attempt, which the session may have loaded before they were written.
_OWN = (
    sa.select(
        Attempt,
        *ATTEMPT.c["id", "player_id", "finished_at", "board", "board_ms", "percentile", "daily_id"],
        Daily.frozen_at,
        Player.name,
        Player.listing,
        PEEKED.label("peeked"),
    )
    .select_from(Attempt)
    .join(Attempt.player)
    .join(Attempt.daily)
)
_RANKED = _OWN.where(
    Attempt.player_id == sa.bindparam("player"),
    Attempt.daily_id + 0 == sa.bindparam("daily"),
    Attempt.ranked,
    Attempt.finished_at.is_not(None),
)


def place(attempt: Attempt) -> Place:
    """Return the current place of a finished attempt at a daily."""
    return _place(db.session.execute(_OWN.where(Attempt.id == attempt.id)).one(), None)


def _place(own: Any, counts: ranking.Counts | None) -> Place:
    """The same from a row of `_OWN`; the counts around its second where they are known already."""
    rank, same, total, share = None, 0, 0, own.percentile
    if own.board is not None and own.board != Leaderboard.TRIAL:
        counts = counts or ranking.counts(own.daily_id, own.board, own.board_ms // 1000)
        rank, same, total = counts.faster + 1, counts.same, counts.total
        if share is None and own.board == Leaderboard.DAY:
            share = counts.percentile
    wait = ranking.waits([own.id]).get(own.id) if own.board == Leaderboard.TRIAL else None
    questioned = wait == ranking.Wait.QUESTION
    against = ranking.why_spoken_against(own.Attempt) if questioned else []
    lately = ranking.why_lately(own.Attempt) if questioned and not against else []
    return Place(
        own.Attempt,
        None if own.board is None else Leaderboard(own.board),
        rank,
        tied=same > 1,
        total=total,
        percentile=share,
        final=own.frozen_at is not None,
        named=own.name is not None,
        listing=own.listing,
        peeked=own.peeked,
        doubts=[plausibility.words(key) for key in json.loads(own.Attempt.doubts or "[]")],
        asked=ranking.asked_about_paper(own.Attempt),
        wait=wait,
        against=[plausibility.words(key) for key in against],
        lately=[plausibility.words(key) for key in lately],
        new_for=ranking.newcomers(),
        backing=ranking.BACKING,
        disputed=ranking.DISPUTED,
        recent=ranking.RECENT,
        waiting=own.board == Leaderboard.TRIAL and own.board_ms <= podium(own.daily_id),
    )
