"""Fixtures of the desk's tests."""

from __future__ import annotations

import gc
import warnings
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask
from flask_migrate import upgrade

from tests.webapp.furnished import Originals, at, furnish, opened


@pytest.fixture
def fresh_app(instance: Path, database_setting: dict[str, str], originals: Originals) -> Iterator[Flask]:
    """An app with a database of its own, which real workers share; on SQLite they have nothing else to do."""
    if not database_setting:
        originals.copy(furnish, instance)
    with opened(at(instance, **database_setting)) as app:
        with app.app_context():
            upgrade()
        yield app


@pytest.fixture
def collected() -> Iterator[None]:
    """Nothing of a large form is left for other tests to find; most forms are small and leave nothing."""
    before = open_files()
    yield
    if open_files() > before:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ResourceWarning)
            gc.collect()


def open_files() -> int:
    return sum(1 for _file in Path("/dev/fd").iterdir())
