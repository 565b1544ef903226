"""The audit log reads as sentences, for every action, also after deletions."""

from __future__ import annotations

from datetime import date

from flask import Flask

from tests.webapp.desk import Curator
from tests.webapp.solves import add_daily, add_player, add_solve
from tests.webapp.visitors import SetClock
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
