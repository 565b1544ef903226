"""Shared by the benchmarks of the database: empty databases, generated rows, the app on top."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from flask import Flask

from tests.webapp.conftest import empty_database
from tests.webapp.stocked import at, opened
from webapp.process.commands.schema import upgrade
from webapp.process.database import db, writing

# The numbers from 1 to :solves, as a table n of one column i.
NUMBERS = {
    "sqlite": "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < :solves)",
    "postgresql": "WITH n(i) AS (SELECT generate_series(CAST(1 AS bigint), :solves))",
}


@contextmanager
def databases() -> Iterator[list[str]]:
    """Yield an empty database of each kind."""
    with tempfile.TemporaryDirectory() as folder:
        urls = [f"sqlite:///{folder}/bench.sqlite"]
        server = os.environ.get("TEST_DATABASE_URL")
        if not server:
            yield urls
            return
        with empty_database(server, "bench") as url:
            yield [*urls, url]


@contextmanager
def site_on(url: str, **options: Any) -> Iterator[Flask]:
    """Return the app on this database, with its tables, outside of its context."""
    with tempfile.TemporaryDirectory() as folder:
        settings = replace(at(Path(folder) / "instance"), database_url=url)
        with opened(settings, **options) as app:
            with app.app_context():
                upgrade()
            yield app


def analyze(*, vacuum: bool = False) -> None:
    """Have the database collect statistics on its filled tables."""
    with writing(), db.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        if db.engine.dialect.name == "postgresql":
            connection.execute(sa.text("SET statement_timeout = 0"))
            connection.execute(sa.text("VACUUM ANALYZE" if vacuum else "ANALYZE"))
        else:
            connection.execute(sa.text("ANALYZE"))
