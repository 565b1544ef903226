"""Templates are compiled without indentation and cached for the next process, if there is a place for it."""

from __future__ import annotations

from pathlib import Path

import pytest
from jinja2 import Environment

from webapp import create_app
from webapp.process.config import Settings
from webapp.process.templates import CompiledTemplates, Unindented


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


@pytest.mark.parametrize(
    ("source", "markup"),
    [
        ("<ul>\n  <li>a</li>\n  <li>b</li>\n</ul>", "<ul>\n<li>a</li>\n<li>b</li>\n</ul>"),
        ("<b>a</b>\n    <i>b</i> <i>c</i>", "<b>a</b>\n<i>b</i> <i>c</i>"),
        ("<pre{{ ' id' }}>\n  a\n{{ 1 }}\n  b</pre>\n  <p>", "<pre id>\n  a\n1\n  b</pre>\n<p>"),
        ("<textarea\n  id='a'>\n  a\n</textarea>\n  a", "<textarea\n  id='a'>\n  a\n</textarea>\na"),
    ],
)
def test_a_page_has_no_indentation_but_keeps_each_break_and_what_is_verbatim(
    source: str, markup: str
) -> None:
    assert Environment(extensions=[Unindented]).from_string(source).render() == markup
