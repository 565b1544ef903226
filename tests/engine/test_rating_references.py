"""Ratings equal those of the reference programs, on a spread of the shared rated puzzles."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

import engine
from engine.position import Position
from engine.rating import explainer, hodoku

LEVELS = {"Easy": 1, "Medium": 2, "Hard": 3, "Unfair": 4, "Extreme": 5}
EVERY = 25  # benchmarks look at all of them

pytestmark = pytest.mark.data


def _rows(data: Path, name: str) -> list[dict[str, str]]:
    with (data / name).open() as file:
        return list(csv.DictReader(file))[::EVERY]


@pytest.mark.parametrize(
    ("name", "technique_set"), [("rated_random.csv", "default"), ("rated_by_level.csv", "bank")]
)
def test_the_explainer_scheme_gives_the_explainers_rating(name: str, technique_set: str, data: Path) -> None:
    rows = _rows(data, name)
    other = []
    for row in rows:
        found = explainer.rating_of(
            explainer.order(technique_set).walk(Position.from_grid(engine.parse(row["puzzle"])))
        )
        expected = [float(row[key]) for key in ("se_er", "se_ep", "se_ed") if key in row]
        if found is None or [found.rating, found.pearl, found.diamond][: len(expected)] != expected:
            other.append(row)
    assert len(other) <= len(rows) * 0.01, other


@pytest.mark.parametrize("name", ["rated_random.csv", "rated_by_level.csv"])
def test_the_hodoku_scheme_gives_hodokus_level_and_of_easy_puzzles_its_score(name: str, data: Path) -> None:
    rows = _rows(data, name)
    equal, other = 0, []
    for row in rows:
        found = hodoku.rating_of(hodoku.order().walk(Position.from_grid(engine.parse(row["puzzle"]))))
        equal += found is not None and found.level == LEVELS[row["hodoku_level"]]
        if row["hodoku_level"] == "Easy" and (found is None or found.score != int(row["hodoku_score"])):
            other.append(row)
    assert equal >= 0.95 * len(rows)
    assert other == []
