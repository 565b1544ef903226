"""A day's leaderboard with 100,000 solves, on SQLite and PostgreSQL (TEST_DATABASE_URL).

`python -m benchmarks leaderboard`: all solves are of one day, each by another player, and each of these has
points of a week and of all time. Whole requests of a signed-in player whose own row is far below, through the
app without a network: the first page, ten pages deep, and the middle, the day's with a chart. Medians by the
clock and in the process's own time (PostgreSQL works in a process of its own).
"""

from __future__ import annotations

import html
import re
import statistics
import time
from datetime import UTC, date, datetime

import sqlalchemy as sa
from flask.testing import FlaskClient

from benchmarks.databases import NUMBERS, analyze, databases, site_on
from benchmarks.tables import Table, sized
from webapp.competition import points
from webapp.identity import sessions
from webapp.models import Player
from webapp.models.daily import FIRST_DAY
from webapp.process.database import db, writing

SOLVES = sized("SOLVES", 100_000, 2_000)
TURNS = sized("TURNS", 101)
DAY = date(2026, 3, 1)
NOW = datetime(2026, 3, 1, 23, tzinfo=UTC)
MONDAY = points.monday(DAY)
GIVENS = "...7..12.........4.8316...5..2..6.37..9...8..36.8..4..1...4956.5.........34..8..."

# Times are distributed as people's are, from one minute to three hours, most of them around eight minutes.
MILLISECONDS = "(60000 + (i * 7919 % 1000) * (i * 104729 % 1000) + (i * 31 % 1000) * (i * 17 % 90))"
# Of the games: 22 characters, as all have.
KEYS = {
    "sqlite": "printf('attempt%015d', i)",
    "postgresql": "'attempt' || lpad(CAST(i AS text), 15, '0')",
}
FIRST = "attempt000000000000001"
ROWS = (
    "INSERT INTO player (id, key, name, name_key, password_hash, epoch, listing, created_at, named_at) "
    "{numbers} SELECT i, 'key' || i, 'Player ' || i, 'player ' || i, 'x', 0, 'named', :now, :now FROM n",
    "INSERT INTO puzzle (id, givens, level, rating_version, status, engine_version, created_at) "
    "VALUES (1, :givens, 2, 'x', 'daily', 'x', :now)",
    "INSERT INTO daily (id, date, level, puzzle_id, by_hand, created_at) VALUES (1, :day, 2, 1, :no, :now)",
    "INSERT INTO attempt (id, player_id, puzzle_id, level, started_at, updated_at, last_seq, assisted, "
    "finished_at, elapsed_ms, daily_id, ranked, standing, board) "
    "{numbers} SELECT {key}, i, 1, 2, :now, :now, 60, :no, :now, {ms}, 1, :yes, 'verified', 'day' FROM n",
    "INSERT INTO score (player_id, scope, starts_on, level, points, solves) "
    "{numbers} SELECT i, 'week', :monday, 0, i * 7919 % 701, 7 FROM n",
    "INSERT INTO score (player_id, scope, starts_on, level, points, solves) "
    "{numbers} SELECT i, 'all', :first, 0, i * 7919 % 101, 100 FROM n",
)


def fill(solves: int = SOLVES) -> None:
    """Insert that many solves on one leaderboard."""
    kind = db.engine.dialect.name
    values = {
        "solves": solves,
        "givens": GIVENS,
        "now": NOW.replace(tzinfo=None).isoformat(" ") + ".000000" if kind == "sqlite" else NOW,
        "day": DAY.isoformat() if kind == "sqlite" else DAY,
        "monday": MONDAY.isoformat() if kind == "sqlite" else MONDAY,
        "first": FIRST_DAY.isoformat() if kind == "sqlite" else FIRST_DAY,
        "yes": True,
        "no": False,
    }
    with writing(), db.engine.begin() as connection:
        if kind == "postgresql":
            connection.execute(sa.text("SET LOCAL statement_timeout = 0"))
        for row in ROWS:
            text = row.format(numbers=NUMBERS[kind], ms=MILLISECONDS, key=KEYS[kind])
            names = {name: value for name, value in values.items() if f":{name}" in text}
            connection.execute(sa.text(text), names)
    analyze(vacuum=True)  # as PostgreSQL itself does some minutes after so many rows


def _deep(client: FlaskClient, path: str, pages: int) -> str:
    """Return the address of the page that so many links to the next one lead to."""
    for _page in range(pages):
        found = re.search(r'id="page-after"\s+href="([^"]+)"', client.get(path).text)
        assert found is not None
        path = html.unescape(found[1])
    return path


def measure(url: str, table: Table) -> None:
    with site_on(url, clock=lambda: NOW) as app:
        with app.app_context():
            fill()
            kind = db.engine.dialect.name
            slow = sa.select(Player.key, Player.epoch).where(Player.id == SOLVES // 2)
            key, epoch = db.session.execute(slow).one()
            sign_in = sessions.begin(SOLVES // 2, "", "", NOW)
            db.session.remove()
        client = app.test_client()
        with client.session_transaction() as session:
            session.update({"player": key, "epoch": epoch, "sign-in": sign_in, "day": DAY.isoformat()})
        pages = {
            "day, first page": "/leaderboard?date=2026-03-01&level=2",
            "day, ten pages deep": _deep(client, "/leaderboard?date=2026-03-01&level=2", 10),
            "day, in the middle": f"/leaderboard?date=2026-03-01&level=2&after=480000.0.{FIRST}",
            "week, first page": "/leaderboard?scope=week&date=2026-03-01",
            "week, in the middle": "/leaderboard?scope=week&date=2026-03-01&after=350.1000",
            "all time, first page": "/leaderboard?scope=all&date=2026-03-01",
            "all time, in the middle": "/leaderboard?scope=all&date=2026-03-01&after=50.1000",
        }
        for name, path in pages.items():
            times, work = [], []
            for _turn in range(TURNS):
                began, worked = time.perf_counter(), time.process_time()
                response = client.get(path)
                times.append(time.perf_counter() - began)
                work.append(time.process_time() - worked)
                if response.status_code != 200 or f"Player {SOLVES // 2}<" not in response.text:
                    raise SystemExit(f"{path} answered {response.status_code} without the player's own row")
            by_clock, own = (1000 * statistics.median(each) for each in (times, work))
            table.row(kind, name, f"{by_clock:.1f}", f"{own:.1f}")


def main() -> None:
    """Print how long each page takes, on each database."""
    print(f"{SOLVES:,} solves; medians of {TURNS} requests.")
    table = Table(("database", "page"), ("ms by the clock", "ms of processor"))
    with databases() as urls:
        for url in urls:
            measure(url, table)


if __name__ == "__main__":
    main()
