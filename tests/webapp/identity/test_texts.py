"""Texts that people store: what prints, and nothing that hides or turns the rest."""

from __future__ import annotations

import io
import os
from contextlib import redirect_stdout

import pytest
import sqlalchemy as sa
from flask import Flask

from tests.webapp.visitors import Visitor
from webapp.identity import texts
from webapp.models import Attempt, Player, Role
from webapp.process.commands.reporting import Trouble, pour
from webapp.process.database import db, write_tx
from webapp.process.errors import BadInput

GOOD = [
    *(
        "Ninefold №1",
        "数独の日",
        "Größe – “groß”",
        "می\u200cخواهم",
        "👩\u200d👩\u200d👧",
        "ệ",
        "a\u0301",
        "100 %",
        "བོད་",
    ),
]
BAD = [
    *("\x1b[2J", "a\x07b", "a\x7fb", "a\x85b\x9b", "\u202egnp.exe", "a\u2066b", "a\u200fb"),
    *("\u200b", "\ufeff", "a\u2060b", "\u3164\u3164", "\u200d", "a\u200d", "\u2800\u200c"),
    *("\u0378", "\ue000", "Z" + "\u0351" * 30, "a\xadb"),
]


@pytest.mark.usefixtures("inside")
@pytest.mark.parametrize("text", GOOD)
def test_what_prints_is_taken(text: str) -> None:
    assert texts.checked("title", f" {text}  x ") == texts.cleaned(f"{text} x")


@pytest.mark.usefixtures("inside")
@pytest.mark.parametrize("text", BAD)
def test_what_hides_or_turns_is_refused_and_left_out_of_files(text: str) -> None:
    with pytest.raises(BadInput):
        texts.checked("title", text)
    left = texts.cleaned(text)
    assert left == texts.checked("title", left)


@pytest.mark.both_databases
def test_a_report_says_which_character_to_remove(ada: Visitor) -> None:
    ada.start(level=1)
    with ada.app.app_context():
        puzzle = db.session.scalar(sa.select(Attempt.puzzle_id))
    refused = ada.post(f"/puzzles/{puzzle}/report", {"text": "Corners \u202e and boxes"})
    assert refused.status_code == 422
    assert "Remove the character U+202E" in refused.text


@pytest.mark.usefixtures("inside")
def test_lines_are_kept_where_they_are_asked_for() -> None:
    assert texts.checked("note", "one \r\ntwo\n\n\n\nthree\n", lines=True) == "one\ntwo\n\nthree"


RAW = "a\x1b]0;x\x07\u202e\u2066b"
PRINTED = "a<U+001B>]0;x<U+0007><U+202E><U+2066>b"


@pytest.mark.usefixtures("ada")
def test_nothing_raw_comes_to_an_operators_terminal(app: Flask) -> None:
    """Not even from a row that never passed our checks, as a restored backup may hold one."""
    with app.app_context(), write_tx():
        ada = db.session.scalars(sa.select(Player)).one()
        ada.name, ada.role = RAW, Role.REVIEWER
        ada.suspended, ada.suspension_reason = True, f"{RAW}\nrole  none"
    run = app.test_cli_runner().invoke
    shown = [
        run(args=["curators", "list"]),
        run(args=["players", "show", "Ada"]),
        run(args=["players", "delete", "Ada"], input="n\n"),
    ]
    for each in shown:
        assert PRINTED in each.output
        assert not set(RAW) - set("a]0;xb") & set(each.output)
    assert "\nrole  none" not in shown[1].output
    refused = run(args=["curators", "remove", RAW])
    assert (refused.exit_code, PRINTED in refused.output) == (1, True)
    assert Trouble(RAW).format_message() == PRINTED


def test_a_document_is_raw_in_a_file_alone() -> None:
    ours, theirs = os.openpty()
    with os.fdopen(theirs, "w", encoding="utf-8") as terminal, redirect_stdout(terminal):
        pour(RAW)
        terminal.flush()
        assert os.read(ours, 1000).decode() == PRINTED
    os.close(ours)
    with io.StringIO() as file, redirect_stdout(file):
        pour(RAW)
        assert file.getvalue() == RAW
