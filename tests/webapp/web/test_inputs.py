"""No 5xx caused by input: every address with values that are good, damaged, of another field, odd, or noise.

Each address reports the parameters it reads, so only unusual good values have to be listed here. Parts of
paths, methods, headers, and bodies that are no form are drawn too. The campaign `fuzz` sends 50,000 requests
(FUZZ), each pass on a site of its own, since some of them delete what others need.
"""

from __future__ import annotations

import os
import random
import re
from collections import defaultdict, deque
from collections.abc import Callable
from typing import Any, ClassVar
from urllib.parse import quote, urlencode

import pytest
import sqlalchemy as sa
from flask import Flask, Request, request
from werkzeug.datastructures import ImmutableMultiDict
from werkzeug.routing import Rule

from tests.webapp.conftest import EASY
from tests.webapp.desk import Curator
from tests.webapp.solves import add_daily, play
from tests.webapp.statements import one
from tests.webapp.visitors import SetClock, Visitor
from webapp.bank import bank
from webapp.competition.groups.tables import Group
from webapp.curation.puzzles.tables import Import, Order
from webapp.identity import workers
from webapp.models import AuditEntry, Player, Puzzle
from webapp.play.lab.routes import EXAMPLE
from webapp.process.database import db, write_tx

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
    **dict.fromkeys(("at", "daily", "date", "day", "first", "from", "last", "to", "until"), DAY),
    **dict.fromkeys(("current", "desk_password", "password"), "not the password of anybody"),
    **dict.fromkeys(("appeal", "curator", "heading", "name", "note", "reason", "seen", "subject_id"), "Ada"),
    "words": "Ada",
    **dict.fromkeys(("action", "approve", "reject", "withdraw"), "approve"),
    **dict.fromkeys(("after", "before"), "1.1." + "x" * 22),
    **dict.fromkeys(("back", "next"), "/daily"),
    **dict.fromkeys(("clear", "place", "set", "strike"), "0:5"),
    "most": "0.5",
    **dict.fromkeys(("email", "subject"), "ada@example.org"),
    **dict.fromkeys(("everywhere", "ranked"), "0"),
    **dict.fromkeys(("file", "text"), EASY),
    **dict.fromkeys(("hardest", "must", "technique"), "naked_single"),
    **dict.fromkeys(("kind", "mode"), "digit"),
    **dict.fromkeys(("list", "scope"), "day"),
    **dict.fromkeys(("made", "method"), "dig_hole"),
    **dict.fromkeys(("shown", "transform", "use"), "yes"),
    "candidates": "3112.4116",
    "code": "fr",
    "colors": "." * 80 + "3",
    "columns": "puzzle",
    "delimiter": ";",
    "desk_code": "123456",
    "done": "name",
    "format": "sdm",
    "grid": EXAMPLE,
    "key": "prompt",
    "label": "Phone",
    "language": "en",
    "listing": "named",
    "marks": "r1c1-1",
    "month": "2026-02",
    "order": "serpentine",
    "paper": "a4",
    "pattern": "x" * 81,
    "q": "x-wing",
    "role": "reviewer",
    "said": "off:1:" + DAY,
    "search": "ours",
    "shift": "easier",
    "solved_grid": "las_vegas",
    "standing": "verified",
    "state": "paused",
    "status": "approved",
    "symmetry": "none",
    "system": "c",
    "tab": "near",
    "view": "public",
    "was": "." * 81,
}
# Parameters of url_for and variables of routes, which no address may take from its query.
RESERVED = (
    *("endpoint", "values", "self", "_anchor", "_method", "_scheme", "_external"),
    *("name", "puzzle_id", "attempt_id"),
)
# They delete what the others need.
LAST = ("groups.leave", "groups.delete")
METHODS = ("GET", "POST", "HEAD", "OPTIONS", "PUT", "PATCH", "DELETE", "TRACE", "BREW")
TYPES = ("application/x-www-form-urlencoded", "application/json", "multipart/form-data", "text/csv", "x", "")
HEADERS = (
    *("HX-Request", "HX-Target", "HX-History-Restore-Request", "HX-Current-URL", "X-CSRFToken", "Cookie"),
    *("Accept-Language", "Accept-Encoding", "If-None-Match", "If-Modified-Since", "Range", "Referer"),
    *("Origin", "Authorization", "Content-Encoding", "X-Forwarded-For", "Sec-Fetch-Site", "Expect"),
    "User-Agent",
)
STOCK = 60  # fresh puzzles of each level, since no worker makes more here
TIMES = 3  # requests to each address in a pass
PASSES = -(-int(os.environ.get("FUZZ", "0")) // 500) or 1
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
    puzzle = str(one(noted, sa.select(sa.func.min(Puzzle.id))))
    assert cora.post("/admin/settings/notices", {"text": "Ada", "until": DAY}).status_code == 303
    assert ada.post(f"/puzzles/{puzzle}/report", {"text": "Ada"}).status_code == 303
    with noted.app_context():
        group = db.session.scalars(sa.select(Group)).one()
        return {
            "attempt_id": attempt.rpartition("/")[2],
            "batch_id": str(db.session.scalars(sa.select(Import.id)).one()),
            "group_id": str(group.id),
            "key": group.key,
            "level": "2",
            "name": "Ada",
            "order_id": str(db.session.scalars(sa.select(Order.id)).one()),
            "player_id": str(db.session.scalars(sa.select(Player.id).where(Player.name == "Ada")).one()),
            "puzzle_id": puzzle,
            "race_key": race,
            "text": DAY,
            "token": "nothing",
        }


def rules(app: Flask, *, desk: bool) -> list[Rule]:
    found = [rule for rule in app.url_map.iter_rules() if rule.rule.startswith("/admin") == desk]
    return sorted(found, key=lambda rule: rule.endpoint in LAST)


def path_of(rule: Rule, parts: Parts) -> str:
    assert rule.arguments <= parts.keys(), f"{rule.rule}: say in this test what these can be"
    return re.sub(r"<(?:\w+:)?(\w+)>", lambda found: parts[found[1]], rule.rule)


def as_bytes(text: str) -> bytes:
    return text.encode(errors="surrogateescape")


class Noise:
    """Draws requests."""

    def __init__(self, seed: int, parts: Parts) -> None:
        self.draw, self.parts = random.Random(seed), parts
        self.known = [*GOOD.values(), *ODD, *parts.values()]

    def text(self) -> str:
        """Draw any text; short or very long."""
        draw = self.draw
        kinds = ("0123456789.", "\x00\x01\x1f\x7f\n\r\t", "%&=;+?#/\\\"'<>{}[]", "éß漢🂡\u202e\udcff")
        letters = draw.choice(kinds)
        return "".join(draw.choices(letters, k=draw.choice((0, 1, 2, 9, 81, 82, 3000))))

    def damaged(self, text: str) -> str:
        """Draw the same with something removed, doubled, swapped or inserted."""
        place, draw = self.draw.randrange(len(text) + 1), self.draw
        changes: tuple[Callable[[], str], ...] = (
            lambda: text[:place] + text[place + 1 :],
            lambda: text[:place] + self.text() + text[place:],
            lambda: text[:place] + text,
            lambda: text[::-1],
            lambda: text.upper(),
            lambda: f"-{text}",
            lambda: text * 3,
        )
        return draw.choice(changes)()

    def value(self, name: str) -> str:
        """Draw a value for this field, good or not."""
        good = GOOD.get(name, self.parts.get(name, "1"))
        ways: tuple[Callable[[], str], ...] = (
            lambda: good,
            lambda: good,
            lambda: self.damaged(good),
            lambda: self.draw.choice(self.known),
            lambda: str(self.draw.choice((0, -1, 80, 81, 2**31, 2**63, 1e308, float("nan")))),
            self.text,
        )
        return self.draw.choice(ways)()

    def path(self, rule: Rule) -> str:
        """Draw an address of this rule; mostly of something that exists."""
        parts = dict(self.parts)
        for name in rule.arguments:
            if self.draw.random() < 0.2:
                parts[name] = quote(as_bytes(self.value(name)), safe="%/")
        return path_of(rule, parts)

    def body(self, fields: list[tuple[str, str]]) -> bytes:
        """Draw a form, or a body that is none."""
        sent = urlencode([(name, as_bytes(text)) for name, text in fields]).encode()
        chance = self.draw.random()
        if chance < 0.9:
            return sent
        half = sent[: len(sent) // 2] + b"%"
        return half if chance < 0.95 else self.draw.randbytes(self.draw.choice((0, 1, 300)))

    def headers(self) -> dict[str, str]:
        """Draw some headers; no line ends, which no server would forward."""
        some = self.draw.sample(HEADERS, self.draw.choice((0, 0, 1, 1, 3)))
        noise = {name: self.draw.choice(("true", "*", "bytes=0-5", self.text()[:200])) for name in some}
        return {
            name: "".join(each for each in text if "\x1f" < each < "\x7f" or "\xa0" < each < "\xff")
            for name, text in noise.items()
        }


@pytest.mark.slow
@pytest.mark.strictest_database
@pytest.mark.parametrize("seed", range(PASSES))
def test_no_request_breaks_an_address(
    noted: Flask, values: Parts, guest: Visitor, ada: Visitor, cora: Curator, clock: SetClock, seed: int
) -> None:
    """Each address in turn: once without fields, which reports those it reads, then with noise."""
    noise = Noise(seed, values)
    draw = noise.draw
    with noted.app_context():
        deque(bank.stock_up(STOCK, clock.time, rated=False), maxlen=0)
        workers.report("worker", clock.time)
    guest.start(level=1)
    for visitor in (guest, ada, cora):
        visitor.get("/account")
    answered = 0
    addresses = [*rules(noted, desk=False), *rules(noted, desk=True)]
    for number, rule in enumerate(sorted(addresses * TIMES, key=lambda rule: rule.endpoint in LAST)):
        visitor = draw.choice((guest, ada, cora))
        own = draw.choice(sorted(rule.methods or {"GET"}))
        method = own if draw.random() < 0.95 else draw.choice(METHODS)
        names = [*sorted(Noted.asked[rule.endpoint] - {"csrf_token"}), *draw.sample([*GOOD, *RESERVED], 2)]
        fields = [(name, noise.value(name)) for name in names if draw.random() < 0.8]
        fields += draw.sample(fields, min(len(fields), draw.choice((0, 0, 0, 1, 3))))  # repeated
        path, headers, body = noise.path(rule), noise.headers(), noise.body(fields)
        kind = TYPES[0] if draw.random() < 0.9 else draw.choice(TYPES)
        client, session = visitor.client, visitor.client.get_cookie("s")
        in_the_query = method in ("GET", "HEAD") and draw.random() < 0.9
        response = client.open(
            path,
            method=method,
            query_string=body.decode("latin-1") if in_the_query else None,
            data=None if in_the_query else body,
            content_type=None if in_the_query else kind,
            headers={"X-CSRFToken": visitor.token} | headers,
            environ_base={"REMOTE_ADDR": f"10.{seed % 250}.{number // 250}.{number % 250}"},
        )
        status = response.status_code
        response.close()
        shown = [(name, text[:40]) for name, text in fields]
        assert status < 500, (method, path[:300], kind, headers, shown)
        answered += status < 400
        if session is not None:
            client.set_cookie("s", session.value)
    assert answered > len(addresses) * TIMES / 10  # most requests were nonsense, but not all


# Columns with what people write, in which the checks of forms let some markup through or none.
TEXTS = "name|title|author|source|stated_level|reason|note|text|message|device|place|appeal|email"
WRITTEN = re.compile(f"(?:curator_|suspension_)?(?:{TEXTS})")


def test_no_stored_text_becomes_markup(
    app: Flask, values: Parts, guest: Visitor, ada: Visitor, cora: Curator
) -> None:
    guest.start(level=1)
    assert guest.post(f"/races/{values['race_key']}/racers", {"name": "Bob"}).status_code == 303
    tables = [table for table in db.metadata.sorted_tables if table.name != "failure"]  # its reason is ours
    columns = [each for table in tables for each in table.columns if WRITTEN.fullmatch(each.name)]
    with app.app_context(), write_tx():
        db.session.execute(sa.update(Player).where(Player.name == "Ada").values(suspended=True))
        db.session.execute(sa.update(AuditEntry).values(after='{"name": "<z", "reason": "<z"}'))
        for number, column in enumerate(columns):  # short, as PostgreSQL holds columns to their length
            before = column if column.name == "name" else sa.func.coalesce(column, "")  # a guest has no name
            db.session.execute(column.table.update().values({column: before + f"<z{number}>"}))
    seen = set()
    for visitor in (guest, ada, cora):
        for rule in app.url_map.iter_rules():
            if "GET" in (rule.methods or ()):
                answer = visitor.get(path_of(rule, values))
                text = answer.text if "ml" in answer.mimetype else ""  # HTML and XML
                assert "<z" not in text, rule
                seen |= set(re.findall(r"&lt;z(\d+)&gt;", text))
    assert {str(columns[int(number)]) for number in seen} == set(map(str, columns))


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
