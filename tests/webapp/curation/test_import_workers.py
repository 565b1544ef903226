"""A large import by a real worker that is killed again and again."""

from __future__ import annotations

import io
import random
import time
from pathlib import Path

import pytest
import sqlalchemy as sa
from flask import Flask

import engine
from engine.generation.transform import random_transformation
from engine.kernels.rng import seeded
from tests.thorough import amount
from tests.webapp.curation.test_order_workers import at_work
from webapp.curation.importing import importing, uploads
from webapp.models import AuditEntry, Import, ImportLine, ImportPiece, ImportState, LineState, Puzzle, Status
from webapp.process.clock import now
from webapp.process.database import db

pytestmark = pytest.mark.slow

LINES = amount("IMPORTED", 3_000, 100_000)
KILLS = 3
PATIENCE = 300 + LINES / 100  # seconds


def images(count: int) -> list[str]:
    """Return that many puzzles, of which each is new or an equivalent of the one of ten before it."""
    draw = random.Random(3)
    lines: list[str] = []
    for number in range(count):
        if number % 10:
            transformed = random_transformation(seeded(draw.getrandbits(64)))
            lines.append(str(transformed.apply(engine.parse(lines[-(number % 10)]))))
        else:
            lines.append(str(engine.generate(engine.Recipe(), number).grid))
    return lines


def state(app: Flask, batch: int) -> tuple[str, int]:
    with app.app_context():
        found = db.session.execute(sa.select(Import.state, Import.taken).where(Import.id == batch)).one()
        db.session.remove()
        return str(found.state), found.taken


def test_a_worker_killed_three_times_ends_with_every_line_accounted_for(
    fresh_app: Flask, tmp_path: Path
) -> None:
    content = "\n".join([*images(LINES), "", "5" + "." * 80, "nothing"]).encode()
    with fresh_app.app_context():
        known = db.session.scalar(sa.select(sa.func.count()).select_from(Puzzle)) or 0
        batch = uploads.keep(io.BytesIO(content), "many.txt", None, now())
    kills, give_up = 0, time.monotonic() + PATIENCE
    with at_work(fresh_app, tmp_path, "only") as (worker,):
        while True:
            word, taken = state(fresh_app, batch)
            if word == ImportState.DONE:
                break
            assert time.monotonic() < give_up, (word, taken, kills)
            if kills < KILLS and taken * (KILLS + 1) >= LINES * (kills + 1):
                worker.kill()
                worker.start()
                kills += 1
            time.sleep(0.02)
    assert kills == KILLS
    with fresh_app.app_context():
        end = db.session.get_one(Import, batch)
        assert (end.taken, end.lines, end.held, end.beyond) == (LINES + 2, LINES + 3, LINES + 2, 0)
        assert (end.new, end.duplicate, end.not_unique, end.invalid) == (LINES // 10, LINES * 9 // 10, 1, 1)
        assert importing.report(batch).counts == {
            str(each): db.session.scalar(sa.select(sa.func.count()).where(ImportLine.state == each))
            for each in LineState
        }
        assert not db.session.scalar(sa.select(sa.func.count()).select_from(ImportPiece))
        assert (
            len(db.session.scalars(sa.select(AuditEntry.id).where(AuditEntry.action == "import")).all()) == 1
        )
        imported = db.session.scalars(sa.select(Puzzle.canonical).where(Puzzle.status == Status.CANDIDATE))
        assert len(set(imported)) == LINES // 10
        assert db.session.scalar(sa.select(sa.func.count()).select_from(Puzzle)) == known + LINES // 10
