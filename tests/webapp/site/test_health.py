"""/healthz says that the process is alive, /readyz that database and worker are there."""

from __future__ import annotations

from flask import Flask

import engine
from tests.webapp.visitors import SetClock, Visitor
from webapp.curation import workers


def test_healthz_says_that_the_process_answers_and_which_version_it_runs(guest: Visitor) -> None:
    assert guest.get("/healthz").text == f"ok {engine.__version__}"


def test_every_page_names_the_version_at_its_foot(guest: Visitor) -> None:
    guest.get("/")
    assert guest.page.find(id="footer").text.startswith(f"Ninefold {engine.__version__}")


def test_readyz_wants_a_worker_that_was_seen_lately(app: Flask, guest: Visitor, clock: SetClock) -> None:
    response = guest.get("/readyz")
    assert (response.status_code, response.json) == (503, {"database": True, "worker": False})
    with app.app_context():
        workers.report("ada", clock())
    assert guest.get("/readyz").status_code == 200
    clock.advance(seconds=31)
    assert guest.get("/readyz").status_code == 503
    with app.app_context():
        workers.report("ada", clock())
    assert guest.get("/readyz").json == {"database": True, "worker": True}
