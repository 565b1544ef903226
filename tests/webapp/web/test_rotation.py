"""Rotating SECRET_KEY: signatures of an older key stay valid, and new ones use the new key."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
import sqlalchemy as sa
from flask import Flask

from tests.webapp.desk import Curator, appoint
from tests.webapp.stocked import opened
from tests.webapp.visitors import SetClock, Visitor
from webapp.curation import curators
from webapp.models import Player
from webapp.people import recovery
from webapp.process.config import Settings
from webapp.process.database import db, write_tx
from webapp.process.errors import NotFound
from webapp.process.signing import FILE as SECRET
from webapp.web import security

OLD, NEW = "an older key of thirty-two characters", "a newer key of thirty-two characters!"


@contextmanager
def keyed(app: Flask, clock: SetClock, key: str, *older: str) -> Iterator[Flask]:
    """Return the site, restarted with these keys."""
    settings: Settings = app.extensions["settings"]
    file = settings.instance_path / SECRET
    before = file.read_text()
    with opened(replace(settings, secret_key=key, secret_key_fallbacks=older), clock=clock) as restarted:
        yield restarted
    file.write_text(before)  # other tests use this instance


def test_a_rotation_signs_nobody_out_and_pages_that_are_open_still_post(app: Flask, clock: SetClock) -> None:
    with keyed(app, clock, OLD) as before:
        ada = Visitor(before)
        ada.register("Ada")
        ada.get("/account")
        cookie = ada.cookie
    with keyed(app, clock, NEW, OLD) as after:
        later = Visitor(after, token=ada.token)  # from the open page
        later.client.set_cookie("s", cookie)
        assert later.post("/account/listing", {"listing": "anonymous"}).status_code == 303
        assert "Ada" in later.get("/account").text
        signed_anew = later.cookie
    with keyed(app, clock, NEW) as forgotten:
        stayed = Visitor(forgotten)
        stayed.client.set_cookie("s", signed_anew)
        assert stayed.get("/account").status_code == 200, "the visit has not renewed the cookie"
        gone = Visitor(forgotten)
        gone.client.set_cookie("s", cookie)
        assert "Ada" not in gone.get("/account").text


def test_links_in_mails_outlive_a_rotation(app: Flask, clock: SetClock) -> None:
    with keyed(app, clock, OLD) as before, before.app_context():
        with write_tx():
            player = Player(
                name="Ada", name_key="ada", password_hash="x", created_at=clock.time, email="ada@example.org"
            )
            db.session.add(player)
        asked = recovery.ask("Ada", "127.0.0.1", clock.time)
        assert asked is not None
    with keyed(app, clock, NEW, OLD) as after, after.app_context():
        assert recovery.whose(asked[1], clock.time).name == "Ada"
    with keyed(app, clock, NEW) as forgotten, forgotten.app_context(), pytest.raises(NotFound):
        recovery.whose(asked[1], clock.time)


def test_the_command_adds_a_key_and_forgets_older_ones(app: Flask, tmp_path: Path) -> None:
    instance = tmp_path / "instance"

    def run(*arguments: str) -> str:
        settings = Settings.from_environment({"INSTANCE_PATH": str(instance)})
        with app.app_context():
            kept, app.extensions["settings"] = app.extensions["settings"], settings
            try:
                return app.test_cli_runner().invoke(args=["rotate-key", *arguments]).output
            finally:
                app.extensions["settings"] = kept

    assert run().startswith("Added a key. 2 keys are accepted.")
    newest = Settings.from_environment({"INSTANCE_PATH": str(instance)}).secret_key
    assert run("--forget").startswith("Dropped the older keys.")
    settings = Settings.from_environment({"INSTANCE_PATH": str(instance)})
    assert (settings.secret_key, settings.secret_key_fallbacks) == (newest, ())


def sealed_by_an_older_key(app: Flask, clock: SetClock) -> str:
    """The secret of a curator who has not used the desk since."""
    with keyed(app, clock, OLD) as before:
        return appoint(Curator(before, clock=clock)).secret


def test_what_older_keys_have_sealed_is_sealed_anew_before_they_are_forgotten(
    app: Flask, clock: SetClock
) -> None:
    secret = sealed_by_an_older_key(app, clock)
    with keyed(app, clock, NEW, OLD) as after, after.app_context():
        file = after.extensions["settings"].instance_path / SECRET
        file.write_text(f"{NEW}\n{OLD}")
        done = after.test_cli_runner().invoke(args=["rotate-key", "--forget"])
        assert (done.exit_code, file.read_text()) == (0, NEW)
    with keyed(app, clock, NEW) as forgotten, forgotten.app_context():
        assert curators.opened(db.session.scalars(sa.select(Player.totp_secret)).one()) == secret


def test_keys_of_the_environment_seal_anew_too(app: Flask, clock: SetClock) -> None:
    secret = sealed_by_an_older_key(app, clock)
    with keyed(app, clock, NEW, OLD) as after, after.app_context():
        assert after.test_cli_runner().invoke(args=["rotate-key", "--reseal"]).exit_code == 0
    with keyed(app, clock, NEW) as forgotten, forgotten.app_context():
        assert curators.opened(db.session.scalars(sa.select(Player.totp_secret)).one()) == secret


@pytest.mark.parametrize("options", [(), ("--forget",), ("--reseal",)])
def test_a_second_factor_that_no_key_opens_stops_the_rotation(
    app: Flask, clock: SetClock, options: tuple[str, ...]
) -> None:
    sealed_by_an_older_key(app, clock)
    with keyed(app, clock, NEW) as after, after.app_context():
        file = after.extensions["settings"].instance_path / SECRET
        file.write_text(f"{NEW}\n{OLD[::-1]}")
        done = after.test_cli_runner().invoke(args=["rotate-key", *options])
        assert (done.exit_code, file.read_text()) == (1, f"{NEW}\n{OLD[::-1]}")
        assert "No key opens the second factor of Cora." in done.output


@pytest.mark.parametrize(
    ("public_url", "proxies", "warned"),
    [
        ("https://sudoku.example", 0, True),
        ("https://sudoku.example", 1, False),
        ("http://sudoku.example", 0, True),
        ("http://127.0.0.1:8000", 0, False),
        (None, 0, False),
    ],
)
def test_a_public_address_without_proxies_is_warned_of(
    app: Flask,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    public_url: str | None,
    proxies: int,
    warned: bool,
) -> None:
    monkeypatch.setenv("SERVER_SOFTWARE", "gunicorn")
    settings = replace(app.extensions["settings"], public_url=public_url, proxies=proxies)
    security.init_app(Flask("another"), settings)
    assert ("Behind one proxy, set PROXIES=1." in caplog.text) == warned
