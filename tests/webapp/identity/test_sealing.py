"""Sealed secrets: not in the database, opened by older keys too, and by no other."""

from __future__ import annotations

import pytest
import sqlalchemy as sa
from flask import Flask

from tests.webapp.desk import Curator
from tests.webapp.statements import one
from webapp.curation import curators
from webapp.identity import keys
from webapp.models import Player


def stored(app: Flask) -> str:
    return one(app, sa.select(Player.totp_secret).where(Player.curator)) or ""


def test_what_is_sealed_can_be_opened_for_its_purpose_alone(inside: Flask) -> None:
    del inside
    sealed = keys.seal("JBSWY3DPEHPK3PXP", "second factor")
    assert "JBSWY3DPEHPK3PXP" not in sealed
    assert keys.unseal(sealed, "second factor") == "JBSWY3DPEHPK3PXP"
    assert keys.unseal(sealed, "something else") is None
    assert keys.unseal("JBSWY3DPEHPK3PXP", "second factor") is None


def test_an_older_key_of_the_list_opens_what_it_has_sealed(
    inside: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    sealed = keys.seal("secret", "test")
    monkeypatch.setitem(inside.config, "SECRET_KEY_FALLBACKS", [inside.config["SECRET_KEY"]])
    monkeypatch.setitem(inside.config, "SECRET_KEY", "another key of at least 32 characters")
    assert keys.unseal(sealed, "test") == "secret"
    monkeypatch.setitem(inside.config, "SECRET_KEY_FALLBACKS", None)
    assert keys.unseal(sealed, "test") is None


def test_a_copy_of_the_database_has_no_second_factor(app: Flask, cora: Curator) -> None:
    assert cora.secret not in stored(app)


def test_a_proof_after_a_change_of_keys_seals_with_the_new_one(
    app: Flask, cora: Curator, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(app.config, "SECRET_KEY_FALLBACKS", [app.config["SECRET_KEY"]])
    monkeypatch.setitem(app.config, "SECRET_KEY", "another key of at least 32 characters")
    cora.token = ""  # the page was rendered with the older key
    assert cora.prove().status_code == 303
    monkeypatch.setitem(app.config, "SECRET_KEY_FALLBACKS", None)
    with app.app_context():
        assert curators.opened(stored(app)) == cora.secret
