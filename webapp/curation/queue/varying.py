"""Variations: store an equivalent of a puzzle as a new candidate. Owns its transaction."""

from __future__ import annotations

import json
import secrets
from datetime import datetime

import sqlalchemy as sa

import engine
from engine.generation import Symmetry
from engine.generation import vary as variation
from webapp.bank import bank, breakdown
from webapp.curation import curation
from webapp.identity import audit
from webapp.identity.players import Identity
from webapp.models import Puzzle, Status
from webapp.process.database import db, write_tx
from webapp.process.errors import BadStart
from webapp.process.words import gettext as _


def vary(puzzle_id: int, curator: Identity, now: datetime) -> int:
    """Store a random equivalent of a puzzle as a candidate; returns its id. The symmetry of givens is kept.

    The worker rates it. Raises NotFound, and BadStart for a daily, which players would recognize.
    """
    found = curation.puzzle(puzzle_id)
    if found.status not in curation.DECIDABLE:
        raise BadStart(_("Puzzle %(number)s is a daily, so it can’t be varied.", number=puzzle_id))
    grid, level = engine.parse(found.givens), found.level
    kept = next(iter(breakdown.symmetries(found.givens)), Symmetry.NONE)
    db.session.rollback()  # no open transaction while the engine works
    seed = secrets.randbits(48)
    varied = variation(grid, seed, kept.value)
    givens, form = str(varied.grid), str(engine.canonical_form(varied.grid))
    with write_tx():
        bank.claim([form])
        known = db.session.scalar(sa.select(Puzzle).where(Puzzle.givens == givens))
        if known is not None and known.status != Status.ENTERED:
            return known.id
        made = bank.put(
            Puzzle(
                givens=givens,
                canonical=form,
                level=level,
                rating_version=bank.BY_GIVENS,
                status=Status.CANDIDATE,
                method=bank.VARIED,
                seed=str(seed),
                recipe=json.dumps({"vary": puzzle_id, "symmetry": kept.value}),
                engine_version=engine.__version__,
                created_at=now,
            ),
            known,
        )
        after = {"status": made.status, "of": puzzle_id, "seed": made.seed}
        audit.record(curator, "vary", ("puzzle", made.id), at=now, after=after)
        curation.note_seen(curator.id, [made.id], now)
        return made.id
