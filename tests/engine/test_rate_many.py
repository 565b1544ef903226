"""Ratings of arrays are those of `rate`, row by row, on any number of threads."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import engine
from engine import ArgumentError, Grid, PuzzleFormatError


@cache
def _rows() -> NDArray[np.uint8]:
    grids = [
        engine.generate(engine.Recipe(level=level), seed=level).grid for level in (1, 2, 3, 3, 2, 1, 1, 2)
    ]
    twice = Grid(bytes([1, 1, *[0] * 79]))
    return np.stack([grid.array() for grid in [*grids, twice, Grid(bytes(81)), *grids]])


def test_each_row_is_rated_as_its_grid_alone() -> None:
    found = engine.rate_many(_rows(), jobs=2)
    for row, digits in enumerate(_rows()):
        rating = engine.rate(Grid.from_digits(digits))
        assert ("none", "unique", "multiple")[found["verdict"][row]] == rating.verdict.value
        assert found["level"][row] == (rating.level or 0)
        for key in found.keys() - {"verdict", "level", "expected_seconds"}:
            assert np.array_equal(found[key][row], rating.scores.get(key, np.nan), equal_nan=True)
    alone = engine.rate_many(_rows(), jobs=1)
    assert found.keys() == alone.keys()
    assert all(np.array_equal(found[name], alone[name], equal_nan=True) for name in found)


def test_single_schemes_come_without_the_rest() -> None:
    found = engine.rate_many(_rows()[:9].astype(np.int64), schemes=["explainer"], jobs=1)
    assert list(found) == ["verdict", "explainer"]
    assert found["explainer"].dtype == np.float64
    assert np.isnan(found["explainer"][8])


def test_progress_reports_how_many_are_done_up_to_all() -> None:
    reports: list[tuple[int, int]] = []
    engine.rate_many(_rows(), schemes=["explainer"], jobs=2, progress=lambda *each: reports.append(each))
    assert reports == sorted(reports)
    assert reports[-1] == (len(_rows()), len(_rows()))


def test_what_progress_raises_ends_it() -> None:
    def enough(*_: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        engine.rate_many(_rows(), schemes=["explainer"], jobs=2, progress=enough)


def test_no_rows_have_no_ratings() -> None:
    found = engine.rate_many(np.zeros((0, 81), np.uint8))
    assert {name: len(column) for name, column in found.items() if len(column)} == {}


def test_a_digit_above_9_is_named_by_its_row() -> None:
    rows = _rows().copy()
    rows[3, 80] = 10
    with pytest.raises(PuzzleFormatError, match=r"line 4, r9c9: expected a digit 0..9, found 10"):
        engine.rate_many(rows)


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"grids": [None]}, "grids: "),
        ({"jobs": 0}, "jobs: "),
        ({"schemes": ["none"]}, "schemes: "),
        ({"explainer_set": "none"}, "explainer_set: "),
        ({"progress": 5}, "progress: "),
    ],
)
def test_a_wrong_argument_is_named(wrong: dict[str, Any], words: str) -> None:
    with pytest.raises(ArgumentError, match=words):
        engine.rate_many(**{"grids": _rows(), **wrong})
