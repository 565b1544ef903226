"""Ownership: every address with a player's data, requested by others; forms with superfluous fields."""

from __future__ import annotations

import pytest
import sqlalchemy as sa
from flask import Flask

from tests.webapp.learn.drills import stock_up
from tests.webapp.visitors import PASSWORD, Visitor
from webapp.models import Player
from webapp.process.database import db

# Every variable of an address: whether it names something of one player alone. A new one goes here.
OWNED = {"attempt_id", "drill_key", "session_key", "run_key", "submission_id", "token"}
PUBLIC = {"filename", "league_id", "level", "puzzle_id", "name", "day", "text", "tier"}
# A group is its members' own: tests/webapp/competition/test_groups.py tests who sees it. The key of a race
# grants access; tests/webapp/competition/test_races.py tests permissions. So does
# tests/webapp/curation/test_collections.py for a collection that is for one group.
SHARED = {"group_id", "key", "collection_id", "race_key"}


def rules_with(app: Flask, argument: str) -> list[tuple[str, str]]:
    return sorted(
        (method, rule.rule)
        for rule in app.url_map.iter_rules()
        for method in (rule.methods or set()) & {"GET", "POST"}
        if argument in rule.arguments
    )


def test_every_variable_of_an_address_is_known_as_owned_or_public(app: Flask) -> None:
    # The desk and its API have tests of their own: test_access.py and test_api.py in tests/webapp/curation.
    rules = (rule for rule in app.url_map.iter_rules() if not rule.rule.startswith(("/admin", "/api")))
    known = {argument for rule in rules for argument in rule.arguments}
    assert known <= OWNED | PUBLIC | SHARED


def test_an_attempt_is_not_there_for_anybody_else(app: Flask, guest: Visitor, ada: Visitor) -> None:
    bob, nobody = Visitor(app), Visitor(app)
    bob.register("Bob")
    another_guest = Visitor(app)
    another_guest.start()
    rules = rules_with(app, "attempt_id")
    assert len(rules) > 6
    for owner, others in (
        (guest, (ada, bob, another_guest, nobody)),
        (ada, (bob, another_guest, nobody)),
    ):
        attempt = owner.start(level=4).rpartition("/")[2]
        before = owner.get(f"/attempts/{attempt}").text
        for visitor in others:
            for method, rule in rules:
                path = rule.replace("<attempt_id>", attempt)
                form = {
                    "seq": "1",
                    "kind": "digit",
                    "cell": "0",
                    "digit": "1",
                    "state": "paused",
                    "shown": "yes",
                }
                answer = visitor.get(path) if method == "GET" else visitor.post(path, form)
                # The desk refuses all before any lookup.
                assert answer.status_code == (403 if path.startswith("/admin/") else 404), (method, path)
        after = owner.get(f"/attempts/{attempt}").text
        assert ('data-seq="0"' in before) and ('data-seq="0"' in after)


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


@pytest.mark.parametrize("value", ["1", "0", "named", "2020-01-01T00:00:00+00:00"])
def test_fields_that_no_form_has_change_nothing(app: Flask, ada: Visitor, value: str) -> None:
    """Every column of every table, sent to every address that takes a form."""
    attempt = ada.start().rpartition("/")[2]
    with app.app_context():
        stock_up()
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
        "point_count",
        "time_count",
        "player_group",
        "membership",
        "peek",
    ):
        assert after[name] == before[name], name
    assert {row[:4] for row in before["attempt"]} <= {row[:4] for row in after["attempt"]}
