"""Groups: created, joined by link, visible to members alone, changed by the owner, and their leaderboards."""

from __future__ import annotations

from datetime import timedelta

import pytest
import sqlalchemy as sa
from flask import Flask

from tests.webapp.solves import add_daily, add_player, add_solve, at
from tests.webapp.statements import one, player_id
from tests.webapp.visitors import SetClock, Visitor
from webapp.competition.groups import groups
from webapp.competition.groups.tables import Group, Membership
from webapp.models import Daily, Listing, Peek, Player
from webapp.process.database import db, write_tx

FORM_WITH_PASSWORD = "main form:has(input[type=password]) input[type=hidden]"


@pytest.fixture
def bob(app: Flask) -> Visitor:
    """Another player with a name."""
    visitor = Visitor(app, address="127.0.0.2")
    assert visitor.register("Bob").status_code == 303
    return visitor


def made(visitor: Visitor, name: str = "Class 4b") -> str:
    """Return the address of a new group."""
    response = visitor.post("/groups", {"name": name})
    assert response.status_code == 303, response.text
    return response.location


def key_of(app: Flask) -> str:
    return one(app, sa.select(Group.key))


def players_in(app: Flask) -> list[str | None]:
    with app.app_context():
        return list(db.session.scalars(sa.select(Player.name).join(Membership).order_by(Player.name)))


def test_it_works(app: Flask, ada: Visitor, bob: Visitor) -> None:
    address = made(ada)
    assert ada.get(address).status_code == 200
    invitation = f"/groups/{key_of(app)}/join"
    assert ada.page.find(id="invitation-link").text == f"http://localhost{invitation}"
    bob.get(invitation)
    assert "Ada has invited you to join this group. It has 1 member." in " ".join(bob.page.text.split())
    assert players_in(app) == ["Ada"]
    assert bob.post(invitation).location == address
    assert players_in(app) == ["Ada", "Bob"]
    assert bob.get(address).status_code == 200
    assert bob.post(invitation).status_code == 303
    assert players_in(app) == ["Ada", "Bob"]


@pytest.mark.both_databases
def test_looking_at_an_invitation_joins_nobody(app: Flask, ada: Visitor, guest: Visitor) -> None:
    made(ada)
    assert guest.get(f"/groups/{key_of(app)}/join").status_code == 200
    assert players_in(app) == ["Ada"]
    invitation = f"/groups/{key_of(app)}/join"
    assert guest.post(invitation).location == f"/login?next={invitation}"
    assert players_in(app) == ["Ada"]


@pytest.mark.usefixtures("bob")
@pytest.mark.parametrize("form", ["/register", "/login"])
def test_a_visitor_without_a_name_gets_one_and_is_back_at_the_invitation(
    app: Flask, ada: Visitor, guest: Visitor, form: str
) -> None:
    address = made(ada)
    invitation = f"/groups/{key_of(app)}/join"
    guest.get(invitation)
    assert guest.page.find("form", action=invitation) is None  # no form that would be rejected
    link = guest.page.find("main").find("a", href=f"{form}?next={invitation}")
    assert guest.get(link["href"]).status_code == 200
    fields = {field["name"]: field["value"] for field in guest.page.select(FORM_WITH_PASSWORD)}
    come = guest.register if form == "/register" else guest.sign_in
    name = "Cleo" if form == "/register" else "Bob"
    assert come(name, **fields).location == invitation
    guest.get(invitation)
    assert guest.post(guest.page.find("form", action=invitation)["action"]).location == address
    assert players_in(app) == ["Ada", name]


def test_only_members_see_a_group(ada: Visitor, bob: Visitor, guest: Visitor) -> None:
    address = made(ada)
    assert bob.get(address).status_code == 404
    assert guest.get(address).location.startswith("/login")


def test_only_the_owner_changes_a_group(app: Flask, ada: Visitor, bob: Visitor) -> None:
    address, key = made(ada), key_of(app)
    bob.post(f"/groups/{key}/join")
    for action in ("key", "deletion"):
        assert bob.post(f"{address}/{action}").status_code == 404
    assert bob.post(f"{address}/departures", {"member": player_id(app, "Ada")}).status_code == 404
    assert key_of(app) == key
    assert players_in(app) == ["Ada", "Bob"]


def test_the_owner_takes_somebody_out_and_renews_the_link(app: Flask, ada: Visitor, bob: Visitor) -> None:
    address, key = made(ada), key_of(app)
    bob.post(f"/groups/{key}/join")
    assert ada.post(f"{address}/departures", {"member": player_id(app, "Bob")}).status_code == 303
    assert players_in(app) == ["Ada"]
    assert ada.post(f"{address}/key").status_code == 303
    assert bob.post(f"/groups/{key}/join").status_code == 404
    assert players_in(app) == ["Ada"]


@pytest.mark.both_databases
def test_a_group_goes_on_when_its_owner_leaves_and_ends_with_its_last_member(
    app: Flask, ada: Visitor, bob: Visitor, clock: SetClock
) -> None:
    """Of the others, the one who has been in it longest takes it over, whatever their number."""
    address = made(ada)
    with app.app_context():
        early = add_player("Abe")
        groups.join(key_of(app), early, SetClock.time + timedelta(hours=2))
    clock.advance(hours=1)
    bob.post(f"/groups/{key_of(app)}/join")
    ada.post(f"{address}/departures")
    assert players_in(app) == ["Abe", "Bob"]
    assert bob.post(f"{address}/key").status_code == 303
    bob.post(f"{address}/departures")
    with app.app_context():
        assert db.session.scalars(sa.select(Group.owner_id)).one() == early
        groups.leave(early, int(address.rpartition("/")[2]))
    with app.app_context():
        assert db.session.scalars(sa.select(Group.id)).all() == []


def test_the_owner_ends_a_group(app: Flask, ada: Visitor) -> None:
    address = made(ada)
    assert ada.post(f"{address}/deletion").location == "/groups"
    assert players_in(app) == []
    assert ada.get(address).status_code == 404


@pytest.mark.both_databases
def test_a_groups_board_lists_its_members_by_name(app: Flask, ada: Visitor) -> None:
    address = made(ada)
    ada_id = player_id(app, "Ada")
    with app.app_context():
        daily = add_daily()
        shy, stranger = add_player("Shy", listing=Listing.NONE), add_player("Stranger")
        for player, seconds in ((ada_id, 200), (shy, 100), (stranger, 50)):
            add_solve(player, daily, seconds)
        groups.join(db.session.scalars(sa.select(Group.key)).one(), shy, SetClock.time)
    ada.get(f"{address}?date=2026-03-01&level=2")
    names = [cell.text.split()[0] for cell in ada.page.select(".ranking__table tbody .ranking__name")]
    assert names == ["Shy", "Ada"]
    for links in (".ranking__table tbody th a", ".group__list a"):
        assert [link["href"] for link in ada.page.select(links)] == ["/players/Ada"], "not to a hidden one"
    for scope in ("week", "all"):
        assert ada.get(f"{address}?scope={scope}").status_code == 200
    fragment = ada.get(f"{address}?level=2", **{"HX-Request": "true"}).text
    assert "<html" not in fragment
    assert address in fragment


@pytest.mark.both_databases
def test_a_groups_board_takes_what_the_board_of_all_takes(app: Flask, ada: Visitor, bob: Visitor) -> None:
    """Those who had begun the puzzle before, had seen it at the desk, or are suspended are left out."""
    address = made(ada)
    bob.post(f"/groups/{key_of(app)}/join")
    again, curator = player_id(app, "Ada"), player_id(app, "Bob")
    with app.app_context():
        daily = add_daily()
        add_solve(again, daily, 400, ranked=False, starts=at(hours=7))
        add_solve(again, daily, 90)
        with write_tx():
            puzzle_id = db.session.get_one(Daily, daily).puzzle_id
            db.session.add(Peek(player_id=curator, puzzle_id=puzzle_id, seen_at=at(hours=7)))
        add_solve(curator, daily, 80)
        robot = add_player("Robot", suspended=True)
        add_solve(robot, daily, 70)
        groups.join(db.session.scalars(sa.select(Group.key)).one(), robot, SetClock.time)
    ada.get(f"{address}?date=2026-03-01&level=2")
    assert ada.page.select(".ranking__table tbody tr") == []


@pytest.mark.both_databases
@pytest.mark.parametrize(
    ("name", "found"),
    [*((name, 0) for name in ("", "   ", "x" * 41, "a\u202eb", "a\u3164", "Adа")), ("Büro 3", 1), ("---", 1)],
)
def test_a_groups_name_is_short_and_can_be_shown(
    app: Flask, ada: Visitor, guest: Visitor, name: str, found: int
) -> None:
    guest.start()  # a player without a name
    response = ada.post("/groups", {"name": name})
    assert response.status_code == (303 if found else 422)
    with app.app_context():
        assert db.session.scalar(sa.select(sa.func.count()).select_from(Group)) == found


def test_bad_members_and_keys_are_refused(app: Flask, ada: Visitor) -> None:
    address = made(ada)
    for member, status in (("x", 422), ("999999", 404), (str(player_id(app, "Ada")), 404)):
        assert ada.post(f"{address}/departures", {"member": member}).status_code == status
    for key in ("short", "x" * 22, "%25" * 22):
        assert ada.get(f"/groups/{key}/join").status_code == 404


def test_a_full_group_takes_nobody(
    app: Flask, ada: Visitor, bob: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(groups, "MOST_MEMBERS", 1)
    made(ada)
    assert bob.post(f"/groups/{key_of(app)}/join").status_code == 422
    assert players_in(app) == ["Ada"]
