"""A curator who has seen a daily at the desk can't play it ranked: every desk address that shows one."""

from __future__ import annotations

import pytest
import sqlalchemy as sa
from flask import Flask

from tests.webapp.curation.bank import OTHERS
from tests.webapp.curation.test_imports import imported, work
from tests.webapp.desk import Curator
from tests.webapp.solves import DAY, add_daily
from tests.webapp.visitors import SetClock
from tests.webapp.web.test_leaks import Answer, everything
from webapp.bank import bank
from webapp.curation.puzzles.tables import Import
from webapp.models import Attempt, Daily, Peek, Puzzle
from webapp.process.database import db, write_tx

RANKED = {"daily": DAY.isoformat(), "level": 2, "ranked": 1}

# Query parameters of an address besides those of its rule.
QUERIES = {
    "admin.today.show": ["?boards=1"],
    "admin.calendar.show": [f"?day={DAY}&level=2"],
    "admin.puzzles.show": ["?q=daily"],
    "admin.exports.download": [f"?q=daily&format={kind}" for kind in ("sdm", "csv", "json")],
    "admin.solves.show": ["", "?move=0", "?step=1"],
}
SHOWING = {"admin.puzzles.puzzle", "admin.withdrawals.show", *QUERIES}


def desk(app: Flask, values: dict[str, object]) -> list[tuple[str, str]]:
    """Return endpoint and address of everything that can be read at the desk."""
    found = []
    adapter = app.url_map.bind("localhost")
    for rule in app.url_map.iter_rules():
        if rule.endpoint.startswith("admin.") and "GET" in (rule.methods or ()):
            path = adapter.build(rule.endpoint, {name: values[name] for name in rule.arguments})
            found += [(rule.endpoint, path + query) for query in QUERIES.get(rule.endpoint, [""])]
    return found


@pytest.mark.both_databases
def test_whatever_shows_a_daily_at_the_desk_bars_the_ranked_start(
    app: Flask, cora: Curator, flagged: str
) -> None:
    with app.app_context():
        list(bank.fill_canonical())
        easy = sa.select(Puzzle.id, Puzzle.givens).join(Daily).where(Daily.level == 2)
        puzzle_id, line = db.session.execute(easy).one()
        imported(line)
        batch_id = db.session.scalars(sa.select(Import.id)).one()
        played = db.session.get_one(Attempt, flagged).givens  # Ada's own transformation
    values = {
        "puzzle_id": puzzle_id,
        "attempt_id": flagged,
        "player_id": 1,
        "batch_id": batch_id,
        "order_id": 1,
        "text": DAY.isoformat(),
        "level": 2,
    }
    showing = set()
    for endpoint, address in desk(app, values):
        with app.app_context(), write_tx():
            db.session.execute(sa.delete(Peek))
        answered = Answer(address, everything(cora.get(address)))
        if answered.shows(line) or answered.shows(played):
            showing.add(endpoint)
            answer = cora.post("/attempts", RANKED)
            assert (answer.status_code, "seen this puzzle before" in answer.text) == (409, True), address
    assert showing >= SHOWING


@pytest.mark.both_databases
@pytest.mark.parametrize("kind", ["the daily", "transformed", "before it is the daily"])
def test_a_curator_who_imports_a_daily_cannot_play_it_ranked(app: Flask, cora: Curator, kind: str) -> None:
    line = OTHERS[0]
    with app.app_context():
        if not kind.startswith("before"):
            add_daily()
            list(bank.fill_canonical())
            (line,) = db.session.scalars(sa.select(Puzzle.givens).join(Daily))
    text = line[::-1] if kind == "transformed" else line
    address = cora.post("/admin/import", {"text": text}).location
    with app.app_context():
        assert work(int(address.rpartition("/")[2]))
        if kind.startswith("before"):
            with write_tx():
                puzzle = db.session.scalars(sa.select(Puzzle).where(Puzzle.givens == line)).one()
                db.session.add(Daily(date=DAY, level=2, puzzle=puzzle, created_at=SetClock.time))
    assert cora.post("/attempts", RANKED).status_code == 409
