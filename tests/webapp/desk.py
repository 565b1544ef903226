"""A curator for tests: somebody with a name, trusted with the desk, who has proved themselves."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import parse_qs, urlsplit

import pyotp
from werkzeug.test import TestResponse

from tests.webapp.site import PASSWORD, SetClock, Visitor
from webapp.services import curators


@dataclass
class Curator(Visitor):
    """A visitor with a second factor."""

    clock: SetClock | None = None
    name: str = "Cora"
    secret: str = ""

    def code(self, steps: int = 0) -> str:
        """The code that the authenticator shows, or that of some steps later."""
        assert self.clock is not None
        return pyotp.TOTP(self.secret).at(self.clock.time, counter_offset=steps)

    def prove(self, next: str = "/admin/", **more: str) -> TestResponse:
        """Give password and code; each needs a time step of its own."""
        assert self.clock is not None
        self.clock.advance(seconds=30)
        fields = {"next": next, "desk_password": PASSWORD, "desk_code": self.code()}
        return self.post("/admin/sign-in", {**fields, **more})


def appoint(curator: Curator) -> Curator:
    """Give a fresh visitor a name and make them a curator, as `flask curators add` does."""
    assert curator.clock is not None
    assert curator.register(curator.name).status_code == 303
    with curator.app.app_context():
        address = curators.add(curator.name, curator.clock.time)
    curator.secret = parse_qs(urlsplit(address).query)["secret"][0]
    return curator
