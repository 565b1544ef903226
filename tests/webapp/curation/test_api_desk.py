"""The API reaches as far as the desk: puzzles, tags, days, drafts, collections, and tokens with a scope."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
import sqlalchemy as sa
from flask import Flask

from tests.webapp.conftest import new_puzzle
from tests.webapp.curation.test_planning import MONDAY, in_stock, standing
from tests.webapp.desk import Curator, Program, entries
from tests.webapp.visitors import SetClock
from webapp.models import CollectionPuzzle, DailyDraft, Peek, Puzzle, Status
from webapp.process.database import db, write_tx

LEVEL = 3


def candidate(app: Flask) -> int:
    with app.app_context(), write_tx():
        puzzle = new_puzzle(LEVEL)
        puzzle.status = Status.CANDIDATE
        db.session.add(puzzle)
        db.session.flush()
        return puzzle.id


def said(answer: Any) -> dict[str, Any]:
    found = answer.json
    assert isinstance(found, dict)
    return found


@pytest.mark.both_databases
def test_it_works(app: Flask, program: Program) -> None:
    """Read, approve and tag a candidate; it counts as seen."""
    number = candidate(app)
    found = said(program.get("/puzzles?status=candidate"))
    assert [each["id"] for each in found["items"]] == [number]
    read = said(program.get(f"/puzzles/{number}"))
    assert (read["status"], read["tags"]) == ("candidate", [])
    with app.app_context():
        assert db.session.scalars(sa.select(Peek.puzzle_id)).all() == [number]
    decision = {"action": "approve", "version": read["version"]}
    decided = said(program.post(f"/puzzles/{number}/decision", json=decision))
    assert decided["status"] == "approved"
    assert program.post(f"/puzzles/{number}/decision", json=decision).status_code == 409
    assert said(program.ask("PUT", f"/puzzles/{number}/tags/easter"))["tags"] == ["easter"]
    assert said(program.get("/puzzles?status=all&tag=easter"))["items"][0]["id"] == number
    assert said(program.ask("DELETE", f"/puzzles/{number}/tags/easter"))["tags"] == []
    assert {entry.curator_name for entry in entries(app, "puzzle")} == {"Cora"}


@pytest.mark.parametrize(
    ("method", "path"), [("POST", "decision"), ("PUT", "tags/easter"), ("DELETE", "tags/easter")]
)
def test_whatever_shows_givens_counts_as_seen(app: Flask, program: Program, method: str, path: str) -> None:
    number = candidate(app)
    decision = {"action": "approve", "version": 0} if path == "decision" else None
    assert "puzzle" in said(program.ask(method, f"/puzzles/{number}/{path}", json=decision))
    with app.app_context():
        assert db.session.scalars(sa.select(Peek.puzzle_id)).all() == [number]


def test_only_a_withdrawn_puzzle_is_offered_again(app: Flask, program: Program) -> None:
    number = candidate(app)
    assert program.post(f"/puzzles/{number}/withdrawal", json={"reason": None}).status_code == 409
    with app.app_context():
        assert db.session.get_one(Puzzle, number).status == Status.CANDIDATE


def test_a_rejection_needs_a_reason(app: Flask, program: Program) -> None:
    number = candidate(app)
    version = said(program.get(f"/puzzles/{number}"))["version"]
    refused = program.post(f"/puzzles/{number}/decision", json={"action": "reject", "version": version})
    assert (refused.status_code, list(said(refused)["errors"])) == (422, ["reason"])
    reason = {"action": "reject", "version": version, "reason": "dull"}
    assert said(program.post(f"/puzzles/{number}/decision", json=reason))["reason"] == "dull"


@pytest.mark.both_databases
def test_a_day_is_drafted_released_and_cleared(app: Flask, program: Program) -> None:
    (number,) = in_stock(app)
    at = f"{MONDAY}/{LEVEL}"
    drafted = said(program.ask("PUT", f"/drafts/{at}", json={"puzzle": number}))
    assert (drafted["draft"], drafted["puzzle"]) == (number, None)
    assert said(program.ask("DELETE", f"/drafts/{at}?puzzle={number}"))["draft"] is None
    program.ask("PUT", f"/drafts/{at}", json={"puzzle": number})
    draft = {"date": MONDAY.isoformat(), "level": LEVEL, "puzzle": number}
    assert said(program.post("/drafts/release", json={"drafts": [draft]})) == {"released": 1}
    assert standing(app) == {MONDAY: number}
    assert program.post("/drafts/release", json={"drafts": [draft]}).status_code == 409
    assert program.ask("DELETE", f"/calendar/{at}?puzzle={number + 1}").status_code == 409
    assert said(program.ask("DELETE", f"/calendar/{at}?puzzle={number}"))["puzzle"] is None
    with app.app_context():
        assert not db.session.scalars(sa.select(DailyDraft)).all()


@pytest.mark.both_databases
def test_a_collection_is_made_filled_published_and_deleted(
    app: Flask,
    program: Program,
) -> None:
    first, second = in_stock(app, 2)
    made = program.post("/collections", json={"title": "Easter"})
    assert (made.status_code, said(made)["puzzles"]) == (201, [])
    address = made.headers["Location"].removeprefix("/api/v1")
    for number in (first, second):
        found = said(program.ask("PUT", f"{address}/puzzles/{number}"))
    assert found["puzzles"] == [first, second]
    assert program.ask("PUT", f"{address}/puzzles/{first}").status_code == 422
    fields = {"version": found["version"], "title": "Easter", "publish_on": "2026-04-05", "cover": second}
    changed = said(program.ask("PUT", address, json=fields))
    assert (changed["publish_on"], changed["cover"]) == ("2026-04-05", second)
    assert program.ask("PUT", address, json=fields).status_code == 409
    assert said(program.ask("DELETE", f"{address}/puzzles/{first}"))["puzzles"] == [second]
    assert [each["title"] for each in said(program.get("/collections"))["items"]] == ["Easter"]
    version = said(program.get(address))["version"]
    assert program.ask("DELETE", f"{address}?version={version}").status_code == 204
    with app.app_context():
        assert not db.session.scalars(sa.select(CollectionPuzzle)).all()


def with_scope(app: Flask, curator: Curator, **fields: object) -> Program:
    """A client whose token was made with these fields."""
    assert curator.post("/admin/settings/tokens", {"name": "Narrow", **fields}).status_code == 200
    return Program(app, str(curator.page.find(id="made").text))


@pytest.mark.both_databases
def test_a_token_has_the_scope_it_was_made_with(app: Flask, cora: Curator) -> None:
    reads = with_scope(app, cora, read_only="1")
    assert reads.get("/orders").status_code == 200
    assert reads.post("/orders", json={"count": 1}).status_code == 403
    orders = with_scope(app, cora, part="orders")
    assert orders.post("/orders", json={"count": 1}).status_code == 201
    assert orders.get(f"/calendar?month={MONDAY:%Y-%m}").status_code == 403
    cora.get("/admin/settings")
    assert "read-only" in cora.page.text


@pytest.mark.both_databases
def test_a_token_expires(app: Flask, cora: Curator, clock: SetClock) -> None:
    short, lasting = with_scope(app, cora, days="30"), with_scope(app, cora, days="0")
    for days, status in ((29, 200), (31, 401)):
        clock.time = SetClock.time + timedelta(days=days)
        assert short.get("/orders").status_code == status
        assert lasting.get("/orders").status_code == 200
