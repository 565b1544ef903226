"""A few days of play on a site: dailies played as people play, closed days, points.

Games are started and finished by the services, with the moves of `benchmarks.logs`, so that all rows are
consistent.
"""

from __future__ import annotations

import random
from datetime import date, datetime, timedelta
from typing import Any

import sqlalchemy as sa

from benchmarks.logs import human, puzzles
from tests.webapp.solves import DAY, add_daily, add_player, at, close
from tests.webapp.visitors import SetClock
from webapp.models import Attempt, Move
from webapp.play import play, starts
from webapp.process.clock import steady_now
from webapp.process.database import db, write_tx

LEVEL, DAYS = 2, 3


def play_daily(player_id: int, day: date, number: int, begins: datetime, clock: SetClock, seed: int) -> str:
    """Play a daily as a person would, ranked. Returns the attempt's id."""
    timed = [puzzle for puzzle in puzzles() if puzzle.level == LEVEL][number]
    log = human(random.Random(seed), timed)
    clock.time = begins
    attempt = starts.at_daily(player_id, day, LEVEL, begins, steady_now(), ranked=True)
    rows: list[dict[str, Any]] = [
        {
            "attempt_id": attempt.id,
            "seq": move.seq,
            "kind": move.kind,
            "cell": move.cell,
            "digit": move.digit,
            "received_at": begins + timedelta(seconds=received),
        }
        for move, received in zip(log.moves, log.received, strict=True)
    ]
    # All but the last batch are stored directly; the last goes through the service.
    earlier = [row for row in rows if row["received_at"] < rows[-1]["received_at"]]
    last = {"last_seq": len(earlier), "updated_at": earlier[-1]["received_at"]}
    with write_tx():
        db.session.execute(sa.insert(Move), earlier)
        db.session.execute(sa.update(Attempt).where(Attempt.id == attempt.id).values(last))
    clock.time = rows[-1]["received_at"]
    return play.make_moves(player_id, attempt.id, log.moves[len(earlier) :], clock.time).attempt.id


def season(clock: SetClock) -> list[str]:
    """Play DAYS dailies with two players; all but the last two close. Returns the attempts."""
    names = [add_player(f"Player{number}") for number in range(2)]
    played = []
    for day in range(DAYS):
        timed = [puzzle for puzzle in puzzles() if puzzle.level == LEVEL][day]
        columns = ("givens", "expected_seconds", "explainer", "hardest")
        add_daily(DAY + timedelta(days=day), LEVEL, **{name: getattr(timed, name) for name in columns})
        for place, player_id in enumerate(names):
            starts = at(DAY + timedelta(days=day), hours=8 + place)
            seed = 10 * day + place
            played.append(play_daily(player_id, DAY + timedelta(days=day), day, starts, clock, seed))
    clock.time = at(DAY + timedelta(days=DAYS - 1), hours=20)
    close(clock.time)
    db.session.remove()
    return played
