"""Strips that need no thread: a page that has seen all there is gets its 204 from the server's loop.

Of what racers ask for, that is most. Through a thread and the whole site each took eight times the processor
time, and kept others' moves waiting. Nothing about a race is for some alone, so nothing is asked of a request
but its address; whatever is unusual about one is left to the route, as is every strip that has to be read.
"""

from __future__ import annotations

import re
from email.utils import formatdate
from typing import Final

from flask import Flask, current_app

from webapp.competition.races.recent import Recent
from webapp.process.clock import Clock
from webapp.process.config import Settings
from webapp.process.operation import metrics
from webapp.web.security import headers

KEY: Final = "recent_races"  # of the app's extensions
_ADDRESS: Final = re.compile(
    rb"GET /races/([\w-]{22})/strip\?(?:[^ ]*&)?seen=([\w-]+)(?:&[^ ]*)? HTTP/1\.1\r\n"
)
_UNUSUAL: Final = re.compile(
    rb"\n(?:content-length|transfer-encoding|connection:(?![ \t]*keep-alive\r))", re.IGNORECASE
)


def recent() -> Recent:
    """Return what this process remembers of races."""
    found: Recent = current_app.extensions[KEY]
    return found


def init_app(app: Flask) -> None:
    """Have the web server's loop ask here, unless each request is to be logged."""
    settings: Settings = app.extensions["settings"]
    races = app.extensions[KEY] = Recent()
    clock: Clock = app.extensions["clock"]
    lines = "".join(f"{name}: {value}\r\n" for name, value in headers(settings).items())
    unchanged = f"HTTP/1.1 204 No Content\r\nConnection: keep-alive\r\n{lines}Date: ".encode()

    def answer(request: bytes) -> bytes | None:
        asked = _ADDRESS.match(request)
        if asked is None or request.find(b"\r\n\r\n") != len(request) - 4 or _UNUSUAL.search(request):
            return None
        now = clock()
        found = races.known(asked[1].decode(), now)
        if found is None or found.version(now) != asked[2].decode():
            return None
        metrics.count("races.strip", "GET", 204, None)
        return b"%b%b\r\n\r\n" % (unchanged, formatdate(usegmt=True).encode())

    if not settings.access_log:
        app.extensions["at_once"] = answer
