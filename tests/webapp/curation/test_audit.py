"""The audit log reads as sentences, for every action, also after deletions."""

from __future__ import annotations

from datetime import date

import pytest
from flask import Flask

from tests.webapp.desk import Curator
from tests.webapp.solves import add_daily, add_player, add_solve
from tests.webapp.visitors import SetClock
from webapp.curation.team.audit import sentences
from webapp.identity import audit
from webapp.models import Daily, Standing
from webapp.process.database import db, write_tx

NOW = SetClock.time


def logged(cora: Curator) -> list[str]:
    cora.get("/admin/audit")
    return [cell.get_text(" ", strip=True) for cell in cora.page.select(".audit__words")]


def test_it_works(app: Flask, cora: Curator) -> None:
    """The entry names who, what, and which daily."""
    with app.app_context():
        daily = add_daily(date(2026, 2, 28), 2)
        number = db.session.get_one(Daily, daily).number
        attempt = add_solve(add_player("Speedy"), daily, 40)
        with write_tx():
            after = {"standing": str(Standing.REMOVED), "verdict": "a script"}
            audit.record(None, "judge", ("attempt", attempt), at=NOW, after=after, note="a script")
    assert logged(cora)[0] == f"Removed Speedy’s solve of Daily {number}, Easy. a script"
    assert cora.page.select_one(".audit__words a")["href"] == f"/admin/flags/{attempt}"


def test_every_action_has_its_sentence(app: Flask, cora: Curator, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without details, as for a deleted player, and with those that are recorded."""
    monkeypatch.setattr(audit, "PER_PAGE", 200)
    slot = {"date": "2026-03-02", "level": 3}
    facts = {
        ("schedule", "puzzle"): (None, slot, "Scheduled #7 for Mon, Mar 2, 2026, Medium."),
        ("unschedule", "puzzle"): (slot, None, "Removed #7 from Mon, Mar 2, 2026, Medium."),
        ("relabel", "puzzle"): (None, {"level": 5}, "Set the level of #7 to Evil."),
        ("import", "import"): (None, {"name": "a.txt", "new": 2}, "Imported 2 new puzzles from a.txt."),
        ("export", "export"): (None, {"puzzles": 1}, "Exported one puzzle (csv)."),
        ("rename", "player"): ({"name": "A"}, {"name": "B"}, "Renamed A to B."),
        ("suspend", "player"): (
            None,
            {"until": None},
            "Suspended a deleted player from leaderboards for good.",
        ),
        ("note", "day"): (None, {"text": "Easter"}, "Noted on March 2, 2026: Easter."),
        ("order", "order"): (None, {"count": 3}, "Placed order 7 for 3 puzzles."),
    }
    ids = {"export": "csv", "day": "2026-03-02", "attempt": "x" * 22, "weekday_target": "all"}
    with app.app_context(), write_tx():
        for action, subject in sentences._SENTENCES:
            before, after, _words = facts.get((action, subject), (None, None, ""))
            subject_id = ids.get(subject, "7")
            audit.record(None, action, (subject, subject_id), at=NOW, before=before, after=after)
            if before or after:
                audit.record(None, action, (subject, subject_id), at=NOW)
    said = logged(cora)
    assert len(said) == len(sentences._SENTENCES) + len(facts) + 1  # and Cora's appointment
    assert all(
        (words.endswith((".", "…")) and words[0].isupper()) or words.startswith("a deleted") for words in said
    )
    assert {words for _before, _after, words in facts.values()} <= set(said)
