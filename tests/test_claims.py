"""`make claims` compares each document with its command's output; these tests check that comparison."""

from __future__ import annotations

import re
import subprocess
from importlib.util import find_spec
from pathlib import Path

import pytest

from benchmarks.claims import Claim, at_hand, claims, differences, tables_in
from benchmarks.tables import ROOT
from benchmarks.targets import targets
from tests.campaigns import CAMPAIGNS

TABLE = """
| database | page | ms |
|---|---|---:|
| sqlite | first | 1.5 |
| sqlite | last | 1.7 |
"""
CLAIM = Claim(Path("page.md"), "pages", measured=True, tables=tuple(tables_in(TABLE)))


def test_a_row_is_named_by_its_cells_left_of_the_figures() -> None:
    (table,) = CLAIM.tables
    assert table.columns == ("database", "page", "ms")
    assert table.rows == (("sqlite", "first"), ("sqlite", "last"))


def test_other_figures_are_no_difference() -> None:
    assert list(differences(CLAIM, TABLE.replace("1.5", "9.9"))) == []


def test_other_rows_and_columns_are_reported() -> None:
    assert list(differences(CLAIM, TABLE.replace("last", "next"))) == [
        "nothing printed the row sqlite | last",
        "the document has no row sqlite | next",
    ]
    assert list(differences(CLAIM, TABLE.replace("ms", "s"))) == [
        "no table has the columns database | page | ms"
    ]


def test_what_is_not_at_hand_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NINEFOLD_DATA", raising=False)
    monkeypatch.delenv("NINEFOLD_PEERS", raising=False)
    assert not at_hand("set", "clues17")
    assert at_hand("set", "full grids")
    assert not at_hand("rival", "tdoku")
    assert at_hand("page", "clues17")


@pytest.mark.parametrize("claim", list(claims()), ids=lambda claim: claim.command)
def test_a_committed_table_says_where_and_when_it_was_measured(claim: Claim) -> None:
    assert claim.measured or not claim.tables


def test_every_target_has_a_check() -> None:
    assert {"run", "test", "claims", "campaign"} <= set(targets())


def test_every_variable_of_the_makefile_is_defined() -> None:
    """Except the arguments that a target's help names."""
    command = ["make", "--dry-run", "--warn-undefined-variables", *targets()]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    undefined = set(re.findall(r"undefined variable '(\w+)'", done.stderr))
    assert undefined <= set(re.findall(r"\(([A-Z]+)=", (ROOT / "Makefile").read_text())) | {
        "FAULTS",
        "BEFORE",
    }


def test_every_campaign_is_a_program_that_is_there() -> None:
    for name, campaign in CAMPAIGNS.items():
        for _given, (_python, _m, module, *arguments) in campaign.commands():
            assert find_spec(module), f"{name}: {module}"
            for argument in arguments:
                assert not argument.startswith("tests/") or (ROOT / argument).exists(), f"{name}: {argument}"
