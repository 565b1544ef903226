"""No 5xx caused by input: every address, parameter and field in turn, with unexpected values.

Each address reports the parameters it reads, so only unusual good values have to be listed here.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from itertools import cycle
from typing import Any, ClassVar
from urllib.parse import quote, urlencode

import pytest
import sqlalchemy as sa
from flask import Flask, Request, request
from werkzeug.datastructures import ImmutableMultiDict
from werkzeug.routing import Rule

from tests.thorough import THOROUGH
from tests.webapp.competition.test_leaderboard import play
from tests.webapp.conftest import EASY
from tests.webapp.desk import Curator
from tests.webapp.solves import add_daily
from tests.webapp.visitors import SetClock, Visitor
from webapp.models import (
    Group,
    Import,
    Order,
    Player,
    Puzzle,
)
from webapp.play.lab.routes import EXAMPLE
from webapp.process.database import db

NUL = "\0"
ODD = (
    "99999999999999999999",
    "-1",
    NUL,
    "%ED%A0%80\udc80",  # half of a surrogate pair, escaped and as an invalid UTF-8 byte
    "x" * 10_000,
    "1' OR \"1\"='1; --",
)
DAY = "2026-03-01"
# Good values of fields; that of any other is 1.
GOOD = {
    **dict.fromkeys(
        ("at", "daily", "date", "day", "first", "from", "last", "publish_on", "to", "until"), DAY
    ),
    **dict.fromkeys(("current", "desk_password", "password"), "not the password of anybody"),
    **dict.fromkeys(("appeal", "curator", "heading", "name", "note", "reason", "seen", "subject_id"), "Ada"),
    **dict.fromkeys(("tag", "told", "words"), "Ada"),
    **dict.fromkeys(("action", "approve", "reject", "withdraw"), "approve"),
    **dict.fromkeys(("after", "before"), "1.1." + "x" * 22),
    **dict.fromkeys(("back", "next"), "/daily"),
    **dict.fromkeys(("clear", "place", "set", "strike"), "0:5"),
    **dict.fromkeys(("doubtful", "harmless", "most"), "0.5"),
    **dict.fromkeys(("email", "subject"), "ada@example.org"),
    **dict.fromkeys(("everywhere", "ranked"), "0"),
    **dict.fromkeys(("file", "text"), EASY),
    **dict.fromkeys(("givens_from", "givens_to"), "25"),
    **dict.fromkeys(("hardest", "must", "must_not", "technique", "uses"), "naked_single"),
    **dict.fromkeys(("kind", "mode"), "digit"),
    **dict.fromkeys(("list", "scope"), "day"),
    **dict.fromkeys(("made", "method"), "dig_hole"),
    **dict.fromkeys(("shown", "transform", "use"), "yes"),
    "candidates": "3112.4116",
    "change": f"{DAY}:1:1:2:1",
    "code": "fr",
    "colors": "." * 80 + "3",
    "columns": "puzzle",
    "delimiter": ";",
    "desk_code": "123456",
    "do": "up",
    "done": "name",
    "draft": f"{DAY}:1:1",
    "figure": "heart",
    "format": "sdm",
    "grid": EXAMPLE,
    "how": "thin",
    "key": "prompt",
    "label": "Phone",
    "language": "en",
    "length": "days",
    "listing": "named",
    "marks": "r1c1-1",
    "month": "2026-02",
    "order": "serpentine",
    "paper": "a4",
    "part": "calendar",
    "pattern": "x" * 81,
    "period": "week",
    "q": "x-wing",
    "query": "level=2",
    "role": "reviewer",
    "said": "off:1:" + DAY,
    "search": "ours",
    "shift": "easier",
    "solved_grid": "las_vegas",
    "sort": "number",
    "standing": "verified",
    "state": "paused",
    "status": "approved",
    "symmetry": "none",
    "system": "c",
    "tab": "near",
    "typed": "A",
    "view": "public",
    "was": "." * 81,
    "year": "2026",
    "zone": "UTC",
}
# Parameters of url_for and variables of routes, which no address may take from its query.
RESERVED = (
    "endpoint",
    "values",
    "self",
    "_anchor",
    "_method",
    "_scheme",
    "_external",
    "name",
    "puzzle_id",
    "attempt_id",
)
# They delete what the others need.
LAST = (*("groups.leave", "groups.delete"),)
Parts = dict[str, str]


class Noted(ImmutableMultiDict[str, Any]):
    """Parameters that record which of them were read, by endpoint."""

    asked: ClassVar[defaultdict[str | None, set[str]]] = defaultdict(set)

    def _note(self, name: str) -> None:
        self.asked[request.endpoint].add(name)

    def __getitem__(self, name: str) -> Any:
        self._note(name)
        return super().__getitem__(name)

    def __contains__(self, name: object) -> bool:
        self._note(str(name))
        return super().__contains__(name)

    def get(self, name: str, *args: Any, **options: Any) -> Any:
        self._note(name)
        return super().get(name, *args, **options)

    def getlist(self, name: str, *args: Any, **options: Any) -> Any:
        self._note(name)
        return super().getlist(name, *args, **options)


class NotedRequest(Request):
    parameter_storage_class = Noted


@pytest.fixture
def noted(app: Flask, monkeypatch: pytest.MonkeyPatch) -> Flask:
    monkeypatch.setattr(app, "request_class", NotedRequest)
    Noted.asked.clear()
    return app


@pytest.fixture
def values(noted: Flask, ada: Visitor, cora: Curator, clock: SetClock) -> Parts:
    """Return one of everything that an address can name."""
    with noted.app_context():
        add_daily()
    attempt = play(ada, clock, minutes=0.2)  # implausibly fast, so that the desk has it too
    assert ada.post("/groups", {"name": "Class 4b"}).status_code == 303
    assert cora.post("/admin/import", {"text": EASY}).status_code == 303
    order = {"count": "1", "level": "1", "symmetry": "none"}
    assert cora.post("/admin/orders", order).status_code == 303
    race = ada.post("/races", {"level": "2"}).location.rpartition("/")[2]
    with noted.app_context():
        puzzle = str(db.session.scalars(sa.select(sa.func.min(Puzzle.id))).one())
    assert cora.post("/admin/settings/notices", {"text": "Ada", "until": DAY}).status_code == 303
    assert ada.post(f"/puzzles/{puzzle}/report", {"text": "Ada"}).status_code == 303
    with noted.app_context():
        group = db.session.scalars(sa.select(Group)).one()
        return {
            "attempt_id": attempt.rpartition("/")[2],
            "batch_id": str(db.session.scalars(sa.select(Import.id)).one()),
            "day": DAY,
            "filename": "site.css",
            "group_id": str(group.id),
            "key": group.key,
            "level": "2",
            "name": "Ada",
            "order_id": str(db.session.scalars(sa.select(Order.id)).one()),
            "player_id": str(db.session.scalars(sa.select(Player.id).where(Player.name == "Ada")).one()),
            "puzzle_id": puzzle,
            "race_key": race,
            "tag": "Ada",
            "text": DAY,
            "token": "nothing",
        }


def rules(app: Flask, *, desk: bool) -> list[Rule]:
    found = [rule for rule in app.url_map.iter_rules() if rule.rule.startswith("/admin") == desk]
    return sorted(found, key=lambda rule: rule.endpoint in LAST)


def path_of(rule: Rule, parts: Parts) -> str:
    assert rule.arguments <= parts.keys(), f"{rule.rule}: say in this test what these can be"
    return re.sub(r"<(?:\w+:)?(\w+)>", lambda found: parts[found[1]], rule.rule)


class Sender:
    """Send values to one rule, as one visitor whose session stays as it is."""

    def __init__(
        self,
        visitor: Visitor,
        rule: Rule,
        method: str,
        parts: Parts,
        turns: Iterator[str],
        *,
        together: bool,
    ) -> None:
        self.visitor, self.rule, self.method, self.parts = visitor, rule, method, parts
        self.turns = turns  # the odd values that parts of the path and fields get in alternation
        self.together = together  # all fields are odd at once
        self.sent = 0

    def send(self, fields: Parts, parts: Parts | None = None) -> int:
        """Send a request. Returns the status; never 5xx, except where the worker is missing."""
        self.sent += 1
        client = self.visitor.client
        session = client.get_cookie("s")
        sent = urlencode({name: as_bytes(text) for name, text in fields.items()})
        form = {"data": sent, "content_type": "application/x-www-form-urlencoded"}
        asked: dict[str, Any] = {"query_string": sent} if self.method == "GET" else form
        response = client.open(
            path_of(self.rule, parts or self.parts),
            method=self.method,
            headers={"X-CSRFToken": self.visitor.token},
            environ_base={"REMOTE_ADDR": f"10.0.{self.sent // 250}.{self.sent % 250}"},
            **asked,
        )
        status = response.status_code
        response.close()
        shown = {name: text[:30] for name, text in fields.items()}
        # Without a worker, no puzzles are made for a player who has started all there are.
        assert status < 500 or self.rule.rule in ("/readyz", "/next"), (
            self.method,
            self.rule.rule,
            shown,
            parts,
        )
        if session is not None:
            client.set_cookie("s", session.value)
        return status

    def fields(self) -> Parts:
        """Return the fields that this address reads, each with a good value; a response may reveal more."""
        known: Parts = {}
        while True:
            self.send(known)
            names = Noted.asked[self.rule.endpoint] - {"csrf_token"}
            if names <= known.keys():
                return known
            known = {name: GOOD.get(name, "1") for name in sorted(names)}

    def everything_odd(self) -> Iterator[tuple[str, int]]:
        """Send one part of the path after another, then one field after another or all, with each odd
        value.
        """
        if self.method not in (self.rule.methods or ()):
            yield "", self.send({})
            return
        known = self.fields()
        in_capitals = self.parts | {"name": self.parts["name"].upper()}
        for parts in (self.parts, in_capitals) if "name" in self.rule.arguments else (self.parts,):
            for names in [[name] for name in RESERVED] if THOROUGH else [RESERVED]:
                yield "", self.send({name: "POST" if name == "_method" else "x" for name in names}, parts)
        for name in self.rule.arguments:
            for odd in ODD if THOROUGH else dict.fromkeys((NUL, next(self.turns))):
                yield odd, self.send(known, self.parts | {name: quote(as_bytes(odd), safe="%")})
        if self.together:
            for odd in (ODD if THOROUGH else (NUL, next(self.turns))) if known else ():
                yield odd, self.send(dict.fromkeys(known, odd))
            return
        for name in known:
            for odd in ODD if THOROUGH else (next(self.turns),):
                yield odd, self.send(known | {name: odd})


def as_bytes(text: str) -> bytes:
    return text.encode(errors="surrogateescape")


@pytest.mark.slow
@pytest.mark.strictest_database
@pytest.mark.parametrize("who", ["guest", "ada", "cora"])
def test_no_value_breaks_an_address(
    noted: Flask, values: Parts, who: str, request: pytest.FixtureRequest
) -> None:
    """Each field gets one of the odd values in alternation, a guest's all at once; every one with THOROUGH=1.

    Each part of a path gets a NUL and one of the others.
    """
    visitor: Visitor = request.getfixturevalue(who)
    if who == "guest":
        visitor.start(level=1)
    visitor.get("/account")
    turns = cycle(ODD)
    for rule in rules(noted, desk=who == "cora"):
        for method in ("GET", "POST"):
            sender = Sender(visitor, rule, method, values, turns, together=who == "guest")
            for odd, status in sender.everything_odd():
                assert odd != NUL or status in (400, 404, 405), (method, rule.rule)


@pytest.mark.both_databases
@pytest.mark.parametrize("address", ["/groups/{number}", "/puzzles/{number}", "/admin/puzzles/{number}"])
@pytest.mark.parametrize("number", [2**31, 10**20, "9" * 5000], ids=["32 bits", "64 bits", "5,000 digits"])
def test_a_number_that_no_row_can_have_is_not_found(cora: Curator, address: str, number: object) -> None:
    assert cora.get(address.format(number=number)).status_code == 404


@pytest.mark.both_databases
def test_a_nul_is_refused_and_says_where(guest: Visitor, cora: Curator) -> None:
    assert guest.get("/players/a%00").status_code == 400
    assert "name:" in guest.page.text
    assert guest.post("/login", {"name": "Ada", "password": "\0"}).status_code == 400
    assert "password:" in guest.page.text
    for query in ("puzzles?q=%00", "people?name=%00", "solves/%00"):
        assert cora.get(f"/admin/{query}").status_code == 400
