"""Rate limits: token buckets in the database, shared by all processes.

A token is taken in one statement, so two requests never take the same one. Only a digest of an address or a
name is stored, and only until the bucket is full again.
"""

from __future__ import annotations

import hashlib
import ipaddress
import math
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache

import sqlalchemy as sa
from flask import current_app
from sqlalchemy.sql.dml import ReturningInsert

from webapp.models import Bucket
from webapp.process.clock import AHEAD
from webapp.process.database import Busy, db, rows_changed, upsert, write_tx
from webapp.process.errors import TooMany
from webapp.process.words import gettext as _
from webapp.process.words import ngettext

LONGEST = timedelta(days=1)  # no bucket takes longer to refill
ENOUGH = 1 - 1e-6  # rounding must not cost a refilled token
_A_DAY: sa.ColumnElement[float] = sa.literal_column("86400.0")  # seconds


@dataclass(frozen=True, slots=True)
class Limit:
    """At most `capacity` at once, refilled evenly within `per`."""

    name: str
    capacity: int
    per: timedelta
    shared: float = 0.0  # counted by address: this part of `capacity` for each of the CROWD people there


MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)
# Every limit of the site, in the order of docs/security/asvs.md, which says what each counts
SIGN_INS = Limit("sign-in", 20, DAY)
SIGN_INS_FROM = Limit("sign-in-from", 5, HOUR, shared=1)
SIGN_UPS = Limit("sign-up", 2, DAY, shared=1)
HASHES_FROM = Limit("hash-from", 2, MINUTE, shared=1)
HASHES = Limit("hash", 300, MINUTE)
MAILS = Limit("mail", 5, DAY)
MAILS_FROM = Limit("mail-from", 2, HOUR, shared=1)
CODES = Limit("code", 10, HOUR)
REPORTS = Limit("report", 10, DAY, shared=1)
LAB = Limit("lab", 120, timedelta(minutes=10), shared=1)
# Those that costs.py charges, to the player and to the address. A quick player finishes an Easy puzzle
# in a minute, with 60 moves and as many marks.
GUESTS = Limit("guests", 10, HOUR, shared=1)
GAMES = Limit("games", 120, HOUR, shared=1)
MOVES = Limit("moves", 30_000, HOUR, shared=1)
WORK = Limit("work", 900, HOUR, shared=1)
PROCESSOR = Limit("processor", 60, HOUR, shared=0.1)


@dataclass(frozen=True, slots=True)
class Taker:
    """One limit applied to one account, address or device."""

    limit: Limit
    who: str
    amount: float = 1.0  # tokens
    reserve: bool = False  # may also take as many tokens again from a bucket that others have emptied

    @property
    def capacity(self) -> int:
        """The tokens of a full bucket."""
        crowd = current_app.extensions["settings"].crowd * self.limit.shared
        return max(self.limit.capacity, int(self.limit.capacity * crowd))

    @property
    def refill(self) -> timedelta:
        """How long it takes to refill what is taken."""
        return self.limit.per * (self.amount / self.capacity)

    @property
    def key(self) -> str:
        """The bucket's key in the database: the limit and a digest of `who`."""
        return f"{self.limit.name}:{hashlib.blake2b(self.who.encode(), digest_size=16).hexdigest()}"


def network(address: str | None) -> str:
    """Return what counts as one address: an IPv4 address, or the /64 of an IPv6 address."""
    try:
        parsed = ipaddress.ip_address((address or "").partition("%")[0])
    except ValueError:
        return "local"  # a Unix socket, or a test
    parsed = getattr(parsed, "ipv4_mapped", None) or parsed
    return str(parsed if parsed.version == 4 else ipaddress.ip_network((parsed, 64), strict=False))


def place(address: str | None) -> str:
    """Return the range that an address or network() is in: a /24 of IPv4, a /48 of IPv6."""
    known = network((address or "").partition("/")[0]).partition("/")[0]
    try:
        wide = 24 if ipaddress.ip_address(known).version == 4 else 48
    except ValueError:
        return known
    return str(ipaddress.ip_network((known, wide), strict=False))


def demand(takers: list[Taker], now: datetime) -> None:
    """Take the tokens of all. Raises TooMany if one has too few, and then all stay unchanged: a client over
    its own limit must not use up another's.

    An empty bucket is detected before any write, so that a flood of guesses doesn't wait for the lock.
    """
    refuse(takers, now)
    with write_tx():
        spend(takers, now)


@contextmanager
def paid(takers: list[Taker], now: datetime) -> Iterator[None]:
    """Take the tokens of each for the work inside, and give them back if it couldn't be done. Raises
    TooMany.
    """
    demand(takers, now)
    try:
        yield
    except Busy:
        with suppress(Busy):
            give_back(takers)
        raise


def lacks(takers: list[Taker], now: datetime) -> bool:
    """Whether one of these has too few tokens; takes none."""
    return _wait(takers, now) is not None


def spend(takers: list[Taker], now: datetime) -> None:
    """Inside `write_tx()`: take the tokens of each. Raises TooMany, which must end the transaction."""
    for taker in takers:
        if not _take(taker, now):
            raise too_many(taker.refill)


def refuse(takers: list[Taker], now: datetime) -> None:
    """Raise TooMany if one of these has too few tokens; takes none.

    Buckets that a wrong clock has filled in the future refill from now on.
    """
    wait = _wait(takers, now)
    if wait is None:
        return
    ahead = Bucket.key.in_([taker.key for taker in takers]), Bucket.filled_at > now + AHEAD
    if db.session.scalar(sa.select(sa.exists().where(*ahead))):
        with write_tx():
            db.session.execute(sa.update(Bucket).where(*ahead).values(filled_at=now))
    raise too_many(wait)


def owe(takers: list[Taker], now: datetime) -> None:
    """Take the tokens of each for work already done, even if there are too few."""
    with write_tx():
        for taker in takers:
            _take(taker, now, owing=True)


def give_back(takers: list[Taker]) -> None:
    """Return the tokens of each: successes don't count, and neither does work that wasn't done."""
    with write_tx():
        for taker in takers:
            more, most = Bucket.tokens + taker.amount, float(taker.capacity)
            here = sa.update(Bucket).where(Bucket.key == taker.key)
            db.session.execute(here.values(tokens=sa.case((more < most, more), else_=most)))


def sweep(now: datetime) -> int:
    """Delete buckets that are full again. Returns how many."""
    with write_tx():
        return rows_changed(sa.delete(Bucket).where(Bucket.filled_at < now - LONGEST))


def too_many(wait: timedelta) -> TooMany:
    """Return the refusal that says how long to wait."""
    seconds = max(1, math.ceil(wait.total_seconds()))
    minutes = math.ceil(seconds / 60)
    if seconds < 60:
        words = ngettext("%(num)s second", "%(num)s seconds", seconds)
    elif minutes < 60:
        words = ngettext("%(num)s minute", "%(num)s minutes", minutes)
    else:
        words = ngettext("%(num)s hour", "%(num)s hours", math.ceil(minutes / 60))
    return TooMany(_("Too many tries. Try again in %(wait)s.", wait=words), retry_after=wait)


def _wait(takers: list[Taker], now: datetime) -> timedelta | None:
    """Return the wait of the first bucket with too few tokens; None if all have enough."""
    rows = db.session.execute(
        sa.select(Bucket.key, Bucket.tokens, Bucket.filled_at).where(
            Bucket.key.in_([taker.key for taker in takers])
        )
    )
    there = {key: (tokens, filled_at) for key, tokens, filled_at in rows}
    for taker in takers:
        capacity, per = taker.capacity, taker.limit.per
        tokens, filled_at = there.get(taker.key, (float(capacity), now))
        wanted = min(taker.amount, capacity)
        left = tokens + max(timedelta(0), now - filled_at) / per * capacity
        left += capacity if taker.reserve else 0
        if left < wanted * ENOUGH:
            return per * ((wanted - left) / capacity)
    return None


def _take(taker: Taker, now: datetime, *, owing: bool = False) -> bool:
    """Take tokens; returns whether there were enough. owing: take missing ones too, down to minus the
    capacity.
    """
    most = float(taker.capacity)
    amount = min(taker.amount, most)  # more than the capacity takes all of it
    values = {
        "bucket": taker.key,
        "most": most,
        "rate": most / taker.limit.per.total_seconds(),
        "amount": amount,
        "least": -most if owing else amount * ENOUGH - (most if taker.reserve else 0),
        "now": now,
    }
    return db.session.scalar(_taking(db.engine.dialect.name), values) is not None


@cache
def _taking(dialect: str) -> ReturningInsert[str]:
    """Return this database's statement that takes tokens, cached: building it costs more than running it."""
    moment = sa.bindparam("now", type_=Bucket.filled_at.type)
    most, rate, amount, least = (
        sa.bindparam(name, type_=sa.Float()) for name in ("most", "rate", "amount", "least")
    )
    # Setting the clock back by minutes neither empties a bucket nor refills it twice.
    passed: sa.ColumnElement[float] = sa.cast(sa.extract("epoch", moment - Bucket.filled_at), sa.Double)
    if dialect == "sqlite":
        passed = (sa.func.julianday(moment) - sa.func.julianday(Bucket.filled_at)) * _A_DAY  # to 0.05 ms
    filled = Bucket.tokens + sa.case((passed > 0, passed), else_=0.0) * rate
    there = sa.case((filled < most, filled), else_=most)
    new = {"key": sa.bindparam("bucket", type_=sa.String()), "tokens": most - amount, "filled_at": moment}
    return (
        upsert(Bucket.__table__)
        .values(new)
        .on_conflict_do_update(
            index_elements=[Bucket.key],
            set_={
                "tokens": there - amount,
                "filled_at": sa.case(
                    (sa.or_(passed > 0, passed < -AHEAD.total_seconds()), moment), else_=Bucket.filled_at
                ),
            },
            where=there >= least,
        )
        .returning(Bucket.key)
    )
