"""The budget of processor time for reading: by address, counted by each process.

A GET or HEAD pays for its processor time beyond FREE seconds from the address's purse, which CROWD people
share. With an empty purse it is refused before anything is read, so a flood of pages leaves the threads to
players.
"""

from __future__ import annotations

from collections import OrderedDict
from datetime import datetime, timedelta
from math import ceil
from threading import Lock
from time import thread_time

from flask import Flask, current_app, g, request
from werkzeug.wrappers import Response

from webapp.identity import limits
from webapp.process.clock import now
from webapp.process.config import Settings

FREE = 0.02  # seconds of a page that are not counted
START = 1.0  # seconds that every address may take at once: a process renders its first pages slowly
AT_ONCE = 0.1  # further seconds for each of the people at an address
STEADILY = 0.01  # seconds a second, for each of them
MOST = 10_000  # addresses


class Purses:
    """The seconds that each address has left."""

    def __init__(self, people: int) -> None:
        self._full, self._rate = START + AT_ONCE * people, STEADILY * people
        self._left: OrderedDict[str, tuple[float, datetime]] = OrderedDict()
        self._lock = Lock()

    def wait(self, address: str, at: datetime) -> float:
        """Return the seconds until an address may read again; 0 if it may now."""
        with self._lock:
            return max(0.0, -self._now(address, at) / self._rate)

    def pay(self, address: str, seconds: float, at: datetime) -> None:
        """Take the cost of a page. A purse goes as far below zero as it holds."""
        with self._lock:
            self._left[address] = max(-self._full, self._now(address, at) - seconds), at
            self._left.move_to_end(address)
            while len(self._left) > MOST:
                self._left.popitem(last=False)

    def _now(self, address: str, at: datetime) -> float:
        left, since = self._left.get(address, (self._full, at))
        if since > at:  # the clock was set back
            self._left[address], since = (left, at), at
        return min(self._full, left + (at - since).total_seconds() * self._rate)


def init_app(app: Flask, settings: Settings) -> None:
    """Count the cost of reading, and refuse it to addresses with an empty purse."""
    app.extensions["purses"] = Purses(settings.crowd)

    @app.before_request
    def refuse() -> Response | None:
        if request.method not in ("GET", "HEAD"):
            return None
        wait = _purses().wait(limits.network(request.remote_addr), now())
        if not wait:
            g.reading = thread_time()
            return None
        words = str(limits.too_many(timedelta(seconds=wait)))
        return Response(words, 429, {"Retry-After": str(ceil(round(wait, 3)))}, mimetype="text/plain")

    @app.teardown_request
    def pay(_error: BaseException | None) -> None:
        spent = thread_time() - g.pop("reading", thread_time())
        if spent > FREE:
            _purses().pay(limits.network(request.remote_addr), spent - FREE, now())


def _purses() -> Purses:
    found: Purses = current_app.extensions["purses"]
    return found
