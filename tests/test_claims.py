"""Tables that benchmarks printed, variables of the Makefile, and campaigns are what they claim to be."""

from __future__ import annotations

import re
import subprocess
from importlib.util import find_spec

from benchmarks.claims import claims
from benchmarks.tables import ROOT
from benchmarks.targets import targets
from tests.campaigns import CAMPAIGNS


def test_a_committed_table_says_where_and_when_it_was_measured() -> None:
    assert [claim.command for claim in claims() if claim.tables and not claim.measured] == []


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
