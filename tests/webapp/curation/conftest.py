"""Fixtures of the desk's tests."""

from __future__ import annotations

import gc
import warnings
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask

from tests.webapp.solves import add_daily, play
from tests.webapp.visitors import SetClock, Visitor


@pytest.fixture
def collected() -> Iterator[None]:
    """Collect large forms, so that no other test meets their leftovers."""
    before = open_files()
    yield
    if open_files() > before:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ResourceWarning)
            gc.collect()


@pytest.fixture
def flagged(app: Flask, ada: Visitor, clock: SetClock) -> str:
    """The id of a solve that is too fast to be plausible."""
    with app.app_context():
        add_daily()
    return play(ada, clock, minutes=0.2).rpartition("/")[2]


def open_files() -> int:
    return sum(1 for _file in Path("/dev/fd").iterdir())
