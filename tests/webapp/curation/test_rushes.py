"""Results of puzzle rush at the desk: removed with a reason, and restored; those of suspended players."""

from __future__ import annotations

import pytest
from flask import Flask

from tests.webapp.competition.test_leaderboard import player_of
from tests.webapp.desk import Curator, entries
from tests.webapp.learn.test_rush import latest, played, rows
from tests.webapp.visitors import SetClock, Visitor


@pytest.fixture
def page(app: Flask, clock: SetClock, ada: Visitor, cora: Curator) -> str:
    """Ada's page at the desk, with a run of 3 steps."""
    played(app, clock, ada, 2)
    played(app, clock, ada, 3)
    cora.prove()
    return f"/admin/players/{player_of(app, 'Ada')}"


def decided(app: Flask, cora: Curator, page: str, **more: str) -> int:
    """Send the form of the latest run as on its page. Returns the status."""
    cora.get(page)
    form = cora.page.select_one(f"#run-{latest(app).id} form")
    assert form is not None
    sent = {each["name"]: each["value"] for each in form.select("[name][value]")}
    return cora.post(f"{page}/rush", {**sent, "note": "Not by hand.", **more}).status_code


@pytest.mark.both_databases
def test_a_result_is_removed_with_a_reason_and_restored(
    app: Flask, cora: Curator, ada: Visitor, page: str
) -> None:
    assert rows(ada, "/rush") == ["3"]
    assert decided(app, cora, page) == 303
    assert rows(ada, "/rush") == ["2"]
    assert "Your run of 3 steps doesn’t count. From a curator: Not by hand." in " ".join(
        ada.page.text.split()
    )
    assert "Your best: 2 steps" in ada.page.text
    assert decided(app, cora, page, note="It was.") == 303
    assert rows(ada, "/rush") == ["3"]
    assert "doesn’t count" not in ada.page.text
    assert [(entry.action, entry.note) for entry in entries(app, "player")] == [
        ("judge", "Not by hand."),
        ("judge", "It was."),
    ]
    cora.get(page)
    assert "Removed Ada’s puzzle rush of 3 steps." in cora.page.text


@pytest.mark.parametrize(
    ("fields", "status"),
    [
        ({"note": " "}, 422),
        ({"standing": "paper"}, 422),
        ({"seen": "removed"}, 409),
        ({"run": "999"}, 404),
        ({"run": "x"}, 404),
    ],
)
def test_a_bad_verdict_is_refused_and_nothing_is_done(
    app: Flask, cora: Curator, page: str, fields: dict[str, str], status: int
) -> None:
    assert decided(app, cora, page, **fields) == status
    assert not latest(app).removed
    assert entries(app, "player") == []


def test_nobody_decides_on_a_run_of_their_own(app: Flask, clock: SetClock, cora: Curator) -> None:
    played(app, clock, cora, 2)
    cora.prove()
    assert decided(app, cora, f"/admin/players/{player_of(app, 'Cora')}") == 422
    assert not latest(app).removed


def test_the_runs_of_a_suspended_player_are_on_no_leaderboard(cora: Curator, ada: Visitor, page: str) -> None:
    fields = {"note": "Not by hand.", "length": "days", "days": "3"}
    for action, shown in (("suspend", []), ("lift", ["3"])):
        cora.get(page)
        seen = cora.page.select_one("form[action$=suspension] [name=seen]")["value"]
        sent = {**fields, "action": action, "seen": seen}
        assert cora.post(f"{page}/suspension", sent).status_code == 303
        assert rows(ada, "/rush") == shown
