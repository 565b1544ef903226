"""Compiled templates are cached for the next process, and a failure to do so is harmless."""

from __future__ import annotations

from pathlib import Path

import pytest
from jinja2.environment import Environment

from webapp import create_app
from webapp.process.config import Settings
from webapp.process.templates import CompiledTemplates


def rendered(instance: Path) -> str:
    app = create_app(Settings.from_environment({"INSTANCE_PATH": str(instance)}))
    text = app.test_client().get("/nothing-here").text
    assert "Ninefold" in text
    return text


def test_the_next_process_compiles_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rendered(tmp_path)
    monkeypatch.setattr(Environment, "compile", lambda *_arguments: pytest.fail("it was compiled before"))
    rendered(tmp_path)


def test_pages_come_without_a_place_to_keep_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_self: CompiledTemplates, _bucket: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(CompiledTemplates.__mro__[1], "dump_bytecode", full)
    rendered(tmp_path)
