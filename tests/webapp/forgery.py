"""Forged finishes: tests/webapp/competition/test_forgery.py sends dozens, or thousands.

Each tries to reach a leaderboard without solving the puzzle: wrong digits, unknown fields, client times,
replayed batches, two tabs at once, a server clock that steps by an hour, another player's attempt. A forger
has a name and a ranked attempt, so only the forgery keeps them off the leaderboard, where an honest player
appears at the end. The first opens a page and takes its token; the others use the same one, because forgers'
sessions differ only in the player.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import sqlalchemy as sa
from flask import Flask
from werkzeug.test import TestResponse

from tests.webapp.conftest import solution_of
from tests.webapp.solves import DAY, add_daily, at, close
from tests.webapp.visitors import MoveFields, SetClock, Visitor, solving_moves
from webapp.identity import sessions
from webapp.models import Attempt, Leaderboard, Player
from webapp.process.database import db, write_tx


class Steady:
    """A monotonic clock of its own, independent of the other."""

    def __init__(self, clock: SetClock) -> None:
        self.clock, self.stepped = clock, timedelta()

    def __call__(self) -> str:
        return f"boot:{int((self.clock.time - self.stepped).timestamp() * 1e6) * 1000}"

    def step(self, amount: timedelta) -> None:
        """Step the machine's time without any time passing."""
        self.clock.time += amount
        self.stepped += amount


class Forger:
    """A named player with a ranked attempt at the daily, and the server's responses so far."""

    def __init__(self, app: Flask, clock: SetClock, steady: Steady, rng: random.Random) -> None:
        self.app, self.clock, self.steady, self.rng = app, clock, steady, rng
        self.answers: Counter[int] = Counter()
        self.visitor = Visitor(app)
        self.address = self.token = self.secret = ""
        self.givens = self.solution = ""

    def begin(self, number: int) -> None:
        """Become the player of this number, with a fresh ranked attempt."""
        self.clock.time, self.steady.stepped = at(hours=8), timedelta()
        self.visitor = Visitor(self.app)
        with self.app.app_context():
            player = Player(
                name=f"F{number}",
                name_key=f"f{number}",
                password_hash="x",
                created_at=at(hours=1),
                named_at=at(hours=1),
            )
            with write_tx():
                db.session.add(player)
            sign_in = sessions.begin(player.id, "", "", at(hours=8))
            cookie = {"player": player.key, "epoch": player.epoch, "sign-in": sign_in, "day": DAY.isoformat()}
        if not self.token:
            self._open_a_page()
        with self.visitor.client.session_transaction() as session:
            session.update(cookie, csrf_token=self.secret)
        self.visitor.token = self.token
        self.address = self.visitor.start(daily=DAY.isoformat(), level=2, ranked=1)
        with self.app.app_context():
            self.givens = db.session.get_one(Attempt, self.address.rpartition("/")[2]).givens
        self.solution = solution_of(self.givens)

    def _open_a_page(self) -> None:
        self.visitor.get("/")
        self.token = self.visitor.token
        with self.visitor.client.session_transaction() as session:
            self.secret = session["csrf_token"]

    def right(self) -> list[MoveFields]:
        """Return the moves that solve it."""
        return list(solving_moves(self.givens, self.solution))

    def send(self, moves: list[MoveFields], first: int = 1, **more: Any) -> int:
        """Post a batch, with superfluous fields. Returns the status."""
        return self._noted(self.visitor.move(self.address, first, *moves, **more))

    def post(self, path: str, form: dict[str, Any]) -> int:
        return self._noted(self.visitor.post(path, form, htmx=True))

    def _noted(self, answer: TestResponse) -> int:
        self.answers[answer.status_code] += 1
        return answer.status_code


def wrong_digits(forger: Forger) -> None:
    """Fill the board with some wrong digits."""
    moves = forger.right()
    for index in forger.rng.sample(range(len(moves)), forger.rng.randint(1, len(moves))):
        kind, cell, digit = moves[index]
        moves[index] = (kind, cell, str(int(digit) % 9 + 1))
    forger.clock.advance(minutes=7)
    forger.send(moves)


def extra_fields(forger: Forger) -> None:
    """Send fields named like columns, with an empty or half a log."""
    columns = [column.name for column in Attempt.__table__.columns]
    values = ("1", "true", "verified", "day", "2026-03-01T08:01:00Z", "100", "solved")
    more: dict[str, Any] = {name: forger.rng.choice(values) for name in forger.rng.sample(columns, 8)}
    moves = forger.right()[: forger.rng.randint(0, 40)]
    forger.send(moves, **{name: value for name, value in more.items() if name != "seq"}, state="solved")


def client_times(forger: Forger) -> None:
    """Send the solution at once, with client times that claim it took longer."""
    forger.clock.advance(seconds=forger.rng.uniform(0.1, 20))
    forger.send(
        forger.right(),
        elapsed_ms="420000",
        received_at=["2026-03-01T08:07:00Z"] * 60,
        started_at="2026-03-01T07:00:00Z",
        at=[str(8000 * number) for number in range(60)],
    )


def replays(forger: Forger) -> None:
    """Send one batch again and again, and moves with used numbers."""
    moves = forger.right()[:30]
    forger.clock.advance(minutes=3)
    for _turn in range(3):
        forger.send(moves)
    forger.send([(kind, cell, str(int(digit) % 9 + 1)) for kind, cell, digit in moves])
    forger.send(forger.right()[30:], first=forger.rng.choice((1, 30, 32, 4999)))


def two_tabs(forger: Forger) -> None:
    """Start a second attempt at the puzzle, and solve it with what the first has shown."""
    forger.clock.advance(minutes=5)
    first = forger.address
    forger.post("/attempts", {"daily": DAY.isoformat(), "level": "2", "ranked": "1"})
    forger.post("/attempts", {"daily": DAY.isoformat(), "level": "2"})
    with forger.app.app_context():
        numbers = list(db.session.scalars(sa.select(Attempt.id).order_by(Attempt.started_at.desc()).limit(2)))
    forger.address = f"/attempts/{forger.rng.choice(numbers)}"
    forger.clock.advance(seconds=3)
    if forger.address != first:
        forger.send(forger.right())
    forger.address = first
    forger.send([("check", "", ""), *forger.right()])


def clock_steps(forger: Forger) -> None:
    """Step the server's clock by an hour while the solve runs."""
    forger.clock.advance(minutes=forger.rng.uniform(4, 9))
    forger.steady.step(timedelta(hours=forger.rng.choice((-1, 1))))
    forger.clock.advance(seconds=5)
    forger.send(forger.right())


def anothers_attempt(forger: Forger) -> None:
    """Send moves, hints and undos for another player's attempt."""
    owner, address = forger.visitor, forger.address
    moves = forger.right()
    forger.begin(forger.rng.randrange(10**9, 2 * 10**9))
    forger.clock.advance(minutes=8)
    forger.address, mine = address, forger.address
    assert forger.send(moves) == 404
    for route in ("undos", "redos", "clock", "hints", "checks"):
        assert forger.post(f"{address}/{route}", {"state": "running", "seq": "1"}) == 404
    forger.visitor, forger.address = owner, mine
    assert forger.send(moves) == 404


FORGERIES: tuple[Callable[[Forger], None], ...] = (
    wrong_digits,
    extra_fields,
    client_times,
    replays,
    two_tabs,
    clock_steps,
    anothers_attempt,
)


def forge(app: Flask, clock: SetClock, steady: Steady, count: int, seed: int) -> Counter[int]:
    """Send that many forged finishes and an honest one. Returns the server's responses.

    Raises AssertionError for a forged row on a leaderboard and for any 5xx.
    """
    with app.app_context():
        add_daily()
    forger = Forger(app, clock, steady, random.Random(seed))
    for number in range(count):
        forger.begin(number)
        FORGERIES[number % len(FORGERIES)](forger)
    assert not [status for status in forger.answers if status >= 500], forger.answers
    forger.begin(count)
    forger.clock.advance(minutes=8)
    assert forger.send(forger.right()) == 200
    with app.app_context():
        close(at(days=5))
        listed = db.session.execute(
            sa.select(Player.name, Attempt.board).join(Attempt.player).where(Attempt.board == Leaderboard.DAY)
        ).all()
        assert [tuple(row) for row in listed] == [(f"F{count}", Leaderboard.DAY)]
    return forger.answers
