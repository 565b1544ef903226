"""A large site's move to PostgreSQL: the campaign `copy` copies a million games (GAMES) and compares them.

The games repeat those of `benchmarks.logs`, each with its own player, so that every one can be verified. As
on an established site, most logs are packed; one in twenty has a row for each move. The copy is killed once
on its way and repeated. Needs TEST_DATABASE_URL.
"""

from __future__ import annotations

import os
import random
import secrets
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from itertools import islice
from pathlib import Path
from typing import Any

import engine
from benchmarks.logs import Log, human, puzzles
from tests.webapp.conftest import empty_database
from tests.webapp.processes import ROOT
from tests.webapp.stocked import migrate
from webapp.game.board import Board
from webapp.game.packing import pack
from webapp.site.storage import places

KINDS = 40  # different games
STEP = 500  # games per transaction
IN_ROWS = 20  # one game in so many has its moves in rows
START = datetime(2026, 3, 1, 9, tzinfo=UTC)
MONTH = "2026-03-01"  # the month in which every game ends


def _moment(at: datetime) -> str:
    return at.strftime("%Y-%m-%d %H:%M:%S.%f")


def _template(number: int, log: Log) -> tuple[dict[str, Any], list[tuple[Any, ...]], bytes]:
    """Return the columns of an attempt and its moves, as the site would have stored them, in rows and
    packed.
    """
    board = Board.of(engine.parse(log.puzzle.givens))
    moves, whole = [], []
    for move, after in zip(log.moves, log.received, strict=True):
        at = START + timedelta(seconds=round(after, 3))
        board = board.after(move, at)
        whole.append((move, at))
        moves.append((move.seq, move.kind.value, move.cell, move.digit, _moment(at)))
    assert board.solved
    elapsed = at - START - board.paused
    attempt = {
        "puzzle_id": number,
        "level": log.puzzle.level,
        "started_at": _moment(START),
        "updated_at": moves[-1][-1],
        "last_seq": board.seq,
        "assisted": board.assisted,
        "finished_at": moves[-1][-1],
        "elapsed_ms": elapsed // timedelta(milliseconds=1),
        "ranked": False,
    }
    return attempt, moves, pack(whole)


def fill(file: Path, games: int) -> int:
    """Fill a migrated file with that many games. Returns the number of moves."""
    rng = random.Random(1)
    logs = [human(rng, puzzle) for puzzle in puzzles()[:KINDS]]
    stored = 0
    with closing(places.open_file(file)) as connection:
        connection.execute("PRAGMA synchronous=OFF")
        connection.execute("DELETE FROM puzzle")
        connection.executemany(
            "INSERT INTO puzzle (id, givens, level, rating_version, status, engine_version, created_at) "
            "VALUES (?, ?, ?, 'test', 'approved', 'test', ?)",
            [
                (number, log.puzzle.givens, log.puzzle.level, _moment(START))
                for number, log in enumerate(logs, 1)
            ],
        )
        templates = [_template(number, log) for number, log in enumerate(logs, 1)]
        names = ("id", "player_id", "packed", *templates[0][0])
        marks = ", ".join("?" * len(names))
        numbers = iter(range(1, games + 1))
        while step := list(islice(numbers, STEP)):
            ids = {number: secrets.token_urlsafe(16) for number in step}
            of = {number: templates[number % len(templates)] for number in step}
            connection.execute("BEGIN")
            connection.executemany(
                """INSERT INTO player (id, "key", epoch, listing, created_at) VALUES (?, ?, 0, 'named', ?)""",
                [(number, secrets.token_urlsafe(16), _moment(START)) for number in step],
            )
            connection.executemany(
                f"INSERT INTO attempt ({', '.join(names)}) VALUES ({marks})",  # noqa: S608  our own names
                [(ids[number], number, number % IN_ROWS > 0, *of[number][0].values()) for number in step],
            )
            connection.executemany(
                "INSERT INTO packed_log VALUES (?, ?, ?)",
                sorted((ids[number], MONTH, of[number][2]) for number in step if number % IN_ROWS),
            )
            unpacked = [number for number in step if not number % IN_ROWS]
            rows = [(ids[number], *move) for number in unpacked for move in of[number][1]]
            rows.sort(key=lambda row: row[:2])
            connection.executemany("INSERT INTO move VALUES (?, ?, ?, ?, ?, ?)", rows)
            connection.execute("COMMIT")
            stored += len(rows)
    return stored


def copying(instance: Path, url: str) -> subprocess.Popen[str]:
    """Start the command."""
    environment = os.environ | {"INSTANCE_PATH": str(instance)}
    command = [sys.executable, "-m", "flask", "--app", "wsgi", "copy", "--to", url]
    return subprocess.Popen(
        command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )


def copied_moves(url: str) -> int:
    """Return how many moves are on their way to the target."""
    of_moves = "SELECT tuples_processed FROM pg_stat_progress_copy WHERE relid = to_regclass('move')"
    with places.postgresql(url) as connection:
        row = connection.execute(of_moves).fetchone()
    return 0 if row is None else int(row[0])


def main() -> Iterator[str]:
    """Run the campaign. Yields its report."""
    games = int(os.environ.get("GAMES", 1_000_000))
    with (
        tempfile.TemporaryDirectory() as folder,
        empty_database(os.environ["TEST_DATABASE_URL"], "copy") as url,
    ):
        instance = Path(folder) / "instance"
        migrate(instance)
        began = time.monotonic()
        moves = fill(instance / "ninefold.sqlite", games)
        size = (instance / "ninefold.sqlite").stat().st_size / 1e6
        took = time.monotonic() - began
        yield f"made {games:,} games, {moves:,} moves in rows, {size:,.0f} MB in {took:.0f} s"
        killed = copying(instance, url)
        began = time.monotonic()
        while (there := copied_moves(url)) < moves // 3 + 1 and killed.poll() is None:
            time.sleep(0.2)
        killed.kill()
        killed.communicate()
        yield f"killed after {time.monotonic() - began:.0f} s and {there:,} moves"
        rest = copying(instance, url)
        output, _nothing = rest.communicate()
        assert rest.returncode == 0, output
        yield output.rstrip()
        yield f"copied in {time.monotonic() - began:.0f} s in all"


if __name__ == "__main__":
    for line in main():
        print(line, flush=True)
