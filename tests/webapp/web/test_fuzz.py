"""Random requests: whatever is sent to any address, the response is never 5xx.

`test_inputs` sends each odd value once; this mixes values that are good, damaged, of another field, or noise;
parts of paths; methods; headers; bodies that are no form. The campaign `fuzz` sends 50,000 (FUZZ), each round
on a site of its own, since some requests delete what others need.
"""

from __future__ import annotations

import os
import random
from collections import deque
from collections.abc import Callable
from urllib.parse import quote, urlencode

import pytest
from flask import Flask
from werkzeug.routing import Rule

from tests.thorough import amount
from tests.webapp.desk import Curator
from tests.webapp.visitors import SetClock, Visitor
from tests.webapp.web import test_inputs
from tests.webapp.web.test_inputs import GOOD, LAST, ODD, Noted, Parts, as_bytes, path_of
from webapp.bank import bank
from webapp.identity import workers

noted, values = test_inputs.noted, test_inputs.values

ROUND = amount("ROUND", 200, 500)  # requests
ROUNDS = -(-int(os.environ.get("FUZZ", "0")) // ROUND) or 1
METHODS = ("GET", "POST", "HEAD", "OPTIONS", "PUT", "PATCH", "DELETE", "TRACE", "BREW")
TYPES = ("application/x-www-form-urlencoded", "application/json", "multipart/form-data", "text/csv", "x", "")
HEADERS = (
    *("HX-Request", "HX-Target", "HX-History-Restore-Request", "HX-Current-URL", "X-CSRFToken", "Cookie"),
    *("Accept-Language", "Accept-Encoding", "If-None-Match", "If-Modified-Since", "Range", "Referer"),
    *("Origin", "Authorization", "Content-Encoding", "X-Forwarded-For", "Sec-Fetch-Site", "Expect"),
    "User-Agent",
)
STOCK = 60  # fresh puzzles of each level, since no worker makes more here


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
@pytest.mark.parametrize("seed", range(ROUNDS))
def test_no_request_breaks_an_address(
    noted: Flask,
    values: Parts,
    guest: Visitor,
    ada: Visitor,
    cora: Curator,
    clock: SetClock,
    seed: int,
) -> None:
    noise = Noise(seed, values)
    draw = noise.draw
    with noted.app_context():
        deque(bank.stock_up(STOCK, clock.time, rated=False), maxlen=0)
        workers.report("worker", clock.time)
    guest.start(level=1)
    for visitor in (guest, ada, cora):
        visitor.get("/account")
    rules = [rule for rule in noted.url_map.iter_rules() if rule.endpoint not in LAST]
    answered = 0
    for number in range(ROUND):
        visitor, rule = draw.choice((guest, ada, cora)), draw.choice(rules)
        own = draw.choice(sorted(rule.methods or {"GET"}))
        method = own if draw.random() < 0.95 else draw.choice(METHODS)
        names = [*sorted(Noted.asked[rule.endpoint] - {"csrf_token"}), *draw.sample(sorted(GOOD), 2)]
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
    assert answered > ROUND / 10  # most requests were nonsense, but not all
