"""`flask players`: what an operator does for a player who asks."""

from __future__ import annotations

import json
import logging

import pytest
import sqlalchemy as sa
from flask import Flask

from tests.webapp.statements import one
from tests.webapp.visitors import PASSWORD, Visitor
from webapp.models import Player


@pytest.mark.both_databases
@pytest.mark.usefixtures("ada")
def test_it_works(app: Flask) -> None:
    done = app.test_cli_runner().invoke(args=["players", "show", "ada"])
    assert done.exit_code == 0
    shown = dict(line.split(maxsplit=1) for line in done.output.splitlines() if " " not in line[:8].strip())
    assert shown["name"] == "Ada"
    assert shown["sessions"] == "1"
    assert shown["games"] == "0, 0 finished"


@pytest.mark.usefixtures("ada")
def test_an_export_is_the_players_own(app: Flask, ada: Visitor) -> None:
    done = app.test_cli_runner().invoke(args=["players", "export", "Ada"])
    assert json.loads(done.output) == json.loads(ada.get("/account/export").text)


def test_a_reset_link_sets_a_new_password_once(app: Flask, ada: Visitor) -> None:
    done = app.test_cli_runner().invoke(args=["players", "reset-link", "Ada"])
    link = "/" + done.output.split()[-1].split("/", 3)[3]
    new = "a wholly different password"
    assert ada.get(link).status_code == 200
    assert ada.post(link, {"password": new}).status_code == 303
    assert ada.get(link).status_code == 404
    ada.post("/logout")
    assert ada.sign_in("Ada", PASSWORD).status_code == 422
    assert ada.sign_in("Ada", new).status_code == 303


@pytest.mark.both_databases
@pytest.mark.usefixtures("ada")
def test_a_deletion_asks_first_and_is_logged(app: Flask, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "ninefold.security")
    run = app.test_cli_runner().invoke
    number = one(app, sa.select(Player.id).where(Player.name == "Ada"))
    asked = run(args=["players", "delete", "Ada"], input="n\n")
    assert (asked.exit_code, "Delete Ada with 0 games?" in asked.output) == (1, True)
    assert run(args=["players", "show", "Ada"]).exit_code == 0
    assert run(args=["players", "delete", "Ada"], input="y\n").exit_code == 0
    assert run(args=["players", "delete", "Ada", "--yes"]).exit_code == 1
    (line,) = [record.__dict__["facts"] for record in caplog.records if record.message == "deleted"]
    assert (line["event"], line["actor"]) == ("deleted", number)
