"""Hourly budgets of requests, for players and addresses, and the messages once they are used up."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from time import thread_time

import pytest
import sqlalchemy as sa
from flask import Flask
from werkzeug.test import TestResponse

from tests.webapp.conftest import EASY
from tests.webapp.statements import one
from tests.webapp.visitors import SetClock, Visitor
from webapp.identity import costs, limits
from webapp.identity.aside import Aside
from webapp.identity.costs import Payer
from webapp.models import Attempt, Bucket, Move, Player
from webapp.process.database import db
from webapp.process.errors import TooMany

pytestmark = pytest.mark.both_databases


@pytest.fixture
def alone(app: Flask, monkeypatch: pytest.MonkeyPatch) -> Flask:
    """A site without shared addresses."""
    monkeypatch.setitem(app.extensions, "settings", replace(app.extensions["settings"], crowd=1))
    return app


def rows(app: Flask, model: type) -> int:
    return one(app, sa.select(sa.func.count()).select_from(model)) or 0


def allow(monkeypatch: pytest.MonkeyPatch, name: str, person: int) -> None:
    monkeypatch.setattr(limits, name, replace(getattr(limits, name), capacity=person))


Ask = Callable[[Visitor, int], TestResponse]


@pytest.mark.usefixtures("alone")
@pytest.mark.parametrize(
    ("cost", "enough", "ask"),
    [
        ("GUESTS", 2, lambda visitor, _n: Visitor(visitor.app).post("/attempts", {"level": 1})),
        ("GAMES", 2, lambda visitor, n: visitor.post("/attempts", {"level": n})),
        ("WORK", 2, lambda visitor, _n: visitor.get("/enter?grid=" + "1" * 81)),
        ("WORK", 2, lambda visitor, _n: visitor.post("/enter", {"grid": "1" * 81})),
        ("WORK", 2, lambda visitor, _n: visitor.get("/print?level=1&count=1")),
    ],
    ids=["guests", "games", "shared grids", "entered grids", "paper"],
)
def test_what_has_been_used_up_is_429_and_says_when(
    guest: Visitor,
    clock: SetClock,
    monkeypatch: pytest.MonkeyPatch,
    cost: str,
    enough: int,
    ask: Ask,
) -> None:
    allow(monkeypatch, cost, enough)
    answers = [ask(guest, number) for number in range(1, enough + 2)]
    assert [answer.status_code == 429 for answer in answers] == [False] * enough + [True]
    assert answers[-1].headers["Retry-After"] == "1800"
    assert "Try again in 30 minutes." in answers[-1].text
    clock.advance(minutes=30)
    assert ask(guest, 4).status_code != 429


def test_moves_are_paid_by_the_cells_they_name(
    alone: Flask, guest: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    allow(monkeypatch, "MOVES", 200)
    address = guest.start(grid=EASY)
    every = ",".join(str(cell) for cell in range(81))
    for seq in (1, 2):
        assert guest.move(address, seq, ("colour", every, 1)).status_code == 200
    assert guest.move(address, 3, ("colour", every, 1)).status_code == 200
    refused = guest.move(address, 4, ("colour", every, 1))
    assert (refused.status_code, refused.headers["Retry-After"]) == (429, "1800")
    assert rows(alone, Move) == 3


def test_what_is_refused_leaves_no_game_behind(
    alone: Flask, guest: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    allow(monkeypatch, "GUESTS", 1)
    guest.start(level=1)
    Visitor(alone).post("/attempts", {"level": 2})
    assert (rows(alone, Player), rows(alone, Attempt)) == (1, 1)


def test_a_class_behind_one_address_plays_at_once(app: Flask) -> None:
    """Thirty people, the number expected at an address."""
    for _ in range(30):
        visitor = Visitor(app)
        colored = [("colour", ",".join(map(str, range(81))), 1)] * 3
        assert visitor.move(visitor.start(level=1), 1, *colored).status_code == 200


def test_addresses_of_one_ipv6_network_pay_together(alone: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    allow(monkeypatch, "GUESTS", 1)
    statuses = [
        Visitor(alone, address=address).post("/attempts", {"level": 1}).status_code
        for address in ("2001:db8::1", "2001:db8::ffff:2", "2001:db8:1::1")
    ]
    assert statuses == [303, 429, 303]


@pytest.mark.usefixtures("alone")
def test_a_player_pays_at_every_address(ada: Visitor, monkeypatch: pytest.MonkeyPatch) -> None:
    allow(monkeypatch, "GAMES", 1)
    ada.start(level=1)
    ada.address = "192.0.2.7"
    assert ada.post("/attempts", {"level": 2}).status_code == 429


@pytest.mark.usefixtures("alone")
def test_a_game_that_is_taken_up_again_costs_nothing(guest: Visitor, monkeypatch: pytest.MonkeyPatch) -> None:
    allow(monkeypatch, "GAMES", 2)
    for _ in range(4):
        guest.start(grid=EASY)


@pytest.mark.usefixtures("inside")
def test_the_first_caller_pays_for_work_that_outlasts_the_request() -> None:
    def work(_key: str) -> None:
        until = thread_time() + 0.15
        while thread_time() < until:
            pass

    costs.begin(lambda: Payer("192.0.2.1", None))
    try:
        aside = Aside(work)
        aside.ask("hard", 60)
        aside.ask("next", 60)  # after the first has been counted
        db.session.rollback()
        tokens = sa.select(Bucket.tokens).where(Bucket.key.startswith("processor"))
        assert db.session.scalars(tokens).one() < 180 - 0.1
    finally:
        costs.begin(None)


@pytest.mark.usefixtures("inside")
def test_a_player_who_has_used_up_the_processor_sees_when_to_retry(clock: SetClock) -> None:
    limits.owe(Payer("192.0.2.1", None).takers(limits.PROCESSOR, 180), clock())
    limits.owe(Payer("192.0.2.1", None).takers(limits.PROCESSOR, 90), clock())
    costs.begin(lambda: Payer("192.0.2.1", None))
    try:
        with pytest.raises(TooMany) as refused:
            Aside(lambda key: key).ask("hard")
    finally:
        costs.begin(None)
    assert timedelta(minutes=30) < refused.value.retry_after < timedelta(minutes=31)


@pytest.mark.usefixtures("inside")
def test_what_nobody_asked_for_costs_nothing() -> None:
    costs.demand(limits.GAMES, 500)
    costs.demand(limits.GAMES, 500)
