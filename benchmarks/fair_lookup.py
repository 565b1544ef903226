"""How long it takes to find the nearest order among those of 100,000 other games of a day.

`python -m benchmarks fair_lookup`, on SQLite and, with TEST_DATABASE_URL, on PostgreSQL: honest orders of one
puzzle at level 3, where orders resemble each other the most, made many by moving their digits a little;
OTHERS says how many. By the clock, and by the process's own time (PostgreSQL works in a process of its own).
"""

from __future__ import annotations

import os
import random
import statistics
import time

import sqlalchemy as sa

from benchmarks.databases import analyze, databases, site_on
from benchmarks.fair import solve_of
from benchmarks.leaderboard import NOW, fill
from tests.players import HONEST, puzzles
from webapp.competition.fair_play import traces
from webapp.game.evidence import likeness
from webapp.models import Trace, TraceKey
from webapp.process.database import db, writing

OTHERS = int(os.environ.get("OTHERS", "100000"))
LEVEL, APART, TURNS, STEP = 3, 6.0, 60, 2000


def some_traces() -> list[likeness.Trace]:
    """Honest solves of one puzzle."""
    puzzle = next(each for each in puzzles() if each.level == LEVEL)
    players = [player for player in HONEST if LEVEL in player.levels and "paper" not in player.name]
    return [likeness.trace(solve_of(player.play(puzzle, seed))) for player in players for seed in range(6)]


def moved(trace: likeness.Trace, rng: random.Random) -> likeness.Trace:
    """An order with every digit some places away."""
    places = sorted(range(len(trace.order)), key=lambda place: place + rng.gauss(0, APART))
    return likeness.Trace(bytes(trace.order[place] for place in places), trace.waits, by_logic=False)


def fill_traces(some: list[likeness.Trace]) -> None:
    rng = random.Random(1)
    with writing(), db.engine.begin() as connection:
        if db.engine.dialect.name == "postgresql":  # no check of each key's trace: a minute less
            connection.execute(sa.text("SET LOCAL session_replication_role = replica"))
        for first in range(0, OTHERS, STEP):
            rows, keys = [], []
            for number in range(first + 1, min(first + STEP, OTHERS) + 1):
                trace = moved(rng.choice(some), rng)
                rows.append(
                    {
                        "id": number,
                        "attempt_id": f"attempt{number}",
                        "player_id": number,
                        "started_at": NOW,
                        "finished_at": NOW,
                        "order": trace.order,
                        "waits": trace.waits,
                        "by_logic": False,
                    }
                )
                keys += [{"key": key, "trace_id": number} for key in likeness.keys(trace.order, 1)]
            connection.execute(sa.insert(Trace), rows)
            connection.execute(sa.insert(TraceKey), keys)
    analyze()


def measure(url: str, some: list[likeness.Trace]) -> None:
    with site_on(url, clock=lambda: NOW) as app, app.app_context():
        fill(OTHERS)
        fill_traces(some)
        clock, own = [], []
        for turn in range(TURNS):
            begun, spent = time.perf_counter(), time.process_time()
            traces.nearest(1, 0, some[turn % len(some)])
            clock.append(1000 * (time.perf_counter() - begun))
            own.append(1000 * (time.process_time() - spent))
            db.session.rollback()
        figures = (f"{statistics.median(each):.1f}, at most {max(each):.1f}" for each in (clock, own))
        print(f"| {db.engine.dialect.name} | {OTHERS:,} |", " | ".join(figures), "|", flush=True)


def main() -> None:
    some = some_traces()
    print("| database | others | ms by the clock | ms of the process |\n|---|---|---|---|")
    with databases() as urls:
        for url in urls:
            measure(url, some)


if __name__ == "__main__":
    main()
