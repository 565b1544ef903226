"""Ranking: the state of a solve, its leaderboard, and points: provisional until the leaderboard freezes.

A leaderboard lists attempts by the time the server measured. The number of solves per second is stored
(`TimeCount`) and changes in the same transaction, so a rank is a sum over few rows;
points are counted the same way (`PointCount`). Ties within a second share a rank. A percentile
counts listed players only: otherwise guests, which anyone can create by the hundreds, would shift it.
Functions that write run inside their caller's write transaction, except `freeze`, `estimate`, `judge` and
`rank_passed`, which own theirs.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from enum import StrEnum
from typing import Any

import sqlalchemy as sa
from flask import current_app
from sqlalchemy.orm import contains_eager, joinedload

from engine import warm
from webapp.competition.fair_play import footprints, lately, rules, traces
from webapp.competition.first_meeting import MET_BEFORE
from webapp.game import plausibility
from webapp.game.evidence import likeness, score
from webapp.game.evidence.solve import Solve
from webapp.game.moves import Move
from webapp.models import (
    Attempt,
    Daily,
    Leaderboard,
    Listing,
    Player,
    PointCount,
    Puzzle,
    Scope,
    Score,
    Standing,
    Status,
    TimeCount,
)
from webapp.models.daily import FIRST_DAY, WINDOW
from webapp.process.clock import steady_between
from webapp.process.database import db, upsert, write_tx
from webapp.process.errors import NotFound
from webapp.process.words import gettext as _

SETTLING = timedelta(minutes=1)  # after the window, so that everything received within it is stored
MOST_SCORED, FEWEST_SCORED = 100, 20  # solves in an all-time mean
ALONE = 50.0  # the percentile of a solve without others to compare with: half, as for a tie
ALL_LEVELS = 0
LATEST = 30  # own solves a new one is compared with
STEP = 500  # solves frozen per transaction
TOGETHER = timedelta(seconds=30)  # between the starts of two games that began together
# A time below this share of the expected one takes a rank once so many others of its player's took at most
# SLACK times as long, beside what was expected; of the latest HISTORY, a year of three dailies a day.
FAST, BACKING, SLACK, HISTORY = 0.5, 10, 1.15, 1000
# A time takes none of the first PODIUM places of an open leaderboard while something speaks against it, or
# against so many of its player's RECENT ranked solves; one under review or removed counts as two.
PODIUM, RECENT, DISPUTED = 3, 10, 4

_attempt, _count = Attempt.__table__, TimeCount.__table__
_score, _point_count = Score.__table__, PointCount.__table__
# A literal in the statement, so that the partial index applies whatever the parameters are.
_DAY = sa.literal(Leaderboard.DAY.value, sa.String, literal_execute=True)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What has become of an attempt that was just solved."""

    columns: dict[str, Any]  # of the attempt
    trace: likeness.Trace | None = None  # to be kept; of games of open dailies
    copied: str | None = (
        None  # an attempt that is to be doubted: it has the order of this one, which began first
    )


def outcome(
    attempt: Attempt,
    log: Sequence[tuple[Move, datetime]],
    now: datetime,
    elapsed_ms: int,
    *,
    helped: bool,
    steady: str | None,
) -> Outcome:
    """Judge an attempt that its last move, received now, has solved. Reads only.

    Rule violations are recorded for every bank puzzle, since medians exclude them; only a solve of a
    daily has a standing. `steady` is the reading of the steady clock.
    """
    puzzle = attempt.puzzle
    if puzzle.status == Status.ENTERED:
        return Outcome({})
    ran = steady_between(attempt.steady_start, steady) if attempt.steady_start and steady else None
    solve = Solve(
        attempt.givens,
        puzzle.level,
        puzzle.explainer,
        puzzle.expected_seconds,
        attempt.started_at,
        timedelta(milliseconds=elapsed_ms),
        log,
        step=None if ran is None else now - attempt.started_at - ran,
        paces=_paces(attempt.player_id) if attempt.ranked else (),
    )
    trace = like = None
    compiled = warm.ready()
    if compiled and attempt.daily is not None and now < attempt.daily.closes_at:
        trace = likeness.trace(solve)
        like = traces.nearest(attempt.puzzle_id, attempt.player_id, trace)
    shared = attempt.daily is not None and footprints.shared(attempt)
    first = like is not None and _is_original(attempt, like)
    near = 0.0 if like is None or first else like.nearness
    earlier = lately.before(attempt.player_id, now) if attempt.ranked else []
    found = plausibility.judge(
        solve,
        near,
        shared=shared,
        compiled=compiled,
        weights=rules.weights(),
        earlier=[each.habits for each in earlier],
    )
    standing = Standing.ASSISTED if helped else Standing.REVIEW if found.doubts else Standing.VERIFIED
    columns = {
        "doubts": json.dumps(found.doubts) if found.doubts else None,
        "standing": standing if attempt.daily_id is not None else None,
        "evidence": evidence_of(found, like, ranked=attempt.ranked) if attempt.daily_id is not None else None,
        "against": score.against(found.shares, solve.pace) if attempt.daily_id is not None else None,
    }
    copied = like.attempt_id if like is not None and first and like.nearness >= traces.COPIED else None
    return Outcome(columns, trace, copied)


def evidence_of(found: plausibility.Judgment, like: traces.Like | None, *, ranked: bool) -> str | None:
    """What is stored of the evidence: figures and shares of a doubt by key, the nearest game, and habits."""
    nearest = None if like is None else {"attempt": like.attempt_id, "nearness": round(like.nearness, 3)}
    if not (found.values or nearest):
        return None
    known = {"shares": found.shares, "nearest": nearest, "values": found.values}
    if ranked and found.habits is not None:
        known["habits"] = found.habits.stored()
    return json.dumps(known)


def _paces(player_id: int) -> list[float]:
    """A player's ranked, verified solves over their expected times, the latest, oldest first."""
    paces = (
        sa.select(sa.cast(Attempt.elapsed_ms, sa.Float) / 1000 / Puzzle.expected_seconds)
        .join(Attempt.puzzle)
        .where(
            Attempt.player_id == player_id,
            Attempt.finished_at.is_not(None),
            Attempt.ranked,
            Attempt.standing == Standing.VERIFIED,
            Puzzle.expected_seconds > 0,
        )
        .order_by(Attempt.finished_at.desc())
        .limit(LATEST)
    )
    return [float(pace) for pace in db.session.scalars(paces)][::-1]


def _is_original(attempt: Attempt, like: traces.Like) -> bool:
    """Whether of two games with one order this is the one that was played: it began first.

    Of two that began together, as when one looks over the other's shoulder, it is the one of the player with
    the longer history.
    """
    if abs(attempt.started_at - like.started_at) > TOGETHER:
        return attempt.started_at < like.started_at
    here, there = (_history(player_id) for player_id in (attempt.player_id, like.player_id))
    return here > there if here != there else attempt.started_at <= like.started_at


def _history(player_id: int) -> int:
    """How many ranked solves a player has, up to LATEST."""
    solves = sa.select(_attempt.c.id).where(
        _attempt.c.player_id == player_id, _attempt.c.ranked, _attempt.c.standing == Standing.VERIFIED
    )
    return db.session.scalar(sa.select(sa.func.count()).select_from(solves.limit(LATEST).subquery())) or 0


def doubt_copy(attempt_id: str, original_id: str, now: datetime) -> None:
    """Put a verified solve under review whose order is that of a game that began before it."""
    with write_tx():
        hold_player_of(attempt_id)
        attempt = db.session.scalar(sa.select(Attempt).where(Attempt.id == attempt_id).with_for_update())
        if attempt is None or attempt.standing != Standing.VERIFIED or attempt.verdict is not None:
            return
        attempt.standing, attempt.doubts, attempt.updated_at = Standing.REVIEW, json.dumps(["alike"]), now
        known = json.loads(attempt.evidence or "{}")
        found = {each: {**known.get(each, {}), "alike": 1.0} for each in ("shares", "values")}
        attempt.evidence = json.dumps({**known, **found, "nearest": {"attempt": original_id}})
        settle_player(attempt.player_id)


def promote(player_id: int, now: datetime) -> None:
    """Let a player's times count in full once as many dailies are behind them as the site asks for.

    Some then wait for other reasons (`Wait`), of which a new solve may remove one. Their solves of days that
    froze meanwhile are ranked among the frozen solves.
    """
    settled = db.session.scalar(sa.select(Player.settled_at).where(Player.id == player_id)) is not None
    if settled:
        connection = db.session.connection()
        trials = connection.execute(_ON_TRIAL, {"player": player_id}).all()
        if not any(_due(connection, row) for row in trials):
            return
    if not settled and _history(player_id) <= min(newcomers(), LATEST - 1):
        return
    with write_tx():
        hold(db.session.connection(), Player.id == player_id)
        if not settled:
            db.session.execute(sa.update(Player).where(Player.id == player_id).values(settled_at=now))
        readmit(player_id)


def from_paper(attempt_id: str, now: datetime) -> None:
    """Take a player's word that a solve came from paper: it counts, but not as a time. Raises NotFound."""
    with write_tx():
        hold_player_of(attempt_id)
        attempt = db.session.scalar(sa.select(Attempt).where(Attempt.id == attempt_id).with_for_update())
        if attempt is None or not asked_about_paper(attempt):
            raise NotFound(_("We couldn’t find that solve."))
        attempt.standing, attempt.updated_at = Standing.PAPER, now
        settle_player(attempt.player_id)


def asked_about_paper(attempt: Attempt) -> bool:
    """Whether a solve is under review for nothing but having been typed as if from paper."""
    return attempt.standing == Standing.REVIEW and json.loads(attempt.doubts or "[]") == [plausibility.PAPER]


def settle(connection: sa.Connection, attempt_id: str) -> None:
    """Move a solved attempt at a daily to its current leaderboard, or remove it."""
    for row in connection.execute(_PLACED.where(_attempt.c.id == attempt_id)):
        _place(connection, row)


def settle_player(player_id: int) -> None:
    """Do the same for all attempts of a player whose name, listing or attempts have changed."""
    db.session.flush()
    connection = db.session.connection()
    players = hold(connection, Player.id == player_id)
    for row in connection.execute(_PLACED.where(_attempt.c.player_id == player_id)).all():
        _place(connection, row)
    rescore(connection, players)
    db.session.expire_all()


def unlist(player_id: int) -> None:
    """Remove all of a player's attempts from leaderboards, before they are deleted."""
    db.session.flush()
    connection = db.session.connection()
    hold(connection, Player.id == player_id)
    for row in connection.execute(_PLACED.where(_attempt.c.player_id == player_id)).all():
        _move(connection, row, None)
    points = _score.c.player_id == player_id
    _count_points(connection, points, _drop_points(connection, points))
    db.session.expire_all()


def hold(connection: sa.Connection, players: sa.ColumnElement[bool]) -> list[int]:
    """Lock these players until the transaction ends, so that no rows are counted twice.

    Call before reading anything of theirs that is counted and before locking their attempts. Locks in order,
    so that no two transactions deadlock.
    """
    held = sa.select(Player.id).where(players).order_by(Player.id).with_for_update(key_share=True)
    return list(connection.scalars(held))


_puzzle = Puzzle.__table__.alias("puzzle_here")
_earlier, _its_puzzle = _attempt.alias("earlier"), Puzzle.__table__.alias("its_puzzle")
# Bounds what is read. With 3,000 ranked solves among 90,000, all took 7.7 ms on SQLite and 41 on PostgreSQL,
# which read the whole table; the latest 1,000 take 1.0 and 1.7 by ix_attempt_player_id_finished_at.
_LATEST = (
    sa.select(_earlier.c.puzzle_id, _earlier.c.elapsed_ms)
    .where(
        _earlier.c.player_id == _attempt.c.player_id,
        _earlier.c.id != _attempt.c.id,
        _earlier.c.ranked,
        _earlier.c.standing == Standing.VERIFIED,
    )
    .order_by(_earlier.c.finished_at.desc())
    .limit(HISTORY)
    .correlate(_attempt)
    .subquery("latest")
)
_AS_FAST = (
    sa.select(_LATEST.c.puzzle_id)
    .join(_its_puzzle, _its_puzzle.c.id == _LATEST.c.puzzle_id)
    .where(
        _LATEST.c.elapsed_ms * _puzzle.c.expected_seconds
        <= SLACK * _attempt.c.elapsed_ms * _its_puzzle.c.expected_seconds
    )
    .limit(1)
    .offset(BACKING - 1)
    .correlate(_attempt, _puzzle)
)
# Whether a time is so fast that it waits for more of its player's that are. Nothing is asked of others.
_UNBACKED = sa.func.coalesce(
    sa.and_(_attempt.c.elapsed_ms < 1000 * FAST * _puzzle.c.expected_seconds, ~_AS_FAST.exists()), sa.false()
)
_RECENT = (
    sa.select(*_earlier.c["standing", "verdict", "against"])
    .where(
        _earlier.c.player_id == _attempt.c.player_id,
        _earlier.c.id != _attempt.c.id,
        _earlier.c.ranked,
        _earlier.c.finished_at.is_not(None),
    )
    .order_by(_earlier.c.finished_at.desc())
    .limit(RECENT)
    .correlate(_attempt)
    .subquery("recent")
)
_DISPUTED = (
    sa.select(
        sa.func.coalesce(
            sa.func.sum(
                sa.case(
                    (_RECENT.c.standing.in_((Standing.REVIEW, Standing.REMOVED)), 2),
                    (_RECENT.c.standing != Standing.VERIFIED, 0),
                    (sa.and_(_RECENT.c.verdict.is_(None), _RECENT.c.against >= score.TOLD), 1),
                    else_=0,
                )
            ),
            0,
        )
    )
    .select_from(_RECENT)
    .correlate(_attempt)
    .scalar_subquery()
)
_UNASKED = sa.or_(~_attempt.c.ranked, _attempt.c.percentile.is_not(None))
_PLACES = (
    sa.select(
        *_attempt.c["id", "player_id", "daily_id", "ranked", "standing", "finished_at", "elapsed_ms"],
        *_attempt.c["board", "board_ms", "percentile", "verdict", "against"],
        Player.name,
        Player.listing,
        Player.suspended,
        Player.named_at,
        Player.settled_at,
        Daily.date,
        Daily.frozen_at,
        MET_BEFORE.label("seen"),
        _UNBACKED.label("unbacked"),
        # Asked only of what can wait: of 3,000 late solves it took 1.6 s of 2.5 on SQLite, for nothing.
        sa.case((_UNASKED, sa.false()), else_=_DISPUTED >= DISPUTED).label("disputed"),
    )
    .join(_puzzle, _puzzle.c.id == _attempt.c.puzzle_id)
    .join(Player, Player.id == _attempt.c.player_id)
    .join(Daily, Daily.id == _attempt.c.daily_id)
    .where(_attempt.c.finished_at.is_not(None))
)
_IN_TURN = _PLACES.order_by(_attempt.c.daily_id)  # the same order in which their seconds are locked
_PLACED = _IN_TURN.with_for_update(read=True, of=Daily)  # no freeze between this read and the next write


_ON_TRIAL = _PLACES.where(
    _attempt.c.player_id == sa.bindparam("player"), _attempt.c.board == Leaderboard.TRIAL
)


def placed(connection: sa.Connection) -> Iterator[tuple[Any, Leaderboard | None]]:
    """Yield every finished attempt at a daily with the leaderboard it belongs on; locks nothing.

    What hinges on others may be on either leaderboard of the day until `regroup` has run.
    """
    for row in connection.execute(_IN_TURN):
        board = _board_alone(row)
        if board in _OF_THE_DAY and wait_of(row) == Wait.QUESTION and row.board in _OF_THE_DAY:
            board = Leaderboard(row.board)
        yield row, board


def _place(connection: sa.Connection, row: Any) -> None:
    """Move an attempt to the leaderboard it belongs on."""
    board = _board_for(connection, row)
    if board != row.board:
        _move(connection, row, board)


class Wait(StrEnum):
    """Why a time of the day takes no rank yet, or none among the first."""

    NEW = "new"  # its player is
    FAST = "fast"  # its player's others are not as fast
    QUESTION = "question"  # something speaks against it, or its player's latest: not among the first


_OF_THE_DAY = (Leaderboard.DAY, Leaderboard.TRIAL)


def wait_of(row: Any) -> Wait | None:
    """Return why the time of a row of `_PLACES` waits, whatever others took; None if it does not.

    A curator's word ends it, and who was ranked when the leaderboard froze keeps the rank.
    """
    if row.verdict is not None or not newcomers():
        return None
    if row.settled_at is None:
        return Wait.NEW
    if row.percentile is not None:
        return None
    if row.unbacked:
        return Wait.FAST
    return Wait.QUESTION if row.disputed or spoken_against(row) else None


def waits(attempt_ids: Sequence[str]) -> dict[str, Wait]:
    """Return why attempts at dailies wait for their ranks, by id, for those that do."""
    rows = db.session.execute(
        _PLACES.where(_attempt.c.id.in_(attempt_ids), _attempt.c.board == Leaderboard.TRIAL)
    )
    return {row.id: wait for row in rows if (wait := wait_of(row))}


def spoken_against(attempt: Attempt | sa.Row[Any]) -> bool:
    """Return whether something speaks against a time among the first, though for no review."""
    return attempt.against is not None and attempt.against >= score.TOLD


def why_spoken_against(attempt: Attempt) -> list[str]:
    """Return what does, the heaviest key first."""
    known = json.loads(attempt.evidence or "{}")
    shares = {key: share for key, share in known.get("shares", {}).items() if key not in score.HABITS}
    return score.told(shares) if spoken_against(attempt) else []


def why_lately(attempt: Attempt) -> list[str]:
    """Return what speaks against the player's latest ranked solves but this one, the commonest key first."""
    latest = (
        sa.select(Attempt)
        .where(
            Attempt.player_id == attempt.player_id,
            Attempt.id != attempt.id,
            Attempt.ranked,
            Attempt.finished_at.is_not(None),
        )
        .order_by(Attempt.finished_at.desc())
        .limit(RECENT)
    )
    keys = Counter[str]()
    for each in db.session.scalars(latest):
        if each.standing in (Standing.REVIEW, Standing.REMOVED):
            keys.update(json.loads(each.doubts or "[]"))
        elif each.standing == Standing.VERIFIED and each.verdict is None:
            keys.update(why_spoken_against(each))
    return [key for key, _times in keys.most_common()]


def _due(connection: sa.Connection, row: Any) -> bool:
    """Whether a time may take a rank as others stand: one in question, behind the first PODIUM only.

    As none of these is in question, it makes no difference in which order times are settled.
    """
    wait = wait_of(row)
    if wait != Wait.QUESTION:
        return wait is None
    last = connection.scalar(_LAST_OF_PODIUM, {"daily": row.daily_id, "but": row.id})
    return last is not None and row.elapsed_ms // 1000 > last // 1000


def _board_for(connection: sa.Connection, row: Any) -> Leaderboard | None:
    """Return the leaderboard of an attempt as others stand."""
    board = _board_alone(row)
    if board == Leaderboard.TRIAL and row.frozen_at is None and _due(connection, row):
        return Leaderboard.DAY
    return board


def _board_alone(row: Any) -> Leaderboard | None:
    """Return the leaderboard of an attempt: a named player's first at the puzzle, without help or review.

    The day's leaderboard if it was ranked, on time, and the account existed by then; otherwise the other one.
    A frozen leaderboard accepts only its own solves, and those cleared or readmitted since.
    """
    off = row.name is None or row.listing == Listing.NONE or row.suspended
    if row.standing != Standing.VERIFIED or off or row.seen:
        return None
    if not _in_time(row):
        return Leaderboard.ARCHIVE
    if wait_of(row) is not None:
        return Leaderboard.TRIAL
    standing_open = row.frozen_at is None or row.percentile is not None
    return Leaderboard.DAY if standing_open else Leaderboard.ARCHIVE


def newcomers() -> int:
    """How many ranked dailies a player is new for."""
    dailies: int = current_app.extensions["settings"].provisional_dailies
    return dailies


def _in_time(row: Any) -> bool:
    closes_at = _closing(row.date)
    named = row.named_at is not None and row.named_at < closes_at
    return bool(row.ranked and named and row.finished_at < closes_at)


def _closing(day: date) -> datetime:
    return Daily(date=day).opens_at + WINDOW


def _move(connection: sa.Connection, row: Any, board: Leaderboard | None) -> None:
    if row.board is not None:
        _tally(connection, row.daily_id, row.board, row.board_ms // 1000, -1)
    if board is not None:
        _tally(connection, row.daily_id, board, row.elapsed_ms // 1000, 1)
    place = {"board": board, "board_ms": None if board is None else row.elapsed_ms, "provisional": None}
    if row.frozen_at is None:
        place["percentile"] = None  # a concurrent freeze may have set one, which is removed with the place
    connection.execute(sa.update(_attempt).where(_attempt.c.id == row.id).values(place))


def _tally(connection: sa.Connection, daily_id: int, board: str, second: int, change: int) -> None:
    key = {"daily_id": daily_id, "board": board, "second": second}
    if change > 0:
        one_more = upsert(_count).values(**key, solves=change)
        connection.execute(
            one_more.on_conflict_do_update(
                index_elements=list(key), set_={"solves": _count.c.solves + change}
            )
        )
        return
    this = sa.and_(*(_count.c[name] == value for name, value in key.items()))
    connection.execute(sa.update(_count).where(this).values(solves=_count.c.solves + change))
    connection.execute(sa.delete(_count).where(this, _count.c.solves == 0))


# Percentiles and points


@dataclass(frozen=True, slots=True)
class Counts:
    """The counts of a leaderboard around one second."""

    total: int
    faster: int
    same: int  # including the attempt in question

    @property
    def percentile(self) -> float:
        """Return the share, 0 to 100, of other solves that were slower; ties count half."""
        return _share(self.total, self.total - self.faster - self.same, self.same)


def counts(daily_id: int, board: str, second: int) -> Counts:
    """Count the solves on a leaderboard, those faster than this second, and those within it."""
    solves = sa.func.sum(_count.c.solves)
    row = db.session.execute(
        sa.select(
            solves, solves.filter(_count.c.second < second), solves.filter(_count.c.second == second)
        ).where(_count.c.daily_id == daily_id, _count.c.board == board)
    ).one()
    return Counts(*(int(value or 0) for value in row))


def _share(total: int, slower: int, same: int) -> float:
    return ALONE if total <= 1 else 100 * (slower + (same - 1) / 2) / (total - 1)


def freeze(now: datetime, stopping: Callable[[], bool] = lambda: False) -> int:
    """Freeze leaderboards whose windows are over: fix percentiles and update points. Returns how many.

    Works in steps, so that a large leaderboard blocks no one; if the worker stops or is
    killed midway, the leaderboard is processed again.
    """
    due = sa.select(Daily.id).where(Daily.frozen_at.is_(None), Daily.date <= (now - WINDOW - SETTLING).date())
    order = due.order_by(Daily.date, Daily.level)
    return sum(_freeze(daily_id, now, stopping) for daily_id in db.session.scalars(order).all())


def _freeze(daily_id: int, now: datetime, stopping: Callable[[], bool]) -> bool:
    """Freeze one leaderboard, unless another worker has or this one stops."""
    regroup(daily_id, stopping)
    on_it = sa.and_(_attempt.c.daily_id == daily_id, _attempt.c.board == _DAY)
    week = monday(db.session.scalars(sa.select(Daily.date).where(Daily.id == daily_id)).one())
    shares = _shares(daily_id)
    step = sa.select(*_IN_ORDER).where(on_it).order_by(*_IN_ORDER).limit(STEP)
    rows = db.session.execute(step).all()
    while rows:
        if stopping():
            return False
        with write_tx():
            if db.session.scalar(_UNFROZEN, {"daily_id": daily_id}) is None:
                return False
            _fix(sa.and_(on_it, _attempt.c.id.in_([row.id for row in rows])), shares.get, week)
        last = zip(rows[-1], _IN_ORDER, strict=True)
        after = sa.tuple_(*(sa.literal(value, column.type) for value, column in last))
        rows = db.session.execute(step.where(sa.tuple_(*_IN_ORDER) > after)).all()
    # Players added meanwhile, for example when a curator cleared a solve. A concurrent change locks the
    # daily, and we wait for it. Both lock players before the daily, so that no two transactions deadlock.
    later = sa.and_(on_it, _attempt.c.percentile.is_(None))
    while not stopping():
        with write_tx():
            _fix(later, lambda second: counts(daily_id, Leaderboard.DAY, second).percentile, week)
        with write_tx():
            to_close = _UNFROZEN.with_for_update(key_share=True)
            daily = db.session.scalar(to_close, {"daily_id": daily_id})
            if daily is None:
                return False
            if db.session.scalar(sa.select(_attempt.c.id).where(later).limit(1)) is None:
                daily.frozen_at = now
                return True
    return False


def estimate(stopping: Callable[[], bool] = lambda: False) -> int:
    """Renew the provisional percentiles and points of open leaderboards with new solves. Returns how many.

    Works in steps like `freeze`. Who leaves a leaderboard changes the shares of others with its next solve.
    """
    opened = sa.exists().where(_count.c.daily_id == Daily.id)
    for daily_id in db.session.scalars(sa.select(Daily.id).where(Daily.frozen_at.is_(None), opened)).all():
        regroup(daily_id, stopping)
    new = sa.exists().where(
        _attempt.c.daily_id == Daily.id,
        _attempt.c.board == _DAY,
        _attempt.c.percentile.is_(None),
        _attempt.c.provisional.is_(None),
    )
    due = sa.select(Daily.id, Daily.date).where(Daily.frozen_at.is_(None), new).order_by(Daily.id)
    return sum(_estimate(daily_id, monday(day), stopping) for daily_id, day in db.session.execute(due).all())


def regroup(daily_id: int, stopping: Callable[[], bool] = lambda: False) -> None:
    """Rank times in question on an open leaderboard as others have come and gone.

    One that has moved up among the first waits, and one that waited is ranked once enough others were faster.
    """
    on_it = _PLACES.where(_attempt.c.daily_id == daily_id)
    trial = on_it.where(_attempt.c.board == Leaderboard.TRIAL, Player.settled_at.is_not(None))
    while True:
        connection = db.session.connection()
        last = connection.scalar(_LAST_OF_PODIUM, {"daily": daily_id, "but": ""})
        first = on_it.where(_attempt.c.board == _DAY)
        if last is not None:
            first = first.where(_attempt.c.board_ms < 1000 * (last // 1000 + 1))  # who shares its rank too
        rows = [*connection.execute(first).all(), *connection.execute(trial).all()]
        changed = {row.player_id for row in rows if _board_for(connection, row) != row.board}
        db.session.rollback()
        if not changed or stopping():
            return
        for player_id in sorted(changed):
            with write_tx():
                settle_player(player_id)


def _estimate(daily_id: int, week: date, stopping: Callable[[], bool]) -> bool:
    """Renew those of one leaderboard, unless it freezes or this worker stops."""
    on_it = sa.and_(_attempt.c.daily_id == daily_id, _attempt.c.board == _DAY)
    ids = list(db.session.scalars(sa.select(_attempt.c.id).where(on_it).order_by(*_IN_ORDER)))
    shares = _shares(daily_id)
    for first in range(0, len(ids), STEP):
        with write_tx():
            if stopping() or db.session.scalar(_UNFROZEN, {"daily_id": daily_id}) is None:
                return False
            step = sa.and_(on_it, _attempt.c.id.in_(ids[first : first + STEP]))
            _fix(step, shares.get, week, _attempt.c.provisional)
    return True


def _fix(
    solves: sa.ColumnElement[bool],
    share: Callable[[int], float | None],
    week: date,
    column: sa.ColumnElement[Any] = _attempt.c.percentile,
) -> None:
    """Set the percentiles of these solves, or the provisional ones, and the points of their players."""
    connection = db.session.connection()
    players = hold(connection, Player.id.in_(sa.select(_attempt.c.player_id).where(solves)))
    theirs = sa.select(_attempt.c.id, _attempt.c.board_ms).where(solves, _attempt.c.player_id.in_(players))
    shares = [
        {"its_id": row.id, "share": share(row.board_ms // 1000)} for row in connection.execute(theirs).all()
    ]
    if shares:
        this = sa.update(_attempt).where(_attempt.c.id == sa.bindparam("its_id"))
        connection.execute(this.values({column: sa.bindparam("share")}), shares)
        rescore(connection, players, week)


_IN_ORDER = (_attempt.c.board_ms, _attempt.c.finished_at, _attempt.c.id)  # as ix_attempt_board
_LAST_OF_PODIUM = (
    sa.select(_attempt.c.board_ms)
    .where(
        _attempt.c.daily_id == sa.bindparam("daily"),
        _attempt.c.board == _DAY,
        _attempt.c.id != sa.bindparam("but"),
    )
    .order_by(*_IN_ORDER)
    .limit(1)
    .offset(PODIUM - 1)
)
_UNFROZEN = sa.select(Daily).where(Daily.id == sa.bindparam("daily_id"), Daily.frozen_at.is_(None))


def _shares(daily_id: int) -> dict[int, float]:
    """Return the percentile of each second of a day's leaderboard."""
    by_second = db.session.execute(
        sa.select(_count.c.second, _count.c.solves).where(
            _count.c.daily_id == daily_id, _count.c.board == Leaderboard.DAY
        )
    )
    return shares_of({row.second: row.solves for row in by_second})


def shares_of(by_second: Mapping[int, int]) -> dict[int, float]:
    """Return the percentile of each second from the number of solves in each."""
    total = slower = sum(by_second.values())
    shares = {}
    for second, solves in sorted(by_second.items()):
        slower -= solves
        shares[second] = _share(total, slower, solves)
    return shares


def monday(day: date) -> date:
    """Return the Monday of a day's week."""
    return day - timedelta(days=day.weekday())


def rescore(connection: sa.Connection, players: Sequence[int], week: date | None = None) -> None:
    """Update the points of these locked players from their percentiles, final or provisional.

    week: the Monday of the only week that has changed; None for any.
    """
    of_them: sa.ColumnElement[bool] = _score.c.player_id.in_(players)
    if week is not None:
        of_them = sa.and_(of_them, sa.or_(_score.c.scope == Scope.ALL, _score.c.starts_on == week))
    before = _drop_points(connection, of_them)
    share = sa.func.coalesce(_attempt.c.percentile, _attempt.c.provisional)
    open_ones = sa.case((_attempt.c.percentile.is_not(None), 0), else_=1)
    solves = (
        sa.select(
            _attempt.c.player_id, Daily.level, Daily.date, share.label("share"), open_ones.label("open")
        )
        .join(Daily, Daily.id == _attempt.c.daily_id)
        .where(_attempt.c.player_id.in_(players), _attempt.c.board == Leaderboard.DAY, share.is_not(None))
    ).subquery()
    columns = ["player_id", "scope", "starts_on", "level", "points", "solves", "provisional"]
    weeks: dict[date, sa.ColumnElement[bool]] = {}
    for (day,) in connection.execute(sa.select(solves.c.date).distinct()).all():
        first = monday(day)
        if week is not None and first != week:
            continue
        weeks[first] = sa.and_(solves.c.date >= first, solves.c.date < first + timedelta(days=7))
    for by_level in (False, True):
        level = solves.c.level if by_level else sa.literal(ALL_LEVELS)
        group = [solves.c.player_id, solves.c.level] if by_level else [solves.c.player_id]
        for first, within in weeks.items():
            sums = (
                sa.select(
                    solves.c.player_id,
                    sa.literal(Scope.WEEK.value),
                    sa.literal(first, sa.Date),
                    level,
                    _rounded(sa.func.sum(solves.c.share)),
                    sa.func.count(),
                    sa.func.max(solves.c.open) == 1,
                )
                .where(within)
                .group_by(*group)
            )
            connection.execute(sa.insert(_score).from_select(columns, sums))
        place = sa.func.row_number().over(
            partition_by=group, order_by=[solves.c.date.desc(), solves.c.level.desc()]
        )
        last = sa.select(solves, place.label("place")).subquery()
        level = last.c.level if by_level else sa.literal(ALL_LEVELS)
        means = (
            sa.select(
                last.c.player_id,
                sa.literal(Scope.ALL.value),
                sa.literal(FIRST_DAY, sa.Date),
                level,
                _rounded(sa.func.avg(last.c.share)),
                sa.func.count(),
                sa.func.max(last.c.open) == 1,
            )
            .where(last.c.place <= MOST_SCORED)
            .group_by(*([last.c.player_id, last.c.level] if by_level else [last.c.player_id]))
            .having(sa.func.count() >= FEWEST_SCORED)
        )
        connection.execute(sa.insert(_score).from_select(columns, means))
    _count_points(connection, of_them, before)


_TABLE = ("scope", "starts_on", "level", "tenth")
_TENTH = sa.cast(sa.func.round(_score.c.points * 1000), sa.Integer).op("/")(100).label("tenth")


def tenth(points: float) -> int:
    """Return the tenth under which points are counted."""
    return round(points * 1000) // 100


def _points(connection: sa.Connection, of_them: sa.ColumnElement[bool]) -> Counter[tuple[Any, ...]]:
    """Count these rows of points by their place."""
    key = [*(_score.c[name] for name in _TABLE[:-1]), _TENTH]
    counted = sa.select(*key, sa.func.count()).where(of_them).group_by(*key)
    return Counter({tuple(key): players for *key, players in connection.execute(counted)})


def _drop_points(connection: sa.Connection, of_them: sa.ColumnElement[bool]) -> Counter[tuple[Any, ...]]:
    """Delete these rows of points. Returns their counts, to be combined with those of their replacements."""
    before = _points(connection, of_them)
    connection.execute(sa.delete(_score).where(of_them))
    return before


def _count_points(
    connection: sa.Connection, of_them: sa.ColumnElement[bool], before: Counter[tuple[Any, ...]]
) -> None:
    """Update the counts for the new places of these rows of points."""
    changes = _points(connection, of_them)
    changes.subtract(before)
    rows = [
        dict(zip(_TABLE, key, strict=True), players=max(change, 0), change=change)
        for key, change in sorted(changes.items())  # in order, so that no two transactions deadlock
        if change
    ]
    if not rows:
        return
    insert = upsert(_point_count)
    players = _point_count.c.players + sa.bindparam("change", type_=sa.Integer)
    connection.execute(insert.on_conflict_do_update(index_elements=_TABLE, set_={"players": players}), rows)
    this = sa.and_(*(_point_count.c[name] == sa.bindparam(f"its_{name}") for name in _TABLE))
    emptied = [{f"its_{name}": row[name] for name in _TABLE} for row in rows if row["change"] < 0]
    if emptied:
        connection.execute(sa.delete(_point_count).where(this, _point_count.c.players == 0), emptied)


def _rounded(points: sa.ColumnElement[Any]) -> sa.ColumnElement[float]:
    """Round to a thousandth, so that equal points are equal whatever the order of addition."""
    return sa.cast(sa.func.round(sa.cast(points, sa.Numeric), 3), sa.Float)


# For curators

# Ordered and limited by itself, so that a database begins with it: a seek by `ix_attempt_board` then finds
# the times of each daily that may wait for a curator. Otherwise SQLite reads the whole index.
_third = _attempt.alias("third")
_OPENED = (
    sa.select(
        Daily.id,
        sa.func.coalesce(1000 * FAST * _puzzle.c.expected_seconds, 0).label("fast_ms"),
        sa.select(_third.c.board_ms - _third.c.board_ms % 1000 + 1000)
        .where(_third.c.daily_id == Daily.id, _third.c.board == _DAY)
        .order_by(_third.c.board_ms, _third.c.finished_at, _third.c.id)
        .limit(1)
        .offset(PODIUM - 1)
        .scalar_subquery()
        .label("podium_ms"),
    )
    .join(_puzzle, _puzzle.c.id == Daily.puzzle_id)
    .where(Daily.date <= sa.bindparam("today"))
    .order_by(Daily.date.desc())
    .limit(HISTORY)
    .subquery("opened")
)
_podium_ms = sa.func.coalesce(_OPENED.c.podium_ms, 10**15)  # with fewer, any time is among the first
_WAITING = (
    sa.select(Attempt)
    .join(_OPENED, _OPENED.c.id == _attempt.c.daily_id)
    .join(_puzzle, _puzzle.c.id == _attempt.c.puzzle_id)
    .join(Attempt.daily)
    .join(Player, Player.id == _attempt.c.player_id)
    .where(
        _attempt.c.board == Leaderboard.TRIAL,
        _attempt.c.board_ms < sa.case((_podium_ms > _OPENED.c.fast_ms, _podium_ms), else_=_OPENED.c.fast_ms),
        # A settled player's time that is not too fast for its player's others waits for being in question.
        sa.or_(_UNBACKED, sa.and_(Player.settled_at.is_not(None), _attempt.c.board_ms < _podium_ms)),
    )
    .order_by(Daily.date.desc(), _attempt.c.finished_at.desc(), _attempt.c.id)
    .options(contains_eager(Attempt.daily), joinedload(Attempt.player), joinedload(Attempt.puzzle))
)


def waiting(now: datetime, most: int) -> Sequence[Attempt]:
    """Return the times of the latest HISTORY dailies that may wait for a curator, latest days first."""
    return db.session.scalars(_WAITING.limit(most), {"today": now.date()}).all()


def judge(attempt_id: str, standing: Standing, note: str, now: datetime) -> None:
    """Record a curator's verdict on a solve of a daily: verified or removed, and why. Raises NotFound.

    A solve that is cleared after the freeze is ranked among the frozen solves; the others keep
    their percentiles.
    """
    with write_tx():
        give_verdict(attempt_id, standing, note, now)


def hold_player_of(attempt_id: str) -> None:
    """Lock this player's solves and points until the transaction ends."""
    player = sa.select(_attempt.c.player_id).where(_attempt.c.id == attempt_id)
    hold(db.session.connection(), Player.id.in_(player))


def give_verdict(attempt_id: str, standing: Standing, note: str, now: datetime) -> None:
    """Same as `judge`, inside the caller's transaction."""
    hold_player_of(attempt_id)
    attempt = db.session.scalar(
        sa.select(Attempt).where(Attempt.id == attempt_id, Attempt.standing.is_not(None)).with_for_update()
    )
    if attempt is None or attempt.daily is None or attempt.elapsed_ms is None:
        raise NotFound(_("We couldn’t find that solve."))
    db.session.refresh(attempt.daily, with_for_update={"read": True})  # so that it does not freeze meanwhile
    attempt.standing, attempt.verdict, attempt.updated_at = standing, note, now
    if standing == Standing.REMOVED:
        attempt.percentile = None
    elif (
        standing == Standing.VERIFIED
        and attempt.daily.frozen_at is not None
        and attempt.percentile is None
        and attempt.ranked
    ):
        attempt.percentile = _among_frozen(attempt.daily.id, attempt.elapsed_ms // 1000)
    settle_player(attempt.player_id)


def readmit(player_id: int) -> None:
    """Same as `settle_player` for a player whose suspension or wait has ended.

    Their solves of days that froze without them are ranked among the frozen solves, but for those that were
    not listed then: nobody hides until a result is known, and collects points for it later.
    """
    db.session.flush()
    connection = db.session.connection()
    hold(connection, Player.id == player_id)
    kept_out = _attempt.c.board.is_distinct_from(Leaderboard.ARCHIVE)
    missed = sa.and_(Daily.frozen_at.is_not(None), _attempt.c.percentile.is_(None), kept_out)
    for row in connection.execute(_PLACED.where(_attempt.c.player_id == player_id, missed)).all():
        if _board_alone(row) is not None and _in_time(row) and _due(connection, row):
            share = _among_frozen(row.daily_id, row.elapsed_ms // 1000)
            connection.execute(sa.update(_attempt).where(_attempt.c.id == row.id).values(percentile=share))
    settle_player(player_id)


def rank_passed(daily_id: int) -> None:
    """Rank times on a closed leaderboard that waited as they were among the first, and no longer are.

    Others are ranked there when a curator counts them. Owns its transactions.
    """
    closed = sa.and_(_attempt.c.daily_id == daily_id, Daily.frozen_at.is_not(None))
    waiting = _PLACES.where(closed, _attempt.c.board == Leaderboard.TRIAL, Player.settled_at.is_not(None))
    connection = db.session.connection()
    passed = {row.player_id for row in connection.execute(waiting).all() if _due(connection, row)}
    db.session.rollback()
    for player_id in sorted(passed):
        with write_tx():
            readmit(player_id)


def _among_frozen(daily_id: int, second: int) -> float:
    """Return the percentile of a solve that joins a frozen leaderboard; the others keep theirs."""
    connection = db.session.connection()
    _tally(connection, daily_id, Leaderboard.DAY, second, 1)
    share = counts(daily_id, Leaderboard.DAY, second).percentile
    _tally(connection, daily_id, Leaderboard.DAY, second, -1)
    return share


def last_solve(player_id: int | None) -> str | None:
    """Return the game this player finished last: whoever sees a leaderboard expects it there."""
    if player_id is None:
        return None
    mine = sa.select(_attempt.c.id).where(
        _attempt.c.player_id == player_id, _attempt.c.finished_at.is_not(None)
    )
    return db.session.scalar(mine.order_by(_attempt.c.finished_at.desc(), _attempt.c.id).limit(1))
