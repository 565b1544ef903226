"""The API: tokens, permissions, errors."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
import sqlalchemy as sa
from flask import Flask

from tests.webapp.competition.test_leaderboard import player_of
from tests.webapp.conftest import new_puzzle
from tests.webapp.curation.test_planning import MONDAY, in_stock, standing
from tests.webapp.curation.test_team import of_role
from tests.webapp.desk import V1, Curator, Program, entries, token_of
from tests.webapp.visitors import PASSWORD, SetClock, Visitor
from webapp.curation.api import api, tokens
from webapp.curation.importing import importing
from webapp.identity.players import Identity
from webapp.models import DailyDraft, Import, ImportPiece, Player, Puzzle, Role
from webapp.people import accounts, recovery
from webapp.process.database import db, write_tx
from webapp.process.errors import NotFound

PROBLEM = "application/problem+json"


@pytest.mark.both_databases
def test_it_works(app: Flask, program: Program) -> None:
    """Import, order, export, schedule, each as at the desk, in the curator's name."""
    grid = new_puzzle(3).givens
    sent = program.post("/imports?name=a.sdm", data=f"{grid}\n{grid}\n", content_type="text/plain")
    assert sent.status_code == 201
    assert sent.json is not None
    assert (sent.json["name"], sent.json["state"], sent.json["counts"]["new"]) == ("a.sdm", "done", 1)
    lines = program.get(sent.headers["Location"].removeprefix(V1) + "/lines").json
    assert lines is not None
    assert [line["state"] for line in lines["items"]] == ["new", "duplicate"]
    wish = {"count": 3, "recipe": {"level": 2, "symmetry": "any"}}
    ordered = program.post("/orders", json=wish)
    assert (ordered.status_code, ordered.json and ordered.json["recipe"]) == (201, wish["recipe"])
    exported = program.get("/export?status=candidate")
    assert [json.loads(line)["puzzle"] for line in exported.text.splitlines()] == [grid]
    (number,) = in_stock(app)
    put = program.ask("PUT", f"/calendar/{MONDAY}/3", json={"puzzle": number})
    assert (put.status_code, put.json and put.json["puzzle"]) == (200, number)
    assert standing(app) == {MONDAY: number}
    month = program.get(f"/calendar?month={MONDAY:%Y-%m}").json
    assert month is not None
    assert number in [slot["puzzle"] for slot in month["slots"]]
    for subject in ("import", "export", "order"):
        assert [entry.curator_name for entry in entries(app, subject)] == ["Cora"]


def test_only_a_token_opens_it(app: Flask, cora: Curator) -> None:
    token_of(cora)
    for headers in ({}, {"Authorization": "Bearer ninefold_x"}, {"Authorization": "Basic Q29yYTp4"}):
        answer = app.test_client().get(f"{V1}/orders", headers=headers)
        assert (answer.status_code, answer.content_type) == (401, PROBLEM)
        assert answer.headers["WWW-Authenticate"] == "Bearer"


def test_no_address_opens_without_a_token(app: Flask, cora: Curator) -> None:
    """Whatever is sent, and by whom: a curator's session is ignored here."""
    rules = [rule for rule in app.url_map.iter_rules() if rule.endpoint.startswith("api.")]
    assert len(rules) > 10
    for rule in rules:
        path = re.sub("<[^>]+>", "1", rule.rule)
        for method in (rule.methods or set()) - {"OPTIONS"}:
            status = cora.client.open(path, method=method, headers={"X-CSRFToken": cora.token}).status_code
            assert status == (200 if rule.endpoint == api.OPEN else 401), (method, path)


def test_a_token_is_shown_once_and_stored_as_a_digest(app: Flask, cora: Curator, program: Program) -> None:
    assert cora.get("/admin/settings").status_code == 200
    assert cora.page.find(id="made") is None
    assert "Never used" in cora.page.text
    assert program.get("/orders").status_code == 200
    cora.get("/admin/settings")
    assert "Last used" in cora.page.text
    with app.app_context():
        stored = db.session.execute(db.text("SELECT digest FROM api_token")).scalar_one()
    assert len(stored) == 64
    assert stored not in program.headers["Authorization"]


def test_a_revoked_token_opens_nothing(app: Flask, cora: Curator, program: Program) -> None:
    cora.get("/admin/settings")
    form = cora.page.find("form", action=lambda to: bool(to) and to.endswith("/revocation"))
    assert form is not None
    other = Visitor(app)
    assert other.post(str(form["action"])).status_code == 403
    assert cora.post(str(form["action"])).status_code == 303
    assert program.get("/orders").status_code == 401
    assert cora.post(str(form["action"])).status_code == 404
    assert [entry.action for entry in entries(app, "token")] == ["create", "revoke"]
    cora.get("/admin/audit")
    assert "Revoked the API token “Nightly import”." in cora.page.text


@pytest.mark.both_databases
@pytest.mark.parametrize("way", ["new password", "reset", "everywhere", "everybody"])
def test_what_ends_a_curators_sessions_ends_their_tokens(app: Flask, program: Program, way: str) -> None:
    with app.app_context():
        cora_id = player_of(app, "Cora")
        if way == "new password":
            accounts.change_password(cora_id, PASSWORD, "another good one", SetClock.time)
        elif way == "reset":
            with write_tx():
                db.session.get_one(Player, cora_id).email = "cora@example.org"
            asked = recovery.ask("Cora", "192.0.2.1", SetClock.time)
            assert asked is not None
            recovery.reset(asked[1], "another good one", SetClock.time)
        elif way == "everywhere":
            accounts.sign_out_everywhere(cora_id)
        else:
            accounts.sign_out_everybody()
        assert list(tokens.of(cora_id)) == []
    assert program.get("/orders").status_code == 401


@pytest.mark.usefixtures("cora")
def test_who_is_signed_out_meanwhile_makes_no_token(app: Flask) -> None:
    """Their request came with a session that has ended since."""
    with app.app_context():
        player = db.session.get_one(Player, player_of(app, "Cora"))
        seen = Identity(player.id, player.key, player.name, player.epoch, player.role)
        accounts.sign_out_everywhere(player.id)
        with pytest.raises(NotFound):
            tokens.make(seen, "Thief", SetClock.time)


def test_a_token_is_its_makers_to_revoke(
    app: Flask, cora: Curator, program: Program, clock: SetClock
) -> None:
    cora.get("/admin/settings")
    form = cora.page.find("form", action=lambda to: bool(to) and to.endswith("/revocation"))
    assert form is not None
    robin = of_role(app, clock, Role.ADMINISTRATOR, "Robin")
    assert robin.post(str(form["action"])).status_code == 404
    assert program.get("/orders").status_code == 200


@pytest.mark.parametrize("name", ["", " ", "x" * 41, "a\x07b"])
def test_a_token_needs_a_name(cora: Curator, name: str) -> None:
    assert cora.post("/admin/settings/tokens", {"name": name}).status_code == 422
    assert cora.page.find(id="wrong-name") is not None


def test_a_token_can_do_what_the_role_can(app: Flask, clock: SetClock, cora: Curator) -> None:
    robin = of_role(app, clock, Role.REVIEWER, "Robin")
    program = Program(app, token_of(robin))
    assert program.get("/orders").status_code == 200
    refused = program.post("/orders", json={"count": 1})
    assert (refused.status_code, refused.content_type) == (403, PROBLEM)
    assert program.get("/export").status_code == 403
    assert program.get("/imports").status_code == 403
    assert program.ask("PUT", f"/calendar/{MONDAY}/3", json={"puzzle": 1}).status_code == 403
    for path in ("/notices", "/collections"):
        assert program.post(path, json={}).status_code == 403
    assert program.post("/puzzles/1/decision", json={}).status_code == 422
    cora.post(f"/admin/team/{player_of(app, 'Robin')}", {"role": "editor", "seen": "reviewer"})
    assert program.get("/imports").status_code == 200
    cora.post(f"/admin/team/{player_of(app, 'Robin')}/removal")
    assert program.get("/orders").status_code == 401
    cora.post("/admin/team", {"name": "Robin", "role": "editor"})
    assert program.get("/orders").status_code == 401


def test_requests_are_limited(program: Program, monkeypatch: pytest.MonkeyPatch, clock: SetClock) -> None:
    monkeypatch.setattr(api, "REQUESTS", replace(api.REQUESTS, capacity=2))
    assert [program.get("/orders").status_code for _ in range(3)] == [200, 200, 429]
    answer = program.get("/orders")
    assert (answer.content_type, int(answer.headers["Retry-After"]) > 0) == (PROBLEM, True)
    clock.advance(seconds=api.REQUESTS.per / timedelta(seconds=1))
    assert program.get("/orders").status_code == 200


@pytest.mark.parametrize(
    ("method", "path", "more", "status", "field"),
    [
        ("POST", "/orders", {"json": {"count": 0}}, 422, "count"),
        ("POST", "/orders", {"json": {"count": True}}, 422, "count"),
        ("POST", "/orders", {"json": {"count": 1, "colour": 1}}, 422, "body"),
        ("POST", "/orders", {"json": [1]}, 422, "body"),
        ("POST", "/orders", {"json": {"count": 1, "recipe": {"level": 9}}}, 422, "level"),
        ("POST", "/orders", {"json": {"count": 1, "recipe": {"levels": 3}}}, 422, "levels"),
        ("POST", "/orders", {"json": {"count": 1, "recipe": {"level": 1, "er": [7, 9]}}}, 422, "er"),
        ("POST", "/orders", {"json": {"count": 1, "minutes": 10**30}}, 422, "minutes"),
        ("POST", "/orders", {"data": "{", "content_type": "application/json"}, 400, None),
        ("POST", "/orders", {"data": "[" * 500 + "]" * 500, "content_type": "application/json"}, 400, None),
        ("POST", "/orders", {"data": "{}", "content_type": "text/plain"}, 415, None),
        ("POST", "/imports", {"data": "nothing", "content_type": "text/plain"}, 422, "text"),
        ("POST", "/imports", {"data": {"text": "x"}}, 415, None),
        ("GET", "/imports?page=0", {}, 422, "page"),
        ("GET", "/imports?page=1&page=2", {}, 422, "page"),
        ("GET", "/imports?pages=2", {}, 422, "pages"),
        ("GET", "/export?twins=yes", {}, 422, "twins"),
        ("GET", "/imports/1/lines?state=x", {}, 422, "state"),
        ("GET", "/imports/1", {}, 404, None),
        ("GET", "/orders/1", {}, 404, None),
        ("GET", "/export?format=x", {}, 422, "format"),
        ("GET", "/export?level=x", {}, 422, "level"),
        ("GET", "/export?tag=none", {}, 404, None),
        ("GET", "/calendar?month=soon", {}, 422, "month"),
        ("GET", "/calendar?month=1999-01", {}, 404, None),
        ("PUT", "/calendar/soon/3", {"json": {"puzzle": 1}}, 422, "date"),
        ("PUT", f"/calendar/{MONDAY}/9", {"json": {"puzzle": 1}}, 422, "level"),
        ("PUT", f"/calendar/{MONDAY}/3", {"json": {"puzzle": "1"}}, 422, "puzzle"),
        ("PUT", f"/calendar/{MONDAY}/3", {"json": {"puzzle": 10**12}}, 422, "puzzle"),
        ("PUT", f"/calendar/{MONDAY}/3", {"json": {"puzzle": 1, "sure": 1}}, 422, "sure"),
        ("PUT", f"/calendar/{MONDAY}/3", {"json": {"puzzle": 999_999}}, 409, None),
        ("POST", "/imports?columns=title", {"data": "x\n", "content_type": "text/plain"}, 422, "columns"),
        ("POST", "/imports?columns=puzzle,puzzle", {"data": "x\n"}, 422, "columns"),
        ("POST", "/imports?columns=puzzle,colour", {"data": "x\n"}, 422, "columns"),
        ("GET", "/puzzles/999999", {}, 404, None),
        ("GET", "/puzzles?level=9", {}, 422, "level"),
        ("POST", "/puzzles/1/decision", {"json": {"action": "approve"}}, 422, "version"),
        ("DELETE", f"/calendar/{MONDAY}/3", {}, 422, "puzzle"),
        ("DELETE", "/calendar/soon/3?puzzle=1", {}, 422, "date"),
        ("PUT", "/drafts/soon/3", {"json": {"puzzle": 1}}, 422, "date"),
        ("POST", "/drafts/release", {"json": {"drafts": 1}}, 422, "drafts"),
        ("POST", "/drafts/release", {"json": {"drafts": [{"date": "x"}]}}, 422, "date"),
        ("POST", "/collections", {"json": {"title": ""}}, 422, "title"),
        ("PUT", "/collections/9", {"json": {"version": 1, "title": "x"}}, 404, None),
        ("DELETE", "/collections/9", {}, 422, "version"),
        ("DELETE", "/orders", {}, 405, None),
        ("GET", "/nothing", {}, 404, None),
    ],
)
def test_what_is_wrong_is_said_in_a_sentence(
    program: Program, method: str, path: str, more: dict[str, Any], status: int, field: str | None
) -> None:
    answer = program.ask(method, path, **more)
    assert (answer.status_code, answer.content_type) == (status, PROBLEM), answer.text
    assert answer.json is not None
    assert answer.json["status"] == status
    assert answer.json["detail"]
    assert "<" not in answer.text
    assert set(answer.json.get("errors", {})) == ({field} if field else set())


def test_a_large_file_waits_for_a_worker(program: Program) -> None:
    content = f"{'.' * 81}\n" * 13_000  # more than a mebibyte
    sent = program.post("/imports", data=content, content_type="application/octet-stream")
    assert (sent.status_code, sent.json and sent.json["state"]) == (202, "queued")
    where = sent.headers["Location"].removeprefix(V1)
    assert (program.post(f"{where}/cancel").json or {})["state"] == "cancelled"
    assert program.post(f"{where}/cancel").status_code == 409


@pytest.mark.both_databases
def test_of_a_file_whose_sender_hangs_up_nothing_waits(app: Flask, program: Program) -> None:
    content = f"{'.' * 81}\n" * 40_000  # several pieces
    sent = program.post(
        "/imports",
        data=content,
        environ_overrides={"CONTENT_LENGTH": str(len(content) + 1)},
        content_type="application/octet-stream",
    )
    assert sent.status_code == 400
    with app.app_context():
        for kind in (Import, ImportPiece):
            assert db.session.scalar(sa.select(sa.func.count()).select_from(kind)) == 0


def test_a_stranger_sends_no_large_file(app: Flask) -> None:
    sent = Program(app, None).post("/imports", data="x" * (1 << 20), content_type="text/plain")
    assert sent.status_code in (401, 413)


def test_an_order_is_canceled_once(program: Program) -> None:
    where = program.post("/orders", json={"count": 2}).headers["Location"].removeprefix(V1)
    assert (program.post(f"{where}/cancel").json or {})["state"] == "cancelled"
    assert program.post(f"{where}/cancel").status_code == 409


def test_lists_come_in_pages(program: Program) -> None:
    for _ in range(51):
        assert program.post("/orders", json={"count": 1}).status_code == 201
    first, second, third = (program.get(f"/orders?page={number}").json or {} for number in (1, 2, 3))
    assert [len(page["items"]) for page in (first, second, third)] == [50, 1, 0]
    assert first["pages"] == 2
    assert first["items"][0]["id"] > second["items"][0]["id"]


def test_where_two_release_a_program_drafts(
    app: Flask, program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(app.extensions, "settings", replace(app.extensions["settings"], two_person=True))
    number, other = in_stock(app, 2)
    put = program.ask("PUT", f"/calendar/{MONDAY}/3", json={"puzzle": number})
    assert (put.json and (put.json["puzzle"], put.json["draft"])) == (None, number)
    unseen = program.ask("PUT", f"/calendar/{MONDAY}/3", json={"puzzle": other})
    assert (unseen.status_code, unseen.content_type) == (409, PROBLEM)
    with app.app_context():
        assert db.session.query(DailyDraft).one().puzzle_id == number
    seen = program.ask("PUT", f"/calendar/{MONDAY}/3", json={"puzzle": other, "instead": number})
    assert (seen.json and seen.json["draft"]) == other


@pytest.mark.parametrize("large", [False, True])
def test_a_program_names_the_columns_of_its_table(
    app: Flask, program: Program, monkeypatch: pytest.MonkeyPatch, large: bool
) -> None:
    if large:
        monkeypatch.setattr(importing, "SMALL", 50)
    grid = new_puzzle(3).givens
    table = f"Name;Level;Gitter\nBrücke;schwer;{grid}\n".encode("cp1252")
    sent = program.post("/imports?columns=title,,puzzle", data=table, content_type="text/csv")
    assert sent.status_code == 202 if large else 201
    with app.app_context():
        for batch in importing.take_up():
            assert importing.work(batch, lambda: False, lambda: SetClock.time)
        assert db.session.scalar(sa.select(Puzzle.title).where(Puzzle.givens == grid)) == "Brücke"
