"""A visitor of the site for tests: keeps cookies, sends forms with their token, reads pages."""

from __future__ import annotations

import random
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import count
from typing import Any

from bs4 import BeautifulSoup, Tag
from flask import Flask
from werkzeug.test import TestResponse

import engine
from engine.geometry import HOUSES, HOUSES_OF, PEERS

MoveFields = Sequence[Any]  # kind, cell, digit
NEW_SESSION = {  # a new token too
    "/login",
    "/logout",
    "/register",
    "/account/password",
    "/account/deletion",
}
PASSWORD = "four seals by the harbour"
GIVENS = re.compile(r'id="board"[^>]*\sdata-givens="([1-9.]{81})"')
TOKEN = re.compile(r'<input[^>]* name="csrf_token"[^>]* value="([^"]+)"')


class ReadTag(Tag):
    """An element whose text is what a reader sees: a line break of its template is a space."""

    @property
    def text(self) -> str:
        text = self.get_text()
        return text if self.name == "textarea" else re.sub(r"[ \n]+", " ", text).strip(" ")


@dataclass
class SetClock:
    """A clock that changes only when it is set."""

    time: datetime = datetime(2026, 3, 1, 9, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.time

    def advance(self, **amount: float) -> None:
        self.time += timedelta(**amount)


@dataclass
class Visitor:
    """A browser without JavaScript, unless it claims to be htmx."""

    app: Flask
    token: str = ""
    address: str = "127.0.0.1"  # where the requests come from

    def __post_init__(self) -> None:
        self.client = self.app.test_client()
        self._html = ""
        self._page: BeautifulSoup | None = None

    @property
    def page(self) -> BeautifulSoup:
        """The latest page, parsed on first use, because most tests need only the status."""
        if self._page is None:
            self._page = BeautifulSoup(self._html, "html.parser", element_classes={Tag: ReadTag})
        return self._page

    @property
    def givens(self) -> str:
        """The givens of the latest board; parsing its page would cost more than the page itself."""
        found = GIVENS.search(self._html)
        assert found is not None, "this page has no board"
        return found[1]

    def get(self, path: str, **headers: str) -> TestResponse:
        response = self.client.get(path, headers=headers, environ_base=self._from)
        self._read(response)
        return response

    def post(
        self, path: str, data: Mapping[str, Any] | None = None, *, htmx: bool = False, **headers: str
    ) -> TestResponse:
        """Send a form with this visitor's CSRF token."""
        if not self.token:
            self.get("/login")  # the cheapest page with a token
        if htmx:
            headers["HX-Request"] = "true"
        form = {"csrf_token": self.token, **(data or {})}
        response = self.client.post(path, data=form, headers=headers, environ_base=self._from)
        if path in NEW_SESSION and response.status_code == 303:
            self.token = ""
        self._read(response)
        return response

    def register(self, name: str = "Ada", password: str = PASSWORD, **more: str) -> TestResponse:
        """Take a name."""
        return self.post("/register", {"name": name, "password": password, **more})

    def sign_in(self, name: str = "Ada", password: str = PASSWORD, **more: str) -> TestResponse:
        """Sign in to an existing account."""
        return self.post("/login", {"name": name, "password": password, **more})

    def start(self, **choice: Any) -> str:
        """Start an attempt (level=1 by default). Returns its address."""
        response = self.post("/attempts", choice or {"level": 1})
        assert response.status_code == 303, response.text
        return response.location

    def move(
        self, attempt: str, seq: int, *moves: MoveFields, htmx: bool = True, **more: Any
    ) -> TestResponse:
        """Send moves (kind, cell, digit) numbered from `seq`, and more fields."""
        columns: dict[str, list[str]] = {name: [] for name in ("seq", "kind", "cell", "digit")}
        for number, (kind, cell, digit) in enumerate(moves, seq):
            for name, value in zip(columns, (number, kind, cell, digit), strict=True):
                columns[name].append(str(value))
        return self.post(f"{attempt}/moves", {**columns, **more}, htmx=htmx)

    def finish(self, address: str, first: int = 1) -> TestResponse:
        """Fill the board of a game in which no digit stands yet, from this number on."""
        self.get(address)
        solved = engine.solution(engine.parse(self.givens))
        return self.move(address, first, *solving_moves(self.givens, str(solved)))

    @property
    def cookie(self) -> str:
        """The signed cookie of the session."""
        cookie = self.client.get_cookie("s")
        assert cookie is not None
        return cookie.value

    def copied(self, **options: Any) -> Visitor:
        """Return a client with a copy of the cookie, as a thief has it."""
        copy = Visitor(self.app, **options)
        copy.client.set_cookie("s", self.cookie)
        return copy

    @property
    def _from(self) -> dict[str, str]:
        return {"REMOTE_ADDR": self.address}

    def _read(self, response: TestResponse) -> None:
        if response.mimetype == "text/html" and not response.content_encoding:
            self._html, self._page = response.text, None
            if found := TOKEN.search(self._html):
                self.token = found[1]


_GAMES = count(1)


def solving_moves(givens: str, solution: str) -> list[tuple[str, int, str]]:
    """Return the missing digits in the order in which the board determines them, as far as singles go.

    The order differs for each game, because no two people find them in the same one.
    """
    order = random.Random(next(_GAMES)).sample(range(81), 81)
    left = [cell for cell in order if givens[cell] == "."]
    board, moves = list(givens), []
    while left:
        cell = next((cell for cell in left if _single(board, cell, solution[cell])), left[0])
        left.remove(cell)
        board[cell] = solution[cell]
        moves.append(("digit", cell, solution[cell]))
    return moves


def _single(board: list[str], cell: int, digit: str) -> bool:
    """Tell whether the digit is the only one for the cell, or the cell the only one for the digit in a
    house.
    """
    if len({board[peer] for peer in PEERS[cell]} - {"."}) == 8:
        return True
    return any(
        all(
            board[other] != "." or other == cell or any(board[peer] == digit for peer in PEERS[other])
            for other in HOUSES[house]
        )
        for house in HOUSES_OF[cell]
    )


def givens_on(page: BeautifulSoup) -> str:
    """Return the givens on a board page."""
    given = {cell["id"]: str(cell["data-digit"]) for cell in page.find_all(True, {"data-given": True})}
    return "".join(given.get(f"c{cell}", ".") for cell in range(81))
