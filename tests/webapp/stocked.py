"""An instance as the site leaves it after some minutes: made once a run, copied by tests that start a server.

Tables, static files, a fortnight of dailies and a full bank, everything rated: a server that starts on a copy
has nothing to make, and the tests do not wait for it.
"""

from __future__ import annotations

import fcntl
import shutil
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from flask import Flask

from webapp import create_app
from webapp.bank import bank
from webapp.competition.daily import schedule
from webapp.models import Player, SignIn
from webapp.process.clock import now, utcnow
from webapp.process.commands.schema import upgrade
from webapp.process.config import Settings
from webapp.process.database import close, db, write_tx

STOCK = 20  # fresh puzzles of each level
SETTING = {"BANK_STOCK": str(STOCK)}


@contextmanager
def opened(settings: Settings, **options: Any) -> Iterator[Flask]:
    """The app with these settings, outside of its context; its connections are closed at the end."""
    app = create_app(settings, **options)
    yield app
    with app.app_context():
        db.session.remove()
        close()


def at(instance: Path, **environment: str) -> Settings:
    """The settings of this instance."""
    return Settings.from_environment({"INSTANCE_PATH": str(instance)} | environment)


def migrate(instance: Path, **environment: str) -> None:
    """Make the tables of an instance, and compile its templates."""
    with opened(at(instance, **environment)) as app, app.app_context():
        upgrade()
        for name in app.jinja_env.list_templates():
            app.jinja_env.get_template(name)


def prepare(instance: Path, **environment: str) -> None:
    """Make the tables, and fill schedule and bank."""
    with opened(at(instance, **environment)) as app, app.app_context():
        upgrade()
        deque(schedule.schedule(now(), rated=True), maxlen=0)
        deque(bank.stock_up(STOCK, now(), rated=True), maxlen=0)
        for name in app.jinja_env.list_templates():
            app.jinja_env.get_template(name)


class Originals:
    """The instances of one run of the tests: each is made by the process that needs it first."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def copy(self, make: Callable[[Path], None], instance: Path) -> None:
        """Copy what `make` leaves to `instance`, which must not be there."""
        shutil.copytree(self.made(make.__name__, make), instance)

    def made(self, name: str, make: Callable[[Path], object]) -> Path:
        """The original of this name."""
        original = self._folder / name
        with self._folder.joinpath(f"{name}.lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not original.exists():
                aside = original.with_suffix(".new")
                make(aside)
                aside.rename(original)
        return original


def originals(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Originals:
    """Those of this run: processes of pytest-xdist have folders of their own below a common one."""
    folder = tmp_path_factory.getbasetemp()
    return Originals(folder if worker_id == "master" else folder.parent)


def lengthen_export(name: str) -> None:
    """Give a player of the current app an export of some megabytes: 20,000 sign-ins."""
    with write_tx():
        player_id = db.session.scalars(sa.select(Player.id).where(Player.name == name)).one()
        rows = [
            {"id": f"{number:022}", "player_id": player_id, "device": "x" * 40, "place": "local"}
            | dict.fromkeys(("created_at", "seen_at"), utcnow())
            for number in range(20_000)
        ]
        db.session.execute(sa.insert(SignIn), rows)
