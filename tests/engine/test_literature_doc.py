"""docs/literature.md: every claim has its figures or its test."""

from __future__ import annotations

import re
from pathlib import Path

from benchmarks.papers import LEGEND
from engine.generation.methods import METHODS

ROOT = Path(__file__).parents[2]
DOCUMENT = ROOT / "docs" / "literature.md"
CLAIM = re.compile(r"^\| (.+?) \| (.+?) \| (.+?) \| (.+?) \| (.+?) \| (.+?) \|$", re.MULTILINE)
FIGURES = re.compile(r'^\| <a id="([\w-]+)"></a>\w \| .+? \| (.+?) \| (.+?) \| (.+?) \|$', re.MULTILINE)


def claims() -> list[tuple[str, ...]]:
    rows = CLAIM.findall(DOCUMENT.read_text().split("## Every claim")[1])
    return [row for row in rows if row[0] not in ("claim", "---")]


def measured() -> dict[str, tuple[str, ...]]:
    """Return trials, published and ours of each row of papers.md, by its anchor."""
    found = FIGURES.findall((ROOT / "benchmarks" / "papers.md").read_text())
    return {anchor: figures for anchor, *figures in found}


def test_a_claim_has_a_verdict_and_leads_to_what_measures_it() -> None:
    rows = claims()
    assert len(rows) >= 115
    for *_, verdict, links in rows:
        assert re.match(r"(as printed|within noise|different|not measured:)", verdict), verdict
        found = re.findall(r"\[([\w-]+)\]\(([^)]+)\)", links)
        assert links == "-" if verdict.startswith("not measured") else found, links
        for name, target in found:
            file, _, anchor = target.partition("#")
            text = (DOCUMENT.parent / file).read_text()
            assert (f'<a id="{anchor}"></a>' if anchor else f"def {name}(") in text, target


def test_the_figures_of_a_claim_are_those_of_the_rows_that_measure_it() -> None:
    rows = measured()
    for _claim, paper, ours, trials, _verdict, links in claims():
        mine = [rows[anchor] for anchor in re.findall(r"#([\w-]+)\)", links)]
        assert ours == ("; ".join(row[2].split(";")[0] for row in mine) or "-"), links
        assert trials == ("; ".join(dict.fromkeys(row[0] for row in mine)) or "-"), links
        assert paper == ("; ".join(dict.fromkeys(row[1] for row in mine if row[1] != "-")) or "-"), links


def test_every_line_of_the_figures_is_measured_with_trials() -> None:
    rows = measured()
    assert len(rows) > 80
    assert all(int(trials.replace(",", "")) > 0 for trials, *_ in rows.values())


def test_the_figures_say_which_letter_is_which() -> None:
    assert LEGEND in (ROOT / "benchmarks" / "papers.md").read_text()


def test_every_method_has_its_row() -> None:
    text = DOCUMENT.read_text()
    assert all(f"| `{key}` |" in text for key in METHODS)
