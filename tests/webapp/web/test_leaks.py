"""No response reveals a daily's givens before Start or release, or a solution before the end.

Every address of the site is requested, as a page and as htmx's fragment, by guests, by a player with a name,
a solve and a group, by a curator outside the desk, and by the player in the game; then their posts. Bodies,
headers and cookies are read, the signed cookie decoded.
"""

from __future__ import annotations

import base64
import re
import zlib
from collections.abc import Iterator
from dataclasses import dataclass

import pytest
import sqlalchemy as sa
from flask import Flask
from werkzeug.routing import Rule
from werkzeug.test import TestResponse

import engine
from tests.thorough import THOROUGH
from tests.webapp.conftest import solution_of
from tests.webapp.desk import Curator
from tests.webapp.people.test_accounts import solve
from tests.webapp.visitors import SetClock, Visitor, givens_on
from webapp.bank import bank
from webapp.competition.daily import schedule
from webapp.competition.groups.tables import Group
from webapp.models import Attempt, Daily, Puzzle, Status
from webapp.process.database import db

pytestmark = pytest.mark.slow

DAY = "2026-03-01"  # by SetClock
MOST_DIGITS = 9  # of a solution, outside the given and the filled cells
SHORTEST_RUN = 10

# One set of values for every name in an address or a form; a new one has to be added here.
QUERIES = {
    "home.show": [""],
    "daily.archive": ["", "?month=2026-03", "?month=2026-02", "?month=2026-04"],
    "puzzles.on_paper": ["", "?level={level}&count=60&per=6", "?puzzle={puzzle}&rating=1&solutions=1"],
    "puzzles.find": ["", "?find={puzzle}"],
    "enter.show": ["", "?grid={grid}"],
    "lab.show": ["", "?grid={grid}", "?grid={grid}&system=d&step=60"],
    "play.review": ["", "?move=3"],
    "analysis.show": ["", "?grid={grid}", "?grid={grid}&step=3"],
    **{key: ["", "?grid={grid}"] for key in ("analysis.svg", "analysis.png", "analysis.gif")},
}

GRID_RUN = re.compile(r"[0-9._* -]{81,}")
DIGIT_RUN = re.compile(rf"\d{{{SHORTEST_RUN},}}")
BOARD_DIGIT = re.compile(r'id="c(\d+)"[^>]*? data-digit="(\d)"')
PICTURE = re.compile(r'<svg class="thumb".*?</svg>', re.DOTALL)
PICTURE_DIGIT = re.compile(r'<text [^>]*?x="([\d.]+)" y="([\d.]+)">(\d)</text>')


@dataclass
class World:
    """A site with dailies: one in play, one untouched, one still to come."""

    app: Flask
    givens: dict[tuple[str, int], str]  # (day, level) -> the line
    puzzles: dict[tuple[str, int], int]
    attempts: list[str]
    started: str  # the line of the guest's own transformation of today's daily
    solved: str  # the line that Ada has solved
    group: tuple[str, str]  # its id and its key


@pytest.fixture
def world(app: Flask, guest: Visitor, ada: Visitor, cora: Curator, clock: SetClock) -> World:
    with app.app_context():
        list(bank.stock_up(3, SetClock.time, rated=False))
        list(schedule.schedule(SetClock.time, rated=False))
        rows = db.session.execute(
            sa.select(Daily.date, Daily.level, Daily.puzzle_id, Puzzle.givens).join(Daily.puzzle)
        ).all()
    guest.get(guest.start(daily=DAY, level=2, ranked=1))
    started = givens_on(guest.page)
    guest.start(level=1)
    ada.get(solve(ada, clock, level=1))
    solved = givens_on(ada.page)
    assert ada.post("/groups", {"name": "Class 4b"}).status_code == 303
    cora.start(level=1)
    with app.app_context():
        attempts = list(db.session.scalars(sa.select(Attempt.id)))
        group = db.session.scalars(sa.select(Group)).one()
    return World(
        app,
        {(row.date.isoformat(), row.level): row.givens for row in rows},
        {(row.date.isoformat(), row.level): row.puzzle_id for row in rows},
        attempts,
        started,
        solved,
        (str(group.id), group.key),
    )


def canonical(givens: str) -> str:
    return str(engine.canonical_form(engine.parse(givens)))


def addresses(world: World) -> Iterator[str]:
    """Return every readable address, with every value that its rule can take in this world.

    Of the days, today, tomorrow and the last: those between are like them (all with THOROUGH=1).
    """
    days = sorted({day for day, _level in world.givens})
    days = days if THOROUGH else [*days[:2], days[-1]]
    grids = {world.puzzles[which]: world.givens[which] for which in world.givens if which[0] in days}
    values = {
        "attempt_id": world.attempts,
        "puzzle_id": sorted({1, *grids}),
        "level": ["2"],
        **dict.fromkeys(("day", "text"), days),
        "name": ["nobody", "Ada"],
        "key": ["nothing", world.group[1], "x_wing"],
        **{name: ["nothing"] for name in ("race_key", "token")},
        **{name: ["1"] for name in ("order_id", "batch_id", "player_id")},
        "group_id": [world.group[0]],
    }
    rules = [rule for rule in world.app.url_map.iter_rules() if "GET" in (rule.methods or ())]
    for rule in rules:
        for query in QUERIES.get(rule.endpoint, [""]):
            for path in _filled(rule, values):
                for puzzle, grid in grids.items():
                    yield path + query.format(level=2, grid=grid[::-1], puzzle=puzzle)
                    if "{" not in query:
                        break


def _filled(rule: Rule, values: dict[str, list[object]]) -> Iterator[str]:
    paths = [rule.rule]
    for name in rule.arguments:
        assert name in values, f"{rule.rule}: say in this test what <{name}> can be"
        part = re.compile(rf"<(?:\w+:)?{name}>")
        paths = [part.sub(str(value), path) for path in paths for value in values[name]]
    yield from paths


def everything(response: TestResponse) -> str:
    """Return body, headers and cookies as one text, with the signed cookie decoded as its holder can."""
    texts = [
        response.data.decode(errors="replace"),
        *(f"{name}: {value}" for name, value in response.headers),
    ]
    for cookie in response.headers.getlist("Set-Cookie"):
        payload = cookie.partition("=")[2].partition(";")[0]
        packed = payload.startswith(".")
        data = payload.lstrip(".").partition(".")[0]
        raw = base64.urlsafe_b64decode(data + "=" * (-len(data) % 4))
        texts.append((zlib.decompress(raw) if packed else raw).decode(errors="replace"))
    return "\n".join(texts)


def drawn(text: str) -> Iterator[dict[int, str]]:
    """Return the digits of every board and picture in a page, by cell."""
    yield {int(cell): digit for cell, digit in BOARD_DIGIT.findall(text)}
    for picture in PICTURE.findall(text):
        yield {
            int(9 * (float(y) // 10) + float(x) // 10): digit
            for x, y, digit in PICTURE_DIGIT.findall(picture)
        }


@dataclass
class Answer:
    """One response, prepared for searching digits."""

    path: str
    text: str

    def __post_init__(self) -> None:
        self.boards = list(drawn(self.text))
        # Thousands of lines are searched only in text that could hold one.
        self.grids = "\n".join(GRID_RUN.findall(self.text))
        self.digits = "\n".join(DIGIT_RUN.findall(self.text))

    def shows(self, line: str) -> bool:
        """Tell whether a line of 81 cells, empty ones as dots, can be read in it."""
        digits = {cell: digit for cell, digit in enumerate(line) if digit != "."}
        spelled = any(line.replace(".", empty) in self.grids for empty in ".0-_* ")
        return spelled or any(digits.items() <= board.items() for board in self.boards)

    def revealed(self, solution: str, known: set[int]) -> int:
        """Count the digits of a solution that it reveals for unknown cells: in runs, or drawn."""
        runs = [range(first, first + SHORTEST_RUN) for first in range(81 - SHORTEST_RUN + 1)]
        spelled = {cell for run in runs if solution[run.start : run.stop] in self.digits for cell in run}
        # Boards of other puzzles agree by chance; one of this has its givens, or is entirely right.
        drawn = [
            right
            for board in self.boards
            if (right := {cell for cell, digit in board.items() if solution[cell] == digit}) >= known
            or len(right) == len(board)
        ]
        return max(len(cells - known) for cells in (spelled, *drawn))


def crawl(visitor: Visitor, world: World) -> Iterator[Answer]:
    for turn, path in enumerate(addresses(world)):
        if isinstance(visitor, Curator) and path.startswith("/admin"):
            continue  # the desk is for looking at puzzles
        # A fragment holds what its page does: both of every address with THOROUGH=1.
        for headers in ({}, {"HX-Request": "true"}) if THOROUGH or turn % 4 == 0 else ({},):
            with visitor.client.get(path, headers=headers) as response:
                assert response.status_code < 500 or path == "/readyz", path
                yield Answer(path, everything(response))


@pytest.mark.parametrize("who", ["guest", "ada", "cora", "nobody yet", *(["other"] if THOROUGH else [])])
def test_no_page_reveals_givens_before_start_or_release_or_a_solution_before_the_end(
    world: World, who: str, request: pytest.FixtureRequest
) -> None:
    """Each page is checked for both rules, since the crawl takes most of the time.

    The guest has started a daily and does get its givens, so the crawl finds what it looks for. The other
    player has a game of their own, as Ada has.
    """
    visitor: Visitor = Visitor(world.app) if who == "nobody yet" else request.getfixturevalue(who)
    if who == "other":
        visitor.start(level=1)
    own = {"guest": {world.started, world.givens[DAY, 2]}, "ada": {world.solved}}.get(who, set())
    with world.app.app_context():
        lines = set(db.session.scalars(sa.select(Puzzle.givens)))
    lines.add(world.started)
    solutions = {line: solution_of(line) for line in lines if line != world.solved or who != "ada"}
    showing = set()
    for answer in crawl(visitor, world):
        for which, line in [*world.givens.items(), ("the guest's", world.started)]:
            if answer.shows(line):
                assert line in own, f"{answer.path} shows {which}"
                showing.add(answer.path.split("/")[1])
        for line, solution in solutions.items():
            assert answer.revealed(solution, given(line)) <= MOST_DIGITS, answer.path
    assert who != "guest" or showing >= {"attempts", "puzzles"}


def given(line: str) -> set[int]:
    return {cell for cell in range(81) if line[cell] != "."}


def posts(visitor: Visitor, attempt: str, line: str, *, htmx: bool) -> Iterator[tuple[int, Answer]]:
    """Send the posts of a game, and queries about a grid. Yields status and response."""
    first, second, *_rest = (cell for cell in range(81) if line[cell] == ".")

    def post(path: str, **fields: object) -> tuple[int, Answer]:
        response = visitor.post(path, fields, htmx=htmx)
        return response.status_code, Answer(f"{path} {fields}", everything(response))

    def next_seq() -> int:
        visitor.get(attempt)
        return int(str(visitor.page.find(id="status")["data-seq"])) + 1

    seq = next_seq()
    for number, cell in ((seq, first), (seq, second), (seq + 9, first)):  # stored, a used number, a gap
        yield post(f"{attempt}/moves", seq=number, kind="corner", cell=cell, digit=1)
    for depth in (1, 2, 3):
        yield post(f"{attempt}/hints", seq=next_seq(), depth=depth)
    # Wrong and right digits have the same response, except for a check.
    yield post(f"{attempt}/moves", seq=next_seq(), kind="digit", cell=first, digit=9)
    yield post(f"{attempt}/checks", seq=next_seq())
    yield post(f"{attempt}/checks", seq=next_seq(), back=1)
    for route in ("undos", "redos"):
        yield post(f"{attempt}/{route}", seq=next_seq())
    yield post("/enter", grid=line)
    yield post("/enter", cell=[char.replace(".", "") for char in line])
    response = visitor.client.get("/lab", query_string={"grid": line})
    # Hints have made the game an assisted one, so the laboratory solves its grid unless it is of a daily.
    yield response.status_code, Answer("/lab", everything(response) if response.status_code == 422 else "")


@pytest.mark.parametrize("htmx", [False, True], ids=["page", "htmx"])
def test_nothing_that_is_posted_is_answered_with_a_solution_or_with_givens(
    world: World, guest: Visitor, cora: Curator, htmx: bool
) -> None:
    with world.app.app_context():
        lines = set(db.session.scalars(sa.select(Puzzle.givens)))
    solutions = {line: solution_of(line) for line in lines}
    for visitor, games in ((guest, 2), (cora, 1)):
        visitor.get("/attempts")
        found = {str(link["href"]) for link in visitor.page.select("main a[href^='/attempts/']")}
        assert len(found) == games
        for address in found:
            visitor.get(address)
            own = givens_on(visitor.page)
            answers = list(posts(visitor, address, own, htmx=htmx))
            done = 200 if htmx else 303
            *statuses, at_the_lab = [status for status, _answer in answers]
            assert statuses == [done, 409, 409, *[done] * 8, 200, 200]
            secret = canonical(own) in set(map(canonical, world.givens.values()))
            assert at_the_lab == (422 if secret else 200)
            for _status, answer in answers:
                for line, solution in solutions.items():
                    assert answer.revealed(solution, given(line)) <= MOST_DIGITS, answer.path
                for which in world.givens.keys() - {(DAY, 2)}:
                    assert not answer.shows(world.givens[which]), f"{answer.path} shows {which}"


def test_what_was_shown_while_it_was_of_the_bank_never_becomes_a_daily(
    app: Flask, guest: Visitor, clock: SetClock
) -> None:
    """A visitor prints the whole bank every day; no daily of the next weeks was on that paper."""
    printed = ""
    for _day in range(6):
        with app.app_context():
            list(bank.stock_up(4, clock.time, rated=False))
        printed += "".join(guest.get(f"/print?level={level}&count=60").text for level in (2, 3, 4))
        with app.app_context():
            list(schedule.schedule(clock.time, rated=False))
        clock.advance(days=1)
    paper = Answer("", printed)
    with app.app_context():
        for line in db.session.scalars(sa.select(Puzzle.givens).join(Daily)):
            assert not paper.shows(line)
        assert db.session.scalar(sa.select(sa.func.count()).select_from(Daily)) == 21
        assert set(db.session.scalars(sa.select(Puzzle.status).join(Daily))) == {Status.DAILY}
