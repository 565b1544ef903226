"""The desk on the command line."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
import sqlalchemy as sa
from flask import Flask

from tests.webapp.conftest import new_puzzle
from tests.webapp.curation.test_planning import MONDAY, in_the_bank, standing
from tests.webapp.desk import entries
from webapp.models import Order
from webapp.process.database import db


def run(app: Flask, *args: object, given: str | None = None) -> tuple[int, str]:
    done = app.test_cli_runner().invoke(args=["desk", *map(str, args)], input=given)
    return done.exit_code, done.output


@pytest.mark.both_databases
def test_it_works(app: Flask, tmp_path: Path) -> None:
    """Imported puzzles can be exported; the log names an operator."""
    grid = new_puzzle(3).givens
    file = tmp_path / "puzzles.sdm"
    file.write_text(f"{grid}\n{grid}\n")
    code, said = run(app, "import", file)
    assert (code, "1 new" in said, "1 duplicate" in said) == (0, True, True)
    code, said = run(app, "export", "--status", "candidate")
    assert (code, [json.loads(line)["puzzle"] for line in said.splitlines()]) == (0, [grid])
    assert run(app, "order", 3, "--level", 2)[0] == 0
    with app.app_context():
        assert db.session.scalars(sa.select(Order.count)).one() == 3
        (number,) = in_the_bank([5])
    assert run(app, "schedule", MONDAY, 3, number)[0] == 0
    assert standing(app) == {MONDAY: number}
    for subject in ("import", "export", "order"):
        assert [entry.curator_name for entry in entries(app, subject)] == ["Ninefold"]


@pytest.mark.parametrize(
    "args",
    [
        ("import", "/nowhere"),
        ("export", "--format", "x"),
        ("order", 0),
        ("schedule", "soon", 3, 1),
        ("schedule", MONDAY, 3, 999_999),
        ("schedule", MONDAY, 9, 1),
    ],
)
def test_what_cannot_be_done_is_said(app: Flask, args: tuple[object, ...]) -> None:
    code, said = run(app, *args)
    assert code in (1, 2)
    assert "Error" in said


@pytest.mark.parametrize(
    ("option", "value"), [("--level", 9), ("--hardest", "x"), ("--symmetry", "x"), ("--minutes", 0)]
)
def test_an_order_names_the_option_that_is_wrong(app: Flask, option: str, value: object) -> None:
    code, said = run(app, "order", 1, option, value)
    assert (code, f"Invalid value for '{option}'" in said) == (2, True)


def test_two_person_release_is_for_the_desk(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(app.extensions, "settings", replace(app.extensions["settings"], two_person=True))
    code, said = run(app, "schedule", MONDAY, 3, 1)
    assert (code, "TWO_PERSON" in said) == (1, True)
