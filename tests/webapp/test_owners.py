"""Whose is it: every address that names something, asked by its owner, by another guest and by a stranger."""

from __future__ import annotations

from typing import Any

from flask import Flask

from tests.webapp.conftest import EASY
from tests.webapp.site import Visitor

# What each name in an address is: another's is as good as not there, or it is for everybody to see.
OWNED = {"attempt_id"}
PUBLIC = {"puzzle_id", "text", "name"}
# A form that the owner's request may send, where an empty one is no request at all.
FORMS: dict[str, dict[str, Any]] = {
    "play.moves": {"seq": 1, "kind": "digit", "cell": 0, "digit": 9},
    "play.clock": {"state": "paused"},
}
NOT_YET = {"play.review"}  # there for the owner too only once it is solved


def test_every_address_that_names_something_says_whose_it_is(app: Flask) -> None:
    named = {name for rule in app.url_map.iter_rules() for name in rule.arguments}
    assert named == OWNED | PUBLIC


def test_what_is_anothers_is_not_found(app: Flask, guest: Visitor, other: Visitor) -> None:
    other.start(level=1)
    stranger = Visitor(app)
    rules = [rule for rule in app.url_map.iter_rules() if OWNED & set(rule.arguments)]
    assert len(rules) >= 8
    for rule in rules:
        address = guest.start(grid=EASY).rpartition("/")[2]
        path = rule.rule.replace("<attempt_id>", address)
        for visitor in (other, stranger, guest):
            if "POST" in (rule.methods or ()):
                status = visitor.post(path, FORMS.get(rule.endpoint, {})).status_code
            else:
                status = visitor.get(path).status_code
            owned = visitor is guest and rule.endpoint not in NOT_YET
            assert (status != 404) is owned, f"{rule.rule} {status}"
            assert status < 500
