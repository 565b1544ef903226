"""Bytes and processor time of a game, and the cost of a site of many players by these figures.

`python -m benchmarks growth` stores GAMES (500) played as people play (`benchmarks/logs.py`), packs them and
measures both, on SQLite and, if TEST_DATABASE_URL names a server, on PostgreSQL. Then it prints the model of
docs/growth.md. All assumptions are in `Inputs`.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass, fields, replace
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path

import sqlalchemy as sa

from benchmarks.databases import databases, site_on
from benchmarks.logs import human, puzzles
from benchmarks.tables import Table, sized
from tests.webapp.visitors import Visitor
from webapp.competition import logs
from webapp.models import Attempt, Move, PackedLog, Player, Puzzle, Status
from webapp.process.database import db, sqlite_module, write_tx, writing

GAMES = sized("GAMES", 500, 2)
START = datetime(2026, 3, 1, 9, tzinfo=UTC)
DAY = 86_400  # seconds
PLAYERS = (1_000, 10_000, 100_000, 1_000_000, 10_000_000)
TURNS = sized("TURNS", 40)  # requests of each kind


@dataclass(frozen=True)
class Inputs:
    """The inputs of the model: measured here or in benchmarks/play.md, or assumed."""

    # Measured: printed by this command; the mean of the two databases if they differ.
    moves: float = 77.2  # a game
    row: float = 97.6  # bytes of a move as a row, indexes included
    packed: float = 5.7  # bytes of a packed move, its row included
    batch_ms: float = 1.6  # of processor, for a batch with one new move, without the HTTP server
    page_ms: float = 7.6  # of processor, the mean of home, board, leaderboard and archive
    attempt: float = 475.0  # bytes of a game without its moves, indexes included
    # Assumed.
    http: float = 1.4  # the HTTP server and the kernel, as a factor on both
    games: float = 2.0  # begun by a player on a day
    finished: float = 0.7  # of the games begun
    batches: float = 60.0  # a game: quick moves travel together
    pages: float = 8.0  # a game
    page_kb: float = 15.0  # sent for a page, with the share of first visits
    peak: float = 2.5  # the busiest hour relative to the mean one
    busy: float = 0.5  # of a core, at the peak: waiting grows steeply beyond
    connections: float = 4.0  # to the database, for each core of the web hosts
    database: float = 1 / 3  # cores of the database, for each core of the web hosts
    # Prices a month, to be replaced by those of your provider: inputs, not quotes.
    core: float = 12.0  # with 2 GB of memory
    disk: float = 0.10  # a GB on solid state, and as much again for a replica
    kept: float = 0.02  # a GB of backups
    copies: float = 54.0  # of the site, with the recipe's `--keep 24h,30d`
    compressed: float = 0.25  # bytes of a backup for each of the site: SQLite's, by gzip
    traffic: float = 0.02  # a GB sent


@dataclass(frozen=True)
class Site:
    """The model's results for one size."""

    players: int
    batches: float  # a second, at the peak
    cores: float  # of web hosts
    connections: float
    hot: float  # GB: rows of the day and of games never finished
    grows: float  # GB a year: games and packed logs
    backups: float  # GB: all copies together, after two years
    cost: float  # a month, with the games of two years


def model(players: int, given: Inputs) -> Site:
    """Return the resources that a site with that many players a day needs."""
    games = players * given.games
    second = given.peak * games / DAY
    busy = given.http * (given.batches * given.batch_ms + given.pages * given.page_ms) / 1000
    cores = second * busy / given.busy
    left = games * (1 - given.finished) * 365 * given.moves / 2 * given.row
    hot = (games * given.finished * 1.5 * given.moves * given.row + left) / 1e9
    grows = 365 * games * (given.attempt + given.finished * given.moves * given.packed) / 1e9
    sent = 30 * games * (given.pages * given.page_kb * 1e3 + given.batches * 1e3) / 1e9
    stored = hot + 2 * grows
    backups = stored * given.compressed * given.copies
    data_cores = max(
        1.0, cores / 3
    )  # of the database: a third of the web hosts' use, as measured in alternation
    cost = (
        given.core * (max(1.0, cores) + data_cores)
        + stored * 2 * given.disk
        + backups * given.kept
        + sent * given.traffic
    )
    connections = cores * given.connections
    return Site(players, second * given.batches, cores, connections, hot, grows, backups, cost)


def main() -> None:
    """Measure, then print the model with the measured figures and with its built-in ones."""
    measured = Inputs()
    table = Table(("database", "what a game costs"), ("measured",))
    with databases() as urls:
        for url in urls:
            measured = _measured(url, GAMES, table)
    load = ("batches a second at the peak", "web cores", "connections")
    table = Table(
        ("players a day",), (*load, "rows of moves, GB", "grows a year, GB", "backups, GB", "$ a month")
    )
    for players in PLAYERS:
        site = model(players, measured)
        cells = f"{site.batches:,.0f}", f"{site.cores:,.1f}", f"{site.connections:,.0f}"
        sizes = f"{site.hot:,.1f}", f"{site.grows:,.1f}", f"{site.backups:,.0f}"
        table.row(f"{players:,}", *cells, *sizes, f"{site.cost:,.0f}")
    table = Table(("input that is doubled, 1,000,000 players",), ("cost",))
    base = model(1_000_000, measured).cost
    for one in fields(measured):
        doubled = model(1_000_000, replace(measured, **{one.name: 2 * getattr(measured, one.name)}))
        table.row(one.name, f"{100 * (doubled.cost / base - 1):+.0f} %")


def _measured(url: str, count: int, table: Table) -> Inputs:
    with site_on(url) as app:
        with app.app_context():
            kind = db.engine.dialect.name
            moves = _play(count)
            games, rows = _size("attempt"), _size("move")
            began = time.process_time()
            packed = sum(logs.pack_finished(START + timedelta(days=30)))
            took = time.process_time() - began
            value = db.session.scalar(sa.select(sa.func.sum(sa.func.length(PackedLog.packed)))) or 0
            db.session.rollback()  # it would hold a lock
            kept = _kept()
        batch, page = _requests(Visitor(app))
    value /= moves
    for what, figure in (
        ("moves of a game", f"{moves / count:.1f}"),
        ("a move as a row, with indexes", f"{rows / moves:.1f} bytes"),
        ("a packed move", f"{value:.2f} bytes"),
        ("the same with the row and index it lies in", f"{kept / moves:.2f} bytes"),
        ("a game without its moves, with indexes", f"{games / count:.0f} bytes"),
        ("packing a game and reading it back, processor", f"{1000 * took / packed:.1f} ms"),
        ("a batch with one move, processor, without the HTTP server", f"{batch:.1f} ms"),
        ("a page (mean of home, board, leaderboard, archive), processor", f"{page:.1f} ms"),
    ):
        table.row(kind, what, figure)
    return replace(
        Inputs(),
        moves=moves / count,
        row=rows / moves,
        packed=kept / moves,
        batch_ms=batch,
        page_ms=page,
        attempt=games / count,
    )


def _play(count: int) -> int:
    """Store that many finished games. Returns their number of moves."""
    timed, total, player, grids = puzzles(), 0, 0, dict[str, int]()
    for number in range(count):
        puzzle = timed[number % len(timed)]
        log = human(random.Random(number), puzzle)
        starts = START + timedelta(minutes=number)
        with write_tx():
            if number % 20 == 0:
                row = Player(created_at=starts)
                db.session.add(row)
                db.session.flush()
                player = row.id
            if puzzle.givens not in grids:
                grid = Puzzle(
                    givens=puzzle.givens,
                    level=puzzle.level,
                    rating_version="growth",
                    status=Status.ENTERED,
                    engine_version="growth",
                    created_at=starts,
                )
                db.session.add(grid)
                db.session.flush()
                grids[puzzle.givens] = grid.id
            times = [starts + timedelta(seconds=received) for received in log.received]
            game = Attempt(
                player_id=player,
                puzzle_id=grids[puzzle.givens],
                level=puzzle.level,
                started_at=starts,
                updated_at=times[-1],
                last_seq=len(times),
                finished_at=times[-1],
                elapsed_ms=(times[-1] - starts) // timedelta(milliseconds=1),
            )
            db.session.add(game)
            db.session.flush()
            made = zip(log.moves, times, strict=True)
            named = ("attempt_id", "seq", "kind", "cell", "digit", "received_at")
            values = [(game.id, move.seq, move.kind, move.cell, move.digit, at) for move, at in made]
            db.session.execute(sa.insert(Move), [dict(zip(named, value, strict=True)) for value in values])
        total += len(times)
    return total


def _size(table: str) -> int:
    """Return the bytes of a table with its indexes, after free space is returned."""
    if db.engine.dialect.name == "postgresql":
        with db.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
            connection.exec_driver_sql(f"VACUUM FULL {table}")
            return int(connection.scalar(sa.text(f"SELECT pg_total_relation_size('{table}')")) or 0)
    driver, file = sqlite_module()[0], Path(str(db.engine.url.database))
    twin = file.with_suffix(".twin")
    sizes = []
    without = str(sa.delete(db.metadata.tables[table]))
    for source, drop in ((file, ()), (twin, (without,))):
        to = twin if source is file else file.with_suffix(".rest")
        to.unlink(missing_ok=True)
        with closing(driver.connect(source, isolation_level=None)) as connection:
            for statement in (*drop, f"VACUUM INTO '{to}'"):
                connection.execute(statement)
        sizes.append(to.stat().st_size)
    return sizes[0] - sizes[1]


def _kept() -> int:
    """Return the bytes of the packed logs with their index, from a table twenty times as large: a page is
    8 KB.
    """
    if db.engine.dialect.name != "postgresql":
        return _size("packed_log")
    copies = (
        "SELECT substr(md5(attempt_id || n), 1, 22), month, packed FROM packed_log, generate_series(1, 20) n"
    )
    with writing(), db.engine.begin() as connection:
        connection.exec_driver_sql("CREATE TABLE many (LIKE packed_log INCLUDING ALL)")
        connection.exec_driver_sql(f"INSERT INTO many {copies}")
    try:
        return _size("many") // 20
    finally:
        with db.engine.begin() as connection:
            connection.exec_driver_sql("DROP TABLE many")


def _requests(visitor: Visitor) -> tuple[float, float]:
    """Return milliseconds of processor time for a batch of one move, and for a page."""
    address = visitor.post("/attempts", {"grid": puzzles()[0].givens}).location
    numbers = iter(range(1, 10_000))
    cell = puzzles()[0].givens.index(".")

    def move() -> None:
        visitor.move(address, next(numbers), ("corner", cell, 1))

    batch = _each(move)
    paths = ("/", address, "/leaderboard", "/archive")
    return batch, sum(_each(partial(visitor.get, path)) for path in paths) / len(paths)


def _each(act: Callable[[], object], turns: Sequence[int] = range(TURNS)) -> float:
    act()
    began = time.process_time()
    for _ in turns:
        act()
    return 1000 * (time.process_time() - began) / len(turns)


if __name__ == "__main__":
    main()
