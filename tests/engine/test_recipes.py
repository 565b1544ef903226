"""Each recipe of CONTRIBUTING.md, followed with a toy, works without changes beyond those it names."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

import engine
from engine import TECHNIQUES, Position, sentence, techniques
from engine.errors import PuzzleFormatError
from engine.formats import FORMATS, DocumentReader, Entry, Format, parse_entry, read
from engine.rating import SCHEMES, Scheme, Subject, explainer, rate
from engine.rating.rating import logic_order
from engine.rating.walk import Order, OrderedTechnique
from engine.steps.logic import all_steps
from tests.toy_technique import CORNER_SINGLE

EASY = "...7..12.........4.8316...5..2..6.37..9...8..36.8..4..1...4956.5.........34..8..."


@pytest.fixture
def corner_single() -> Iterator[str]:
    """Register the toy technique for one test. Returns its key."""
    logic_order.cache_clear()
    remove = techniques.register(CORNER_SINGLE)
    yield CORNER_SINGLE.key
    remove()
    logic_order.cache_clear()


@pytest.fixture
def position() -> Position:
    """Return a puzzle whose first cell has one candidate left."""
    start = Position.from_grid(engine.parse(EASY))
    digit = start.solution[0]
    return start.changed([], [(0, other) for other in start.candidates(0) if other != digit])


def test_a_technique_is_found_described_and_used_in_paths(
    corner_single: str, position: Position, run: Any
) -> None:
    (step,) = engine.find(position, corner_single)
    ((cell, digit),) = step.placements
    assert cell == 0
    assert sentence(step) == f"Corner single: r1c1({digit}) => r1c1={digit}"
    assert step in all_steps(position, techniques=[corner_single])
    assert logic_order().keys[-1] == corner_single

    given = engine.write(position, "pencilmarks")
    (printed,) = json.loads(run("find", "--technique", corner_single, "--json", given=given)[0])["steps"]
    assert (printed["technique"], printed["text"]) == (corner_single, sentence(step))


def test_a_technique_taken_away_again_leaves_nothing(position: Position) -> None:
    before = list(TECHNIQUES)
    techniques.register(CORNER_SINGLE)()
    assert list(TECHNIQUES) == before
    with pytest.raises(KeyError):
        engine.find(position, CORNER_SINGLE.key)
    with pytest.raises(ValueError, match="'x_wing'"):
        techniques.register(TECHNIQUES["x_wing"])


def test_a_file_of_techniques_is_found_by_lying_in_its_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "toy_family.py").write_text(
        "from tests.toy_technique import CORNER_SINGLE\n\nENTRIES = (CORNER_SINGLE,)\n"
    )
    without = [family.__name__ for family in techniques._families()]
    monkeypatch.setattr(techniques, "__path__", [*techniques.__path__, str(tmp_path)])
    try:
        found = {family.__name__: family.ENTRIES for family in techniques._families()}
    finally:
        sys.modules.pop("engine.techniques.toy_family", None)
        vars(techniques).pop("toy_family", None)
    assert found.pop("engine.techniques.toy_family") == (CORNER_SINGLE,)
    assert list(found) == without


def steps_of_the_toy(subject: Subject) -> float:
    """Count the steps that the toy technique and hidden singles take until neither finds one."""
    keys = (CORNER_SINGLE.key, "hidden_single")
    return float(len(subject.walk(Order((OrderedTechnique(key) for key in keys), {})).log))


@pytest.mark.usefixtures("corner_single")
def test_a_rating_scheme_is_rated_with_the_others(monkeypatch: pytest.MonkeyPatch, run: Any) -> None:
    monkeypatch.setitem(SCHEMES, "toy_steps", Scheme("toy_steps", steps_of_the_toy))
    monkeypatch.setitem(SCHEMES, "toy_search", Scheme("toy_search", lambda _: 7.0, by_default=False))
    monkeypatch.setitem(SCHEMES, "toy_failure", Scheme("toy_failure", lambda _: None))
    grid = engine.parse(EASY)

    rating = rate(grid)
    steps = rating.scores["toy_steps"]
    assert steps is not None and steps >= 1
    assert SCHEMES["toy_steps"](grid) == steps
    assert "toy_search" not in rating.scores
    assert rate(grid, schemes="all").scores["toy_search"] == 7.0
    assert "toy_failure" in rating.gave_up

    assert f"toy_steps {steps}, toy_failure gave up" in run("rate", given=EASY)[0]


def test_schemes_share_their_walks(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = []

    def er_again(subject: Subject) -> float | None:
        seen.append(subject.walk(explainer.order()))
        return SCHEMES["explainer"].score(subject)

    monkeypatch.setitem(SCHEMES, "toy_er", Scheme("toy_er", er_again))
    walked = []
    walk = Order.walk
    monkeypatch.setattr(Order, "walk", lambda self, *rest: walked.append(self) or walk(self, *rest))
    rating = rate(engine.parse(EASY))
    assert len(seen) == 1
    assert rating.scores["toy_er"] == rating.scores["explainer"]
    assert len(walked) == len({*walked}) == 3  # the Explainer's, the weighted rules' and logic's


TOY_LINE = Format(
    "toy_line",
    "toy line",
    ".toy",
    lambda entry: f"TOY/{str(entry.givens)[::-1]}",
    line=lambda text: Entry(engine.parse(text[:3:-1]), "toy_line") if text.startswith("TOY/") else None,
)


def test_a_format_of_one_line_is_written_and_read(monkeypatch: pytest.MonkeyPatch, run: Any) -> None:
    monkeypatch.setitem(FORMATS, TOY_LINE.key, TOY_LINE)
    grid = engine.parse(EASY)
    text = "".join(TOY_LINE.file([Entry(grid), Entry(grid)]))
    assert text == f"TOY/{EASY[::-1]}\n" * 2
    assert engine.parse(text.splitlines()[0]) == grid
    assert parse_entry(text.splitlines()[0]).format == "toy_line"
    assert [entry.givens for entry in read(BytesIO(text.encode())) if isinstance(entry, Entry)] == [
        grid,
        grid,
    ]

    assert run("check", given=text)[0].count(EASY) == 2


def toy_document(text: str) -> list[Entry]:
    return [Entry(engine.parse(part), "toy_document") for part in text.removeprefix("%TOY").split()]


def read_toy(chunks: Iterable[bytes]) -> Iterator[Entry | PuzzleFormatError]:
    yield from toy_document(b"".join(chunks).decode())


TOY_DOCUMENT = Format(
    "toy_document",
    "toy document",
    ".toys",
    lambda entry: f"%TOY {entry.givens}",
    document=DocumentReader(lambda head: head.startswith("%TOY"), read_toy),
    write_document=lambda entries: "%TOY " + " ".join(str(entry.givens) for entry in entries),
)


def test_a_format_that_is_a_document_is_written_and_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(FORMATS, TOY_DOCUMENT.key, TOY_DOCUMENT)
    grid = engine.parse(EASY)
    text = "".join(TOY_DOCUMENT.file([Entry(grid), Entry(grid)]))
    assert text == f"%TOY {EASY} {EASY}\n"
    assert parse_entry(TOY_DOCUMENT.write(Entry(grid))) == Entry(grid, "toy_document")
    assert list(read(BytesIO(text.encode()))) == [Entry(grid, "toy_document")] * 2
