"""docs/literature.md: every claim has its line or its test, and the examples run."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

from benchmarks.papers import LEGEND
from engine.generation.methods import METHODS

ROOT = Path(__file__).parents[2]
DOCUMENT = ROOT / "docs" / "literature.md"


def test_a_claim_has_a_verdict_and_leads_to_what_measures_it() -> None:
    claims = DOCUMENT.read_text().split("## Every claim")[1]
    rows = re.findall(r"^\| ([A-E]) \| .+ \| (.+) \| (.+) \|$", claims, re.MULTILINE)
    assert len(rows) > 60 and {system for system, *_ in rows} == set("ABCDE")
    for _, verdict, links in rows:
        assert re.match(r"(as printed|within noise|different|not measured:)", verdict), verdict
        found = re.findall(r"\[([\w-]+)\]\(([^)]+)\)", links)
        assert links == "-" if verdict.startswith("not measured") else found, links
        for name, target in found:
            file, _, anchor = target.partition("#")
            text = (DOCUMENT.parent / file).read_text()
            assert (f'<a id="{anchor}"></a>' if anchor else f"def {name}(") in text, target


def test_every_line_of_system_a_to_e_is_measured_with_trials() -> None:
    lines = (ROOT / "benchmarks" / "papers.md").read_text().splitlines()
    rows = [line for line in lines if line.startswith('| <a id="')]
    assert len({line.split('"')[1] for line in rows}) == len(rows)
    assert all(int(line.split("|")[-2].replace(",", "")) > 0 for line in rows)


def test_the_figures_say_which_letter_is_which() -> None:
    assert LEGEND in (ROOT / "benchmarks" / "papers.md").read_text()


def test_every_method_has_its_row() -> None:
    text = DOCUMENT.read_text()
    assert all(f"| `{key}` |" in text for key in METHODS)


def test_the_examples_run() -> None:
    assert doctest.testfile(str(DOCUMENT), module_relative=False).failed == 0
