"""The team: each role's permissions, and who grants them."""

from __future__ import annotations

import pytest
from flask import Flask

from tests.webapp.competition.test_leaderboard import player_of
from tests.webapp.competition.test_schedule import in_the_bank, scheduled
from tests.webapp.conftest import new_puzzle
from tests.webapp.desk import MONDAY, Curator, appoint, entries
from tests.webapp.solves import DAY, add_daily
from tests.webapp.visitors import SetClock, Visitor
from webapp.capability import Right
from webapp.curation.team import roles
from webapp.models import Player, Role
from webapp.process.database import db, write_tx


def of_role(app: Flask, clock: SetClock, role: Role, name: str) -> Curator:
    """A curator of this role who has confirmed their identity just now."""
    made = Curator(app, clock=clock, name=name)
    appoint(made)
    with app.app_context(), write_tx():
        db.session.query(Player).filter_by(name=name).one().role = role
    assert made.prove().status_code == 303
    return made


def test_it_works(app: Flask, cora: Curator, ada: Visitor) -> None:
    assert ada.get("/admin/team").status_code == 403
    assert cora.post("/admin/team", {"name": "Ada", "role": "reviewer"}).status_code == 200
    assert "otpauth://" in cora.page.find(id="key").text
    assert ada.get("/admin/").status_code == 303  # to the form for the second factor
    sent = {"role": "moderator", "seen": "reviewer"}
    assert cora.post(f"/admin/team/{player_of(app, 'Ada')}", sent).status_code == 303
    cora.get("/admin/team")
    assert "otpauth://" not in cora.page.text
    assert cora.post(f"/admin/team/{player_of(app, 'Ada')}/removal").status_code == 303
    assert ada.get("/admin/").status_code == 403
    assert [entry.action for entry in entries(app, "curator")] == ["add", "add", "appoint", "remove"]
    cora.get("/admin/audit")
    assert "Appointed Ada (Moderator)." in cora.page.text


READS = {
    "/admin/": Right.REVIEW,
    "/admin/calendar": Right.REVIEW,
    "/admin/orders": Right.REVIEW,
    "/admin/notices": Right.REVIEW,
    "/admin/reports": Right.REVIEW,
    "/admin/import": Right.EDIT,
    "/admin/export": Right.EDIT,
    "/admin/flags": Right.MODERATE,
    "/admin/team": Right.APPOINT,
    "/admin/audit": Right.SEE,
}
WRITES = {
    "/admin/decisions": Right.REVIEW,
    "/admin/puzzles/1/comments": Right.REVIEW,
    "/admin/reports/1/closing": Right.REVIEW,
    "/admin/calendar": Right.EDIT,
    "/admin/plan/notes": Right.EDIT,
    "/admin/orders": Right.EDIT,
    "/admin/import": Right.EDIT,
    "/admin/notices": Right.EDIT,
    "/admin/puzzles/1/level": Right.EDIT,
    "/admin/puzzles/1/vary": Right.EDIT,
    "/admin/withdrawals/2026-03-01/2": Right.EDIT,
    "/admin/flags/x/verdict": Right.MODERATE,
    "/admin/team": Right.APPOINT,
}


@pytest.mark.parametrize("role", [role for role in Role if role != Role.ADMINISTRATOR])
def test_a_role_opens_its_places_and_no_others(app: Flask, clock: SetClock, role: Role) -> None:
    robin = of_role(app, clock, role, "Robin")
    for address, right in READS.items():
        if address != "/admin/":  # which redirects
            assert (robin.get(address).status_code == 403) == (right not in roles.RIGHTS[role]), address
    for address, right in WRITES.items():
        assert (robin.post(address).status_code == 403) == (right not in roles.RIGHTS[role]), address
    assert robin.get("/admin/nothing-here").status_code == 404


def test_a_reviewer_decides_and_schedules_nothing(app: Flask, clock: SetClock) -> None:
    robin = of_role(app, clock, Role.REVIEWER, "Robin")
    robin.get("/admin/calendar")
    assert robin.page.find("a", string="Import and export") is None
    assert robin.page.find(id="pdf") is None
    sent = {"date": str(MONDAY), "level": "3", "puzzle": "1", "instead": ""}
    assert robin.post("/admin/calendar", sent).status_code == 403
    assert "Your role doesn’t include this." in robin.page.text


def test_a_refusal_leaves_the_page_and_is_said_in_the_toast(app: Flask, clock: SetClock) -> None:
    robin = of_role(app, clock, Role.REVIEWER, "Robin")
    answer = robin.post("/admin/calendar/fillings", {"month": "2026-03"}, htmx=True)
    assert (answer.status_code, answer.headers["HX-Retarget"]) == (403, "#toast")
    assert "Your role doesn’t include this." in robin.page.select_one(".toast--wrong").text


def offered(app: Flask, curator: Curator) -> set[str]:
    """Return the endpoints of all forms on pages that reviewers may open, too."""
    with app.app_context():
        (number,) = in_the_bank([5])
        scheduled(MONDAY, 3, new_puzzle(3))
        add_daily()
    found = set()
    for address in (
        "/admin/",
        "/admin/?status=approved",
        f"/admin/puzzles/{number}",
        f"/admin/calendar?date={MONDAY}&level=3",
        f"/admin/calendar?puzzle={number}",
        "/admin/plan",
        "/admin/results",
        "/admin/orders",
        "/admin/health",
        "/admin/notices",
        f"/admin/withdrawals/{DAY}/2",
    ):
        assert curator.get(address).status_code == 200, address
        forms = [form["action"] for form in curator.page.select("main form[method=post]")]
        found |= {
            app.url_map.bind("").match(to.partition("#")[0].partition("?")[0], "POST")[0] for to in forms
        }
    return found


def test_a_reviewer_is_offered_only_what_reviewers_may_do(app: Flask, cora: Curator, clock: SetClock) -> None:
    order = {
        "count": "1",
        "budget": "1",
        "level": "3",
        "symmetry": "any",
        "method": "dig_hole",
        "search": "ours",
    }
    assert cora.post("/admin/orders", order).status_code == 303
    robin = of_role(app, clock, Role.REVIEWER, "Robin")
    for endpoint in offered(app, robin):
        with app.app_context():
            assert roles.may(Role.REVIEWER, endpoint, write=True), endpoint
    robin.get("/admin/orders")
    assert robin.page.find(id="job-1") is not None


def test_a_moderator_begins_with_the_solves_under_review(app: Flask, clock: SetClock) -> None:
    robin = of_role(app, clock, Role.MODERATOR, "Robin")
    assert robin.get("/admin/").location == "/admin/flags"
    assert robin.prove(next="https://elsewhere.example").location == "/admin/flags"


def test_the_last_administrator_stays(app: Flask, cora: Curator) -> None:
    own = player_of(app, "Cora")
    sent = {"role": "editor", "seen": "administrator"}
    assert cora.post(f"/admin/team/{own}", sent).status_code == 422
    assert cora.page.find(id=f"wrong-role-{own}") is not None
    assert cora.post(f"/admin/team/{own}/removal").status_code == 422
    assert cora.get("/admin/team").status_code == 200


def test_a_role_given_meanwhile_is_not_overwritten(app: Flask, cora: Curator, clock: SetClock) -> None:
    of_role(app, clock, Role.EDITOR, "Robin")
    sent = {"role": "reviewer", "seen": "moderator"}
    assert cora.post(f"/admin/team/{player_of(app, 'Robin')}", sent).status_code == 409


@pytest.mark.parametrize(
    "fields",
    [
        {"name": "Nobody", "role": "editor"},
        {"name": "", "role": "editor"},
        {"name": "Cora", "role": "editor"},
    ],
)
def test_who_cannot_be_added_is_named_at_the_field(cora: Curator, fields: dict[str, str]) -> None:
    assert cora.post("/admin/team", fields).status_code == 422
    assert cora.page.find(id="wrong-name") is not None


def test_there_are_four_roles(app: Flask, cora: Curator) -> None:
    assert cora.post("/admin/team", {"name": "Cora", "role": "king"}).status_code == 422
    sent = {"role": "king", "seen": "administrator"}
    assert cora.post(f"/admin/team/{player_of(app, 'Cora')}", sent).status_code == 422
    assert cora.post("/admin/team/999999", sent | {"role": "editor"}).status_code == 404
    assert cora.post("/admin/team/999999/removal").status_code == 404
