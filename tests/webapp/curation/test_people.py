"""Players at the desk: names, hiding, suspensions; and the log."""

from __future__ import annotations

import re

import pytest
import sqlalchemy as sa
from flask import Flask

from tests.webapp.conftest import EASY
from tests.webapp.curation.bank import candidate, stored
from tests.webapp.curation.test_roles import of_role
from tests.webapp.desk import Curator, entries
from tests.webapp.solves import add_daily, add_player, add_solve
from tests.webapp.statements import one, player_id
from tests.webapp.visitors import SetClock, Visitor
from webapp.competition import suspensions
from webapp.models import Attempt, Listing, Player, Role
from webapp.process.database import db, write_tx


def row(app: Flask, name: str) -> Player:
    return one(app, sa.select(Player).where(Player.name == name))


def change(curator: Curator, player_id: int, act: str, seen: str = "", **fields: str) -> int:
    """Change a player as their open row shows them, or did. Returns the status."""
    if not seen:
        assert curator.get(f"/admin/people?player={player_id}").status_code == 200
        seen = str(curator.page.select_one(".players__acts input[name=seen]")["value"])
    form = {"player": str(player_id), "seen": seen, "act": act, **fields}
    return curator.post("/admin/people/players", form).status_code


def test_names_are_looked_for_by_a_part(cora: Curator, ada: Visitor) -> None:
    assert ada.get("/").status_code == 200
    cora.get("/admin/people?name=da")
    assert [one.b.text for one in cora.page.select(".players__one")] == ["Ada"]
    cora.get("/admin/people?name=%25")
    assert cora.page.select(".players__one") == []


@pytest.mark.both_databases
def test_a_name_is_replaced_and_logged(app: Flask, cora: Curator, ada: Visitor) -> None:
    number = player_id(app, "Ada")
    for wrong in ("", "x", "C0ra"):
        assert change(cora, number, "rename", name=wrong) == 422
    assert change(cora, number, "rename", name="Adele") == 303
    assert "Adele" in ada.get("/account").text
    (entry,) = entries(app, "player")
    assert (entry.before, entry.after) == ('{"name": "Ada"}', '{"name": "Adele"}')


@pytest.mark.both_databases
def test_a_hidden_name_stands_on_no_board_until_it_is_shown(
    app: Flask, cora: Curator, guest: Visitor
) -> None:
    with app.app_context(), write_tx():
        number = add_player("Bea")
        add_solve(number, add_daily(), 300)
    assert "Bea" in guest.get("/leaderboard").text
    assert change(cora, number, "hide") == 303
    assert row(app, "Bea").listing == Listing.ANONYMOUS
    assert "Bea" not in guest.get("/leaderboard").text
    assert change(cora, number, "show") == 303
    assert "Bea" in guest.get("/leaderboard").text


@pytest.mark.both_databases
def test_a_suspended_player_is_on_no_leaderboard_until_the_time_is_over(
    app: Flask, cora: Curator, clock: SetClock
) -> None:
    with app.app_context(), write_tx():
        number = add_player("Bea")
        attempt_id = add_solve(number, add_daily(), 300)

    def board() -> str | None:
        with app.app_context():
            return db.session.scalar(sa.select(Attempt.board).where(Attempt.id == attempt_id))

    assert change(cora, number, "suspend", note="", days="2") == 422
    assert change(cora, number, "suspend", note="Programs", days="0") == 422
    assert change(cora, number, "suspend", note="Programs", days="2") == 303
    assert (row(app, "Bea").suspended, board()) == (True, None)
    clock.advance(days=2)
    with app.app_context():
        assert suspensions.end_expired(clock.time) == 1
    assert board() is not None


@pytest.mark.both_databases
def test_an_appeal_is_answered_or_ends_the_suspension(app: Flask, cora: Curator, ada: Visitor) -> None:
    number = player_id(app, "Ada")
    assert change(cora, number, "suspend", note="Programs") == 303
    assert change(cora, number, "keep", note="No") == 422
    cora.get(f"/admin/people?player={number}")
    stale = str(cora.page.select_one(".players__acts input[name=seen]")["value"])
    assert ada.post("/account/appeal", {"appeal": "It was me."}).status_code == 303
    assert change(cora, number, "lift", stale) == 409  # no decision passes over an unseen appeal
    assert change(cora, number, "keep", note="We think not.") == 303
    assert row(app, "Ada").suspension_reason == "Programs\nWe think not."
    ada.post("/account/appeal", {"appeal": "Really."})
    cora.get("/admin/")
    form = cora.page.select_one(".waiting__one form")
    fields = {field["name"]: field["value"] for field in form.select("input:not([name=csrf_token])")}
    done = cora.post("/admin/waiting", fields)
    assert not row(app, "Ada").suspended
    cora.get(done.location)
    undo = {"undo": cora.page.select_one(".waiting__one button")["value"]}
    assert cora.post("/admin/waiting", undo).status_code == 303
    found = row(app, "Ada")
    assert (found.suspended, found.appeal) == (True, "Really.")


def test_a_curators_account_is_changed_by_administrators_only(
    app: Flask, cora: Curator, clock: SetClock
) -> None:
    robin = of_role(app, clock, Role.MODERATOR, "Robin")
    assert change(robin, player_id(app, "Cora"), "rename", name="Coral") == 422
    cora.prove()
    assert change(cora, player_id(app, "Robin"), "rename", name="Robert") == 303


def test_who_has_no_name_is_not_here(app: Flask, cora: Curator, guest: Visitor) -> None:
    guest.start(level=1)
    with app.app_context():
        number = db.session.scalars(sa.select(Player.id).where(Player.name.is_(None))).first()
    assert cora.get(f"/admin/people?player={number}").status_code == 404
    fields = {"player": str(number), "seen": "", "act": "hide"}
    assert cora.post("/admin/people/players", fields).status_code == 404


# The log


@pytest.mark.both_databases
def test_the_log_says_who_did_what_when_and_what_it_changed(app: Flask, cora: Curator) -> None:
    (number,) = stored(app, candidate(EASY))
    form = {"action": "reject", "puzzle": f"{number}:0", "reason": "Dull"}
    assert cora.post("/admin/puzzles/decisions", form).status_code == 303
    cora.get("/admin/people")
    cells = [cell.text for cell in cora.page.select(".log tbody tr")[0].select("th, td")]
    said = [re.sub(r"\s+", " ", cell).strip() for cell in cells]
    assert said[:3] == ["Cora", "reject", f"#{number}"]
    assert said[3] == "New → Rejected, Dull “Dull”"


def test_the_log_is_filtered_and_turns_pages(app: Flask, cora: Curator) -> None:
    stored(app, candidate(EASY))
    for at in range(51):
        action = ("favor", "unfavor")[at % 2]
        cora.post("/admin/puzzles/decisions", {"action": action, "puzzle": "1:0"})
    cora.get("/admin/people?who=Cora")
    assert len(cora.page.select(".log tbody tr")) == 50
    cora.get("/admin/people?who=Cora&page=2")
    assert len(cora.page.select(".log tbody tr")) == 1
    cora.get("/admin/people?what=unfavor")
    assert len(cora.page.select(".log tbody tr")) == 25
    cora.get("/admin/people?who=Nobody")
    assert cora.page.select(".log tbody tr") == []


def test_every_action_in_the_log_has_a_word_for_people(app: Flask) -> None:
    """Every action that a service records is in the log's table of words."""
    from pathlib import Path

    from webapp.curation.log import ACTIONS

    root = Path(app.root_path)
    used = set()
    for file in root.rglob("*.py"):
        text = file.read_text()
        used |= set(re.findall(r'audit\.record\(\s*\w+,\s*"(\w+)"', text))
    assert used <= ACTIONS.keys()
