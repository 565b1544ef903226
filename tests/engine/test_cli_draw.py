"""The command `draw`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

import engine

EASY = "...7..12.........4.8316...5..2..6.37..9...8..36.8..4..1...4956.5.........34..8..."
# Four cells hold 79.
TWO_SOLUTIONS = ".46.85123.51.23684283164795812456937479231856365897412127349568598672341634518279"


PUZZLES = f"{EASY}\n{TWO_SOLUTIONS}\n"


def test_each_puzzle_is_one_line_of_svg(run: Any) -> None:
    out, _, status = run("draw", given=PUZZLES)
    assert status == 0
    first, second = out.splitlines()
    assert first == engine.draw(engine.Position.from_grid(engine.parse(EASY)), candidates=False)
    assert ElementTree.fromstring(second).get("role") == "img"


def test_a_picture_goes_to_a_file(run: Any, tmp_path: Path) -> None:
    file = tmp_path / "next.svg"
    options = ["--labels", "--theme", "auto", "--size", "600", "--title", "Next", "--output", str(file)]
    assert run("draw", *options, given=PUZZLES)[2] == 0
    assert file.read_text().count("<title") == 2


def test_a_step_is_drawn_on_its_position(run: Any) -> None:
    out, err, status = run("draw", "--next", "--json", given=PUZZLES)
    assert status == 1  # the second puzzle has no next step
    position = engine.Position.from_grid(engine.parse(EASY))
    step = engine.next_step(position)
    answer = json.loads(out)
    assert answer == {"puzzle": EASY, "technique": step.technique, "svg": engine.draw(step, on=position)}
    assert err == "ninefold: line 2: there is no next step here\n"


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--technique", "jellyfish"], "there is no jellyfish here"),
        (["--step", "1"], "step: only a chain or net has steps to show"),
        (["--next", "--step", "1"], "step: only a chain or net has steps to show"),
        (["--title", "a\x01"], "title: XML has no character '\\x01'"),
    ],
)
def test_what_cannot_be_drawn_is_refused_with_its_line(run: Any, options: list[str], said: str) -> None:
    _, err, status = run("draw", *options, given=EASY)
    assert said in err and status == 1
