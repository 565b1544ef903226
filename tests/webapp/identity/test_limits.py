"""Limits: buckets that refill, taken concurrently, by address."""

from __future__ import annotations

import re
import sys
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from pathlib import Path

import pytest
import sqlalchemy as sa
from flask import Flask

from tests.webapp.visitors import SetClock
from webapp.identity import limits
from webapp.identity.limits import HOUR, Limit, Taker
from webapp.models import Bucket
from webapp.process.database import db, write_tx
from webapp.process.errors import TooMany


def took(taker: Taker, now: datetime) -> bool:
    """Take the tokens, if there are enough."""
    try:
        with write_tx():
            limits.spend([taker], now)
    except TooMany:
        return False
    return True


def test_a_bucket_gives_what_it_holds_and_no_more(app: Flask, clock: SetClock) -> None:
    with app.app_context():
        given = [took(Taker(Limit("k", 3, HOUR), ""), clock()) for _ in range(5)]
        assert given == [True, True, True, False, False]


def test_tokens_come_back_evenly(app: Flask, clock: SetClock) -> None:
    with app.app_context():
        for _ in range(3):
            took(Taker(Limit("k", 3, HOUR), ""), clock())
        clock.advance(minutes=19, seconds=59)
        assert not took(Taker(Limit("k", 3, HOUR), ""), clock())
        clock.advance(seconds=1)
        assert took(Taker(Limit("k", 3, HOUR), ""), clock())
        assert not took(Taker(Limit("k", 3, HOUR), ""), clock())


def test_a_bucket_never_holds_more_than_its_capacity(app: Flask, clock: SetClock) -> None:
    with app.app_context():
        took(Taker(Limit("k", 2, HOUR), ""), clock())
        clock.advance(days=300)
        assert [took(Taker(Limit("k", 2, HOUR), ""), clock()) for _ in range(3)] == [True, True, False]


def test_a_clock_that_is_set_back_and_forth_gives_nothing(app: Flask, clock: SetClock) -> None:
    with app.app_context():
        for _ in range(2):
            took(Taker(Limit("k", 2, HOUR), ""), clock())
        clock.advance(hours=-5)
        assert not took(Taker(Limit("k", 2, HOUR), ""), clock())
        clock.advance(hours=5)
        assert not took(Taker(Limit("k", 2, HOUR), ""), clock())


def test_buckets_do_not_know_each_other(app: Flask, clock: SetClock) -> None:
    with app.app_context():
        assert took(Taker(Limit("a", 1, HOUR), ""), clock())
        assert took(Taker(Limit("b", 1, HOUR), ""), clock())


def test_of_many_at_once_exactly_as_many_get_a_token_as_there_are(app: Flask, clock: SetClock) -> None:
    def taken(_thread: int) -> int:
        with app.app_context():
            return sum(took(Taker(Limit("k", 10, HOUR), ""), clock()) for _ in range(10))

    with ThreadPoolExecutor(4) as threads:
        assert sum(threads.map(taken, range(4))) == 10


def test_what_is_refused_first_leaves_the_rest_untouched(app: Flask, clock: SetClock) -> None:
    """Too many requests from one address must not use up the guesses of an account."""
    address, account = Limit("address", 1, HOUR), Limit("account", 2, HOUR)
    takers = [Taker(address, "x"), Taker(account, "ada")]
    with app.app_context():
        limits.demand(takers, clock())
        with pytest.raises(TooMany) as refused:
            limits.demand(takers, clock())
        limits.demand([Taker(address, "y"), Taker(account, "ada")], clock())
    assert refused.value.retry_after == HOUR


def test_what_is_given_back_can_be_taken_again_but_never_more(app: Flask, clock: SetClock) -> None:
    taker = Taker(Limit("k", 2, HOUR), "ada")
    with app.app_context():
        limits.demand([taker], clock())
        for _ in range(3):
            limits.give_back([taker])
        limits.demand([taker], clock())
        limits.demand([taker], clock())
        with pytest.raises(TooMany):
            limits.demand([taker], clock())


def test_a_debt_is_paid_off_first_and_grows_no_further_than_the_capacity(app: Flask, clock: SetClock) -> None:
    limit = Limit("k", 2, HOUR)
    with app.app_context():
        for _ in range(5):
            limits.owe([Taker(limit, "ada", 1.5)], clock())
        with pytest.raises(TooMany) as refused:
            limits.demand([Taker(limit, "ada")], clock())
        tokens = db.session.scalars(sa.select(Bucket.tokens)).one()
        assert -2 - 1.5 <= tokens <= -2
        assert refused.value.retry_after == HOUR * (1 - tokens) / 2
        clock.advance(hours=(1 - tokens) / 2)
        limits.demand([Taker(limit, "ada")], clock())


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(0, "1 second"), (59, "59 seconds"), (59.1, "1 minute"), (3540, "59 minutes"), (3541, "1 hour")],
)
def test_no_wait_is_of_60_seconds_or_60_minutes(app: Flask, seconds: float, words: str) -> None:
    with app.test_request_context():
        assert f"Try again in {words}." in str(limits.too_many(timedelta(seconds=seconds)))


@pytest.mark.both_databases
def test_names_and_addresses_are_kept_as_digests_and_swept(app: Flask, clock: SetClock) -> None:
    with app.app_context():
        limits.demand([Taker(Limit("k", 2, HOUR), "192.0.2.7")], clock())
        (key,) = db.session.scalars(sa.select(Bucket.key))
        assert "192" not in key
        assert limits.sweep(clock()) == 0
        assert limits.sweep(clock() + timedelta(days=2)) == 1


@pytest.mark.both_databases
def test_a_moment_that_a_wrong_clock_stored_counts_as_now(app: Flask, clock: SetClock) -> None:
    """For a minute the clock is 40 days ahead; afterwards a bucket refills as if it had been right."""
    taker = Taker(Limit("k", 2, HOUR), "ada")
    with app.app_context():
        clock.advance(days=40)
        for _ in range(2):
            limits.demand([taker], clock())
        clock.advance(days=-40)
        with pytest.raises(TooMany):
            limits.demand([taker], clock())
        clock.advance(minutes=30)
        limits.demand([taker], clock())
        with pytest.raises(TooMany):
            limits.demand([taker], clock())


SPANS = {60: "a minute", 600: "in ten minutes", 3600: "an hour", 86400: "a day"}


@pytest.mark.usefixtures("app")
def test_the_table_of_limits_is_true() -> None:
    """Each limit of the site has its row, with its tokens; one by address counts for each of CROWD people."""
    expected = {}
    modules = [module for name, module in sys.modules.items() if name.startswith("webapp.")]
    for each in {one for module in modules for one in vars(module).values() if isinstance(one, Limit)}:
        crowd = f"{each.capacity * (each.shared or 1):,.0f}{' × CROWD' if each.shared else ''}"
        expected[each.name] = f"{crowd} {SPANS[int(each.per.total_seconds())]}"
        if each.name in ("guests", "games", "moves", "work", "processor"):  # charged twice, by costs
            expected[each.name] = f"{each.capacity:,} an hour; {expected[each.name]} from an address"
    text = (Path(__file__).parents[3] / "docs/security/asvs.md").read_text()
    assert dict(re.findall(r"^\| `([\w-]+)` \| .+ \| (.+) \|$", text, re.MULTILINE)) == expected


@pytest.mark.parametrize(
    ("address", "counted"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2:ffff::1", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("", "local"),
        (None, "local"),
        ("192.0.2.7, 10.0.0.1", "local"),
    ],
)
def test_an_ipv6_line_is_one_address(address: str | None, counted: str) -> None:
    assert limits.network(address) == counted
