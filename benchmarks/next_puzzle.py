"""The next puzzle for a player, with a million puzzles and a hundred thousand players in the tables.

`python -m benchmarks next_puzzle`, on SQLite and PostgreSQL (TEST_DATABASE_URL). It measures the choice
alone, for random players and for one who has played the 5,000 best matches, with and without techniques due;
and the whole request POST /next, through the app without a network. Times are by the clock and in this
process's own time (PostgreSQL works in a process of its own). PUZZLES and PLAYERS may be set.
"""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Callable

import sqlalchemy as sa

from benchmarks.databases import NUMBERS, analyze, databases, site_on
from benchmarks.leaderboard import NOW
from benchmarks.tables import Table, sized
from tests.webapp.visitors import SetClock
from webapp.identity import sessions
from webapp.learn.strength import choice
from webapp.models import Player, PlayerRating, PuzzleRating
from webapp.process.clock import now
from webapp.process.database import db, writing

PUZZLES = sized("PUZZLES", 1_000_000, 20_000)
PLAYERS = sized("PLAYERS", 100_000, 100)
MET_BY_EACH = 10
MET_BY_ONE = min(5000, PUZZLES // 20)  # by the last player, of the best matches for them
TURNS = sized("TURNS", 400, 2)
DUE = ("x_wing", "xy_wing", "skyscraper")
TECHNIQUES = ("x_wing", "xy_wing", "skyscraper", "swordfish", "w_wing", "aic", "als_xz", "naked_pair")

_NAME = "CASE i % 8 " + " ".join(f"WHEN {n} THEN '{key}'" for n, key in enumerate(TECHNIQUES)) + " END"
# Ratings are distributed as the engine's estimates are: from 600 to 2,200, most of them in the middle.
_RATING = "(600.0 + (i * 7919 % 1000) * 0.8 + (i * 104729 % 100003) * 0.008)"
ROWS = (
    "INSERT INTO puzzle (id, givens, level, rating_version, hardest, expected_seconds, explainer, status, "
    "engine_version, created_at) {numbers} SELECT i, {givens}, 3, 'x', {name}, 720, 4, 'approved', 'x', :now "
    "FROM n",
    "INSERT INTO puzzle_rating (puzzle_id, rating, deviation, games, hardest) "
    "{numbers} SELECT i, {rating}, 60, 0, {name} FROM n",
)
PLAYERS_ROWS = (
    "INSERT INTO player (id, key, epoch, listing, created_at, rated_since) "
    "{numbers} SELECT i, 'key' || i, 0, 'named', :now, :now FROM n",
    "INSERT INTO player_rating (player_id, family, rating, deviation, volatility, games, rated_at) "
    "{numbers} SELECT i, '', 1000 + (i * 7919 % 1000), 70, 0.06, 40, :now FROM n",
)
ATTEMPTS = (
    "INSERT INTO attempt "
    "(id, player_id, puzzle_id, level, started_at, updated_at, last_seq, assisted, ranked) "
    "{numbers} SELECT 'attempt' || i, 1 + i % :players, 1 + i * 7919 % :puzzles, 3, :now, :now, 60, :no, :no "
    "FROM n"
)
CLOSEST = (
    "INSERT INTO attempt "
    "(id, player_id, puzzle_id, level, started_at, updated_at, last_seq, assisted, ranked) "
    "SELECT 'met' || puzzle_id, :player, puzzle_id, 3, :now, :now, 60, :no, :no FROM puzzle_rating "
    "ORDER BY abs(rating - :wish) LIMIT :met"
)


def fill() -> None:
    """Fill the tables; the last player has played the best matches for them."""
    kind = db.engine.dialect.name
    now = NOW.replace(tzinfo=None).isoformat(" ") + ".000000" if kind == "sqlite" else NOW
    givens = "printf('%081d', i)" if kind == "sqlite" else "lpad(CAST(i AS text), 81, '0')"
    with writing(), db.engine.begin() as connection:
        if kind == "postgresql":
            connection.execute(sa.text("SET LOCAL statement_timeout = 0"))
        amounts = [(row, PUZZLES) for row in ROWS] + [(row, PLAYERS) for row in PLAYERS_ROWS]
        for row, amount in [*amounts, (ATTEMPTS, MET_BY_EACH * PLAYERS)]:
            text = row.format(numbers=NUMBERS[kind], givens=givens, name=_NAME, rating=_RATING)
            values = {"solves": amount, "now": now, "no": False, "players": PLAYERS, "puzzles": PUZZLES}
            names = {name: value for name, value in values.items() if f":{name}" in text}
            connection.execute(sa.text(text), names)
    wish = choice.wanted(PLAYERS, "").rating
    with writing(), db.engine.begin() as connection:
        given = {"player": PLAYERS, "now": now, "no": False, "wish": wish, "met": MET_BY_ONE}
        connection.execute(sa.text(CLOSEST), given)
    analyze()


def measure(url: str, table: Table) -> None:
    draw = random.Random(1)
    clock = SetClock(NOW)
    with site_on(url, clock=clock) as app:
        with app.app_context():
            fill()
            kind = db.engine.dialect.name
            db.session.remove()

            def chosen(player: int, due: tuple[str, ...] = ()) -> None:
                wish = choice.wanted(player, draw.choice(list(choice.SHIFTS)))
                found = choice.next_puzzle(player, wish, due)
                if found is None:
                    raise SystemExit("found no puzzle")
                near = db.session.get_one(PuzzleRating, found).rating - wish.rating
                db.session.rollback()
                if abs(near) > choice.FAR:
                    raise SystemExit(f"found one {near} points away")

            report(table, kind, "choice, any player", lambda: chosen(draw.randint(1, PLAYERS)))
            report(table, kind, "choice, 3 techniques due", lambda: chosen(draw.randint(1, PLAYERS), DUE))
            report(table, kind, "choice, the best ones met", lambda: chosen(PLAYERS))
            report(table, kind, "the same, 3 techniques due", lambda: chosen(PLAYERS, DUE))
            key = db.session.scalars(sa.select(Player.key).where(Player.id == 7)).one()
            assert db.session.get(PlayerRating, (7, "")) is not None
            sign_in = sessions.begin(7, "", "", now())
            db.session.remove()
        app.config["WTF_CSRF_ENABLED"] = False
        client = app.test_client()
        with client.session_transaction() as session:
            session.update({"player": key, "epoch": 0, "sign-in": sign_in})

        def request() -> None:
            clock.advance(minutes=10)  # or one player would pass the hourly limit of games
            response = client.post("/next")
            if response.status_code != 303 or "/attempts/" not in response.location:
                raise SystemExit(f"POST /next answered {response.status_code}")

        report(table, kind, "POST /next", request)


def report(table: Table, kind: str, what: str, do: Callable[[], None]) -> None:
    """Do it TURNS times; print the time by the clock, and this process's share of it."""
    clock, worked = [], []
    for _turn in range(TURNS):
        began = time.perf_counter(), time.process_time()
        do()
        clock.append(1000 * (time.perf_counter() - began[0]))
        worked.append(1000 * (time.process_time() - began[1]))
    figures = [cuts[at] for cuts in (_cuts(clock), _cuts(worked)) for at in (9, 18)]
    table.row(kind, what, *(f"{each:.1f}" for each in figures))


def _cuts(times: list[float]) -> list[float]:
    return statistics.quantiles(times, n=20)


def main() -> None:
    """Print the times of the choice on each database."""
    print(f"{PUZZLES:,} puzzles, {PLAYERS:,} players; {TURNS} turns.")
    table = Table(("database", "what"), ("ms, median", "ms, 95 %", "processor ms, median", "95 %"))
    with databases() as urls:
        for url in urls:
            measure(url, table)


if __name__ == "__main__":
    main()
