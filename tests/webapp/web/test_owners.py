"""Ownership: every address that names something, requested by its owner and by others; superfluous fields."""

from __future__ import annotations

from typing import Any

import pytest
import sqlalchemy as sa
from flask import Flask
from werkzeug.routing import Rule

from tests.webapp.conftest import EASY
from tests.webapp.visitors import PASSWORD, Visitor
from webapp.models import Player
from webapp.process.database import db

# The kind of each name in an address: owned things don't exist for others, shared ones are public. A group's
# key is an invitation, and any token may recover. The curation desk has its own matrix.
OWNED = {"attempt_id", "group_id"}
PUBLIC = {"puzzle_id", "text", "level", "name", "key", "race_key"}
PUBLIC |= {"token"}
# A form that the owner's request may send, where an empty one would be invalid.
FORMS: dict[str, dict[str, Any]] = {
    "play.moves": {"seq": 1, "kind": "digit", "cell": 0, "digit": 9},
    "play.clock": {"state": "paused"},
    "replays.show": {"shown": "no"},
}
# Available to the owner too only once it is solved; paper only while it is requested for that solve, which
# tests/webapp/competition/test_fair_play.py does, and a replay only of a solve on a leaderboard
# (tests/webapp/play/test_replays.py).
NOT_YET = {
    "cards.of_attempt",
    "replays.vote",
    "play.review",
    "play.paper",
    "replays.see",
    "replays.show",
    "replays.watch",
}


def rules(app: Flask) -> list[Rule]:
    """Return every rule that names something, except those of the curation desk."""
    return [
        rule for rule in app.url_map.iter_rules() if rule.arguments and not rule.rule.startswith("/admin")
    ]


def fresh(owner: Visitor, name: str) -> str:
    """Create a new thing of the owner's. Returns its id."""
    if name == "attempt_id":
        return owner.start(grid=EASY).rpartition("/")[2]
    return owner.post("/groups", {"name": "Class 4b"}).location.rpartition("/")[2]


def answer(visitor: Visitor, rule: Rule, path: str) -> str:
    """Return `there`, `not found`, or `sign in` for one request."""
    if "POST" in (rule.methods or ()):
        response = visitor.post(path, FORMS.get(rule.endpoint, {}))
    else:
        response = visitor.get(path)
    assert response.status_code < 500
    if response.location and response.location.startswith("/login"):
        return "sign in"
    return {404: "not found", 401: "sign in"}.get(response.status_code, "there")


def test_every_address_that_names_something_says_whose_it_is(app: Flask) -> None:
    assert {name for rule in rules(app) for name in rule.arguments} <= OWNED | PUBLIC


def test_what_is_anothers_is_not_found(app: Flask, ada: Visitor, guest: Visitor) -> None:
    bob = Visitor(app, address="127.0.0.2")
    assert bob.register("Bob").status_code == 303
    guest.start(level=1)
    stranger = Visitor(app)
    owned = [rule for rule in rules(app) if OWNED & rule.arguments]
    assert len(owned) >= 8
    for rule in owned:
        (name,) = rule.arguments
        (part,) = [part for part in rule.rule.split("/") if part.endswith(f"{name}>")]
        path = rule.rule.replace(part, fresh(ada, name))
        assert answer(bob, rule, path) == "not found", path
        for visitor in (guest, stranger):
            assert answer(visitor, rule, path) in ("not found", "sign in"), path
        expected = "not found" if rule.endpoint in NOT_YET else "there"
        assert answer(ada, rule, path) == expected, path
        if name == "attempt_id":
            guests = rule.rule.replace(part, guest.start(level=4).rpartition("/")[2])
            for visitor in (ada, bob, stranger):
                assert answer(visitor, rule, guests) == "not found", guests
    assert 'data-seq="0"' in guest.get(guest.start(level=4)).text


@pytest.mark.usefixtures("ada")
def test_another_players_account_is_out_of_reach(app: Flask, other: Visitor) -> None:
    """Nothing under /account names a player: a player named in a form is ignored."""
    other.register("Bob")
    with app.app_context():
        rows = {row.name: (row.id, row.key) for row in db.session.scalars(sa.select(Player))}
    number, key = rows["Ada"]
    claims = {"id": number, "player_id": number, "player": key, "key": key}
    other.post("/account/name", {"name": "Robert", **claims})
    other.post("/account/listing", {"listing": "none", **claims})
    assert other.get(f"/account/export?player_id={number}").text.count('"name": "Ada"') == 0
    other.post("/account/deletion", {"sure": "1", "password": PASSWORD, **claims})
    with app.app_context():
        (left,) = db.session.scalars(sa.select(Player))
        assert (left.name, left.listing) == ("Ada", "named")


@pytest.mark.parametrize("value", ["1", "2020-01-01T00:00:00+00:00"])
def test_fields_that_no_form_has_change_nothing(app: Flask, ada: Visitor, value: str) -> None:
    """Every column of every table, sent to every address that takes a form."""
    attempt = ada.start().rpartition("/")[2]
    columns = {column.name for table in db.metadata.sorted_tables for column in table.columns}
    # Fields of actual forms are sent as they are, or left out.
    fields = dict.fromkeys(
        columns - {"name", "listing", "level", "seq", "kind", "cell", "digit", "puzzle", "state"}, value
    )

    def snapshot() -> dict[str, list[tuple[object, ...]]]:
        with app.app_context():
            return {
                table.name: sorted(map(tuple, db.session.execute(table.select())), key=repr)
                for table in db.metadata.sorted_tables
                if table.name not in ("bucket", "puzzle")
            }

    before = snapshot()
    paths = {
        rule.rule.replace("<attempt_id>", attempt)
        for rule in app.url_map.iter_rules()
        if "POST" in (rule.methods or ()) and rule.endpoint != "accounts.sign_out"
    }
    for path in sorted(paths):
        assert ada.post(path, fields).status_code < 500, path
    after = snapshot()
    # Undo, hints and starts are the purpose of those addresses.
    for name in (
        "player",
        "daily",
        "score",
        "player_group",
        "membership",
        "peek",
    ):
        assert after[name] == before[name], name
    assert {row[:4] for row in before["attempt"]} <= {row[:4] for row in after["attempt"]}
