"""Verification: replay every game and compare the results with the database.

A move log determines its attempt, attempts determine leaderboards, ranks and streaks, and those determine
points. Each is recomputed from the moves alone and compared with the rows; nothing is changed. It runs in one
read transaction, so the site may run meanwhile.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date, datetime
from itertools import pairwise
from typing import Any

import sqlalchemy as sa

import engine
from webapp.competition import logs, points, standing
from webapp.competition.daily import streaks
from webapp.game.board import Board
from webapp.models import Attempt, Daily, Leaderboard, Scope, Score, Standing
from webapp.models.daily import FIRST_DAY, SCHEDULED, WINDOW, opening
from webapp.play.play import elapsed_ms, helped
from webapp.process.database import db
from webapp.process.errors import BadMove

MOST_SHOWN = 100  # differences listed in full; further ones are only counted
_BATCH = 200  # attempts read at a time


@dataclass(slots=True)
class Findings:
    """The result of a verification."""

    attempts: int = 0
    moves: int = 0
    dailies: int = 0
    different: int = 0
    shown: list[str] = field(default_factory=list)

    def differ(self, where: str, what: str, stored: Any, replayed: Any) -> None:
        """Record a difference."""
        self.different += 1
        if len(self.shown) < MOST_SHOWN:
            self.shown.append(f"{where}: {what} is {stored}, but the replay gives {replayed}")

    def compare(self, where: str, what: str, stored: Any, replayed: Any) -> None:
        """Record a difference, if any."""
        if stored != replayed:
            self.differ(where, what, stored, replayed)


@dataclass(frozen=True, slots=True)
class Solve:
    """A finished attempt at a daily, computed from its moves."""

    id: str
    player_id: int
    daily_id: int
    finished_at: datetime
    elapsed_ms: int


def verify(now: datetime, progress: Callable[[int], object] = lambda _attempts: None) -> Findings:
    """Verify the site. Calls `progress` with the number of attempts done since the last call."""
    found = Findings()
    db.session.rollback()
    if db.engine.dialect.name == "postgresql":  # one snapshot and no timeout
        db.session.connection(execution_options={"isolation_level": "REPEATABLE READ"})
        for limit in ("statement_timeout", "idle_in_transaction_session_timeout"):
            db.session.execute(sa.text(f"SET LOCAL {limit} = 0"))
    try:
        _check_tables(found)
        if found.different:  # reading them would fail
            return found
        if db.engine.dialect.name == "sqlite":
            for (answer,) in db.session.execute(sa.text("PRAGMA integrity_check")):
                found.compare("database file", "the integrity check", answer, "ok")
            for table, row, parent, _key in db.session.execute(sa.text("PRAGMA foreign_key_check")):
                found.differ(f"{table} {row}", f"the {parent} it refers to", "missing", "a row")
        solves = _replay_attempts(found, progress)
        _check_leaderboards(found, solves)
        _check_points(found)
        _check_streaks(found, solves, now)
    finally:
        db.session.rollback()
    return found


def _check_tables(found: Findings) -> None:
    """Compare the tables and their columns with those of this release."""
    there = sa.inspect(db.session.connection())
    names = set(there.get_table_names())
    for table in db.metadata.sorted_tables:
        if table.name not in names:
            found.differ(table.name, "the table", "missing", "one")
            continue
        columns = {column["name"] for column in there.get_columns(table.name)}
        for name in sorted({column.name for column in table.columns} ^ columns):
            found.differ(
                table.name,
                f"the column {name}",
                *(("there", "none") if name in columns else ("missing", "one")),
            )


# Attempts


def _replay_attempts(found: Findings, progress: Callable[[int], object]) -> list[Solve]:
    solves, after = [], ""
    query = sa.select(Attempt).options(sa.orm.joinedload(Attempt.puzzle)).order_by(Attempt.id).limit(_BATCH)
    while attempts := list(db.session.scalars(query.where(Attempt.id > after))):
        after = attempts[-1].id
        kept = logs.whole_logs([attempt.id for attempt in attempts])
        for attempt in attempts:
            solve = _replay(found, attempt, kept.get(attempt.id, []))
            if solve is not None:
                solves.append(solve)
        db.session.expunge_all()
        progress(len(attempts))
    return solves


def _replay(found: Findings, attempt: Attempt, log: logs.Log | Exception) -> Solve | None:
    """Compare one attempt with its moves. Returns a daily's solve."""
    where = f"attempt {attempt.id}"
    found.attempts += 1
    if isinstance(log, Exception):
        found.differ(where, "the log", "as it is", f"an error: {log}")
        return None
    found.moves += len(log)
    board = Board.of(engine.parse(attempt.givens))
    solved_at = None
    for move, received_at in log:
        if move.seq != board.seq + 1:
            found.differ(where, "the next move", move.seq, board.seq + 1)
            return None
        try:
            board = board.after(move, received_at)
        except BadMove as error:
            found.differ(where, "the log", "as it is", f"an error: {error}")
            return None
        solved_at = received_at
    found.compare(where, "last_seq", attempt.last_seq, board.seq)
    found.compare(where, "assisted", attempt.assisted, helped(attempt, board))
    if not board.solved or solved_at is None:
        found.compare(where, "finished_at", attempt.finished_at, None)
        return None
    finished_at, took = max(solved_at, attempt.started_at), elapsed_ms(attempt, board, solved_at)
    found.compare(where, "finished_at", attempt.finished_at, finished_at)
    found.compare(where, "elapsed_ms", attempt.elapsed_ms, took)
    if attempt.daily_id is None:
        return None
    return Solve(attempt.id, attempt.player_id, attempt.daily_id, finished_at, took)


# Leaderboards


def _check_leaderboards(found: Findings, solves: list[Solve]) -> None:
    """Compare lists and times with the replayed solves, and the points of closed days with their ranks."""
    replayed = {solve.id: solve for solve in solves}
    closed: dict[int, list[tuple[int, int, str]]] = defaultdict(list)
    for row in db.session.execute(standing.ROWS):
        board, where = standing.board_of(row), f"attempt {row.id}"
        solve = replayed.get(row.id)
        found.compare(where, "the leaderboard", row.board, board if solve is not None else None)
        if solve is not None and board == Leaderboard.DAY and row.closed_at is not None:
            closed[row.daily_id].append((solve.elapsed_ms // 1000, row.points or 0, row.id))
    found.dailies = db.session.scalar(sa.select(sa.func.count()).select_from(Daily)) or 0
    for ranked in closed.values():
        _check_points_of_day(found, sorted(ranked))


def _check_points_of_day(found: Findings, ranked: list[tuple[int, int, str]]) -> None:
    """Compare the points of a closed day with its ranks.

    Others keep their points when a player leaves the leaderboards, so only their order is certain then.
    """
    for (second, before, _id), (later, after, attempt_id) in pairwise(ranked):
        if before < after or (second == later and before != after):
            found.differ(f"attempt {attempt_id}", "points", after, f"no more than {before}")
    for _second, given, attempt_id in ranked:
        if not 0 < given <= points.BEST:
            found.differ(f"attempt {attempt_id}", "points", given, f"1 to {points.BEST}")


# Points


def _check_points(found: Findings) -> None:
    """Compare points over several days with those of the solves."""
    rows = db.session.execute(
        sa.select(Attempt.player_id, Daily.date, Daily.level, sa.NotNullable(Attempt.points))
        .join(Daily, Daily.id == Attempt.daily_id)
        .where(Attempt.board == Leaderboard.DAY, Attempt.points.is_not(None))
        .order_by(Attempt.player_id, Daily.date.desc(), Daily.level.desc())
    )
    given: dict[tuple[int, str, date, int], list[int]] = defaultdict(list)
    for player_id, day, level, part in rows:
        for group in (points.ALL_LEVELS, level):
            given[player_id, Scope.WEEK, points.monday(day), group].append(part)
            if len(latest := given[player_id, Scope.ALL, FIRST_DAY, group]) < points.MOST_SCORED:
                latest.append(part)
    expected = {
        key: sum(parts) if key[1] == Scope.WEEK else (2 * sum(parts) + len(parts)) // (2 * len(parts))
        for key, parts in given.items()
        if key[1] == Scope.WEEK or len(parts) >= points.FEWEST_SCORED
    }
    stored = {
        (row.player_id, str(row.scope), row.starts_on, row.level): row.points
        for row in db.session.scalars(sa.select(Score))
    }
    for key in sorted(expected.keys() | stored.keys(), key=str):
        player_id, scope, starts_on, level = key
        where = f"player {player_id}, {scope} from {starts_on}, level {level}"
        found.compare(where, "points", stored.get(key), expected.get(key))


# Streaks


def _check_streaks(found: Findings, solves: list[Solve], now: datetime) -> None:
    """Compare the displayed streaks with those of the replayed solves."""
    dailies = db.session.scalars(sa.select(Daily).where(SCHEDULED))
    scheduled = {daily.id: daily.date for daily in dailies}
    removed = set(db.session.scalars(sa.select(Attempt.id).where(Attempt.standing == Standing.REMOVED)))
    first: dict[int, dict[date, datetime]] = defaultdict(dict)
    for solve in solves:
        day = scheduled.get(solve.daily_id)
        if day is not None and solve.id not in removed:
            earlier = first[solve.player_id].get(day, solve.finished_at)
            first[solve.player_id][day] = min(earlier, solve.finished_at)
    days, excused = streaks.released(now), streaks.excused()
    for player_id, solved in first.items():
        counted = frozenset(day for day, at in solved.items() if at < opening(day) + WINDOW)
        replayed = streaks.fold(days, counted, streaks.still_open(days, counted, now), excused)
        shown = streaks.of(player_id, now)
        for name in ("current", "longest", "freezes"):
            found.compare(
                f"player {player_id}", f"the {name} streak", getattr(shown, name), getattr(replayed, name)
            )
