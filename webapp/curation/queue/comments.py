"""Comments between curators on a puzzle. Owns its transactions."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

import sqlalchemy as sa

from webapp.curation import curation
from webapp.identity import audit, texts
from webapp.identity.players import Identity
from webapp.models import PuzzleComment
from webapp.process.database import db, rows_changed, write_tx
from webapp.process.errors import BadInput, NotFound
from webapp.process.words import gettext as _

LONGEST = 1000
MOST_SHOWN = 200  # of a puzzle, the latest


def of(puzzle_id: int) -> Sequence[PuzzleComment]:
    """Return the comments on a puzzle, oldest first."""
    latest = sa.select(PuzzleComment).where(PuzzleComment.puzzle_id == puzzle_id)
    return db.session.scalars(latest.order_by(PuzzleComment.id.desc()).limit(MOST_SHOWN)).all()[::-1]


def add(curator: Identity, puzzle_id: int, text: str, now: datetime) -> None:
    """Comment on a puzzle. Raises BadInput, NotFound."""
    text = texts.checked("comment", text, lines=True)
    if not text or len(text) > LONGEST:
        raise BadInput(comment=_("Enter a comment of up to %(most)s characters.", most=LONGEST))
    with write_tx():
        curation.puzzle(puzzle_id)
        name = curator.name or audit.BY_ITSELF
        values = {"puzzle_id": puzzle_id, "curator_id": curator.id, "curator_name": name}
        db.session.add(PuzzleComment(**values, text=text, at=now))
        audit.record(curator, "comment", ("puzzle", puzzle_id), at=now, note=text)


def remove(curator: Identity, puzzle_id: int, comment_id: int, now: datetime) -> None:
    """Remove one's own comment. Raises NotFound for any other."""
    own = (
        PuzzleComment.id == comment_id,
        PuzzleComment.puzzle_id == puzzle_id,
        PuzzleComment.curator_id == curator.id,
    )
    with write_tx():
        if not rows_changed(sa.delete(PuzzleComment).where(*own)):
            raise NotFound(_("We couldn’t find that comment of yours."))
        audit.record(curator, "uncomment", ("puzzle", puzzle_id), at=now)
