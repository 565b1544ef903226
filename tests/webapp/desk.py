"""A curator for tests, a named player whose identity is confirmed at the desk."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pyotp
import sqlalchemy as sa
from flask import Flask
from werkzeug.test import TestResponse

from tests.webapp.processes import Caller
from tests.webapp.stocked import at, opened
from tests.webapp.visitors import PASSWORD, SetClock, Visitor
from webapp.curation import curators
from webapp.models import AuditEntry
from webapp.process.clock import now
from webapp.process.database import db

MONDAY = SetClock.time.date() + timedelta(days=22)


@dataclass
class Curator(Visitor):
    """A visitor with a second factor."""

    clock: SetClock | None = None
    name: str = "Cora"
    secret: str = ""

    def code(self, steps: int = 0) -> str:
        """Return the code that the authenticator shows, or that of some steps later."""
        assert self.clock is not None
        return pyotp.TOTP(self.secret).at(self.clock.time, counter_offset=steps)

    def prove(self, next: str = "/admin/", **more: str) -> TestResponse:
        """Give password and code; each needs a time step of its own."""
        assert self.clock is not None
        self.clock.advance(seconds=30)
        fields = {"next": next, "desk_password": PASSWORD, "desk_code": self.code()}
        return self.post("/admin/sign-in", {**fields, **more})


def entries(app: Flask, subject: str) -> list[AuditEntry]:
    """Return the audit entries for subjects of this kind, the oldest first."""
    with app.app_context():
        query = sa.select(AuditEntry).where(AuditEntry.subject == subject).order_by(AuditEntry.id)
        return list(db.session.scalars(query))


def log(app: Flask) -> list[tuple[str, str, str]]:
    """Return who did what to which puzzle, the oldest first."""
    return [(entry.curator_name, entry.action, entry.subject_id) for entry in entries(app, "puzzle")]


def appointed(instance: Path, name: str, **environment: str) -> str:
    """Make a player of a running site a curator, as `flask curators add` does. Returns the secret."""
    with opened(at(instance, **environment)) as app, app.app_context():
        address = curators.add(name, now())
    return parse_qs(urlsplit(address).query)["secret"][0]


def caller_at_the_desk(port: int, instance: Path) -> Caller:
    """Return a curator of a running site over real HTTP, whose identity was just confirmed."""
    caller = Caller(port)
    caller.request("GET", "/register")
    caller.request("POST", "/register", [("name", "Cora"), ("password", PASSWORD)])
    secret = appointed(instance, "Cora")
    caller.request("GET", "/admin/sign-in")
    proof = [("desk_password", PASSWORD), ("desk_code", pyotp.TOTP(secret).now())]
    status, _text, location = caller.request("POST", "/admin/sign-in", proof)
    assert (status, location) == (303, "/admin/")
    caller.request("GET", "/admin/import")
    return caller


def appoint(curator: Curator) -> Curator:
    """Give a fresh visitor a name and make them a curator, as `flask curators add` does."""
    assert curator.clock is not None
    assert curator.register(curator.name).status_code == 303
    with curator.app.app_context():
        address = curators.add(curator.name, curator.clock.time)
    curator.secret = parse_qs(urlsplit(address).query)["secret"][0]
    return curator
