"""Roles: what each kind of curator reads and changes, and who gives them."""

from __future__ import annotations

import re

import pytest
import sqlalchemy as sa
from flask import Flask

from tests.webapp.desk import Curator, appoint, entries
from tests.webapp.statements import player_id
from tests.webapp.visitors import SetClock, Visitor
from webapp.capability import Right, capabilities_of
from webapp.curation import curators
from webapp.curation.access import RIGHTS
from webapp.curation.people.notices import Notice
from webapp.models import Attempt, Player, Role
from webapp.process.database import db


def of_role(app: Flask, clock: SetClock, role: Role, name: str) -> Curator:
    """Return a curator of a role who has just confirmed their identity."""
    curator = appoint(Curator(app, clock=clock, name=name))
    with app.app_context():
        by = curators.everyone()[0]
        player = db.session.get_one(Player, player_id(app, name))
        curators.set_role(player.id, role, player.role or "", clock.time, by)  # type: ignore[arg-type]
    curator.prove()
    return curator


@pytest.mark.parametrize("role", [*Role, "player", "guest"])
@pytest.mark.usefixtures("cora")
def test_a_role_opens_its_places_and_no_others(app: Flask, clock: SetClock, role: str) -> None:
    robin = of_role(app, clock, Role(role), "Robin") if role in [*Role] else Visitor(app)
    if role == "player":
        robin.register("Robin")
    robin.start(level=1)
    places = capabilities_of(app).places
    for rule in app.url_map.iter_rules():
        place = places.get(rule.endpoint.rpartition(".")[0])
        if rule.endpoint.startswith("admin.access.") or rule.endpoint == "accounts.sign_out":
            continue
        address = re.sub("<[^>]+>", "1", rule.rule)
        for method in {"GET", "POST"} & (rule.methods or set()):
            headers = {"X-CSRFToken": robin.token}
            status = robin.client.open(address, method=method, headers=headers).status_code
            if place is None:  # a role changes nothing outside the desk
                assert status not in (403, 500), (method, address, status)
                continue
            needed = place.more.get(rule.endpoint, place.write) if method == "POST" else place.read
            assert (status != 403) == (role in RIGHTS and needed in RIGHTS[role]), (method, address, status)


def test_a_page_offers_only_what_its_role_may_do(app: Flask, cora: Curator, clock: SetClock) -> None:
    robin = of_role(app, clock, Role.REVIEWER, "Robin")
    for address in ("/admin/", "/admin/calendar", "/admin/puzzles", "/admin/people", "/admin/orders"):
        assert robin.get(address).status_code == 200
        for form in robin.page.select("main form[method=post]"):
            assert robin.post(form["action"]).status_code != 403, form["action"]
    assert cora.get("/admin/people").status_code == 200


def test_a_refusal_leaves_the_page_and_is_said_in_the_toast(
    app: Flask, cora: Curator, clock: SetClock
) -> None:
    assert cora.get("/admin/").status_code == 200
    robin = of_role(app, clock, Role.REVIEWER, "Robin")
    answer = robin.post("/admin/calendar/fillings", htmx=True)
    assert (answer.status_code, answer.headers["HX-Retarget"]) == (403, "#toast")
    assert "Your role doesn’t include this." in robin.page.select_one(".toast--wrong").text


def test_today_lists_what_a_role_decides_on(app: Flask, cora: Curator, ada: Visitor, clock: SetClock) -> None:
    ada.start(level=1)
    with app.app_context():
        played = db.session.scalars(sa.select(Attempt.puzzle_id)).one()
    assert ada.post(f"/puzzles/{played}/report", {"text": "Wrong"}).status_code == 303
    assert cora.get("/admin/").status_code == 200
    for role, name, seen in ((Role.REVIEWER, "Rita", 1), (Role.MODERATOR, "Mona", 0)):
        robin = of_role(app, clock, role, name)
        robin.get("/admin/")
        assert len(robin.page.select(".waiting__one")) == seen
    assert robin.post("/admin/waiting", {"kind": "report", "key": "1"}).status_code == 403


# Giving roles


@pytest.mark.both_databases
def test_an_administrator_adds_changes_and_removes_curators(app: Flask, cora: Curator, ada: Visitor) -> None:
    assert ada.get("/admin/").status_code == 403
    added = cora.post("/admin/people/curators", {"name": "Ada", "role": "editor"})
    assert added.status_code == 200
    assert cora.page.select_one(".qr svg") is not None
    assert cora.page.find(id="key").text.startswith("otpauth://totp/")
    ada_id = player_id(app, "Ada")
    address = f"/admin/people/curators/{ada_id}"
    assert cora.post(address, {"role": "moderator", "seen": "editor"}).status_code == 303
    assert cora.post(address, {"role": "reviewer", "seen": "editor"}).status_code == 409
    assert cora.post(address, {"role": "", "seen": "moderator"}).status_code == 303
    assert [entry.action for entry in entries(app, "curator")][-3:] == ["add", "appoint", "remove"]
    assert ada.get("/admin/").status_code == 403


@pytest.mark.both_databases
def test_the_last_administrator_stays(app: Flask, cora: Curator) -> None:
    address = f"/admin/people/curators/{player_id(app, 'Cora')}"
    for role in ("", "editor"):
        refused = cora.post(address, {"role": role, "seen": "administrator"})
        assert (refused.status_code, "only administrator" in refused.text) == (422, True)


@pytest.mark.parametrize(("name", "role"), [("Nobody", "editor"), ("Cora", "editor"), ("Ada", "king")])
@pytest.mark.usefixtures("ada")
def test_who_cannot_be_added_is_named(cora: Curator, name: str, role: str) -> None:
    assert cora.post("/admin/people/curators", {"name": name, "role": role}).status_code == 422


def test_every_right_has_a_role() -> None:
    held = Right.SEE
    for rights in RIGHTS.values():
        held |= rights
    assert held == RIGHTS[Role.ADMINISTRATOR]


# A curator's own settings


@pytest.mark.both_databases
def test_a_new_second_factor_ends_the_old_one_and_keeps_the_desk_open(cora: Curator) -> None:
    assert cora.post("/admin/settings/factor").status_code == 200
    assert cora.page.select_one(".qr svg") is not None
    assert cora.get("/admin/").status_code == 200
    cora.post("/logout")
    cora.sign_in("Cora")
    assert cora.prove().status_code == 422


@pytest.mark.both_databases
def test_a_notice_is_shown_until_its_day_is_over_or_ended(
    app: Flask, cora: Curator, ada: Visitor, clock: SetClock
) -> None:
    text = "No dailies tonight: we’re moving."
    for last in ("2026-03-01", "2026-03-02"):
        form = {"text": f"{text} {last}", "until": last}
        assert cora.post("/admin/settings/notices", form).status_code == 303
    ada.start(level=1)

    def shown() -> int:
        ada.get("/")
        return len(ada.page.select(".notices__one"))

    assert shown() == 2
    clock.advance(days=1)
    assert shown() == 1
    cora.sign_in("Cora")
    cora.prove()
    with app.app_context():
        latest = db.session.scalars(sa.select(sa.func.max(Notice.id))).one()
    assert cora.post("/admin/settings/notices", {"end": str(latest)}).status_code == 303
    assert shown() == 0
    assert [entry.action for entry in entries(app, "notice")] == ["publish", "publish", "end"]


@pytest.mark.parametrize(
    "form", [{}, {"text": "x"}, {"text": "x", "until": "2020-01-01"}, {"text": "", "until": "2026-03-02"}]
)
def test_a_notice_that_says_too_little_is_refused(cora: Curator, form: dict[str, str]) -> None:
    assert cora.post("/admin/settings/notices", form).status_code == 422
