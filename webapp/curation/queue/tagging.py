"""Tags on puzzles, and curators' saved searches. Owns its transactions."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime

import sqlalchemy as sa

from webapp.bank import traits
from webapp.identity import audit, texts
from webapp.identity.players import Identity
from webapp.models import Puzzle, SavedSearch, Status
from webapp.process.database import db, rows_changed, write_tx
from webapp.process.errors import BadInput, NotFound
from webapp.process.words import gettext as _

LONGEST_TAG, LONGEST_NAME, LONGEST_QUERY = 30, 60, 2000
TAG = re.compile(r"\w[\w &+.'’-]*")
MOST_TAGGED = 10_000  # puzzles at a time
MOST_KEPT = 50  # searches per curator
AT_ONCE = 500  # ids per statement


def word_of(text: str) -> str:
    """Return a cleaned tag. Raises BadInput."""
    word = traits.folded(texts.checked("tag", text))
    if len(word) > LONGEST_TAG or not TAG.fullmatch(word):
        raise BadInput(tag=_("A tag has up to %(most)s letters, digits, spaces or dashes.", most=LONGEST_TAG))
    return word


def tag(curator: Identity, ids: Sequence[int], text: str, now: datetime, *, off: bool = False) -> int:
    """Add a tag to puzzles, or remove it with `off`; returns how many. Raises BadInput."""
    word = word_of(text)
    if not ids:
        raise BadInput(puzzle=_("Select at least one puzzle."))
    with write_tx():
        known = _known(ids[:MOST_TAGGED])
        (traits.untag if off else traits.tag)(known, word)
        action, after = "untag" if off else "tag", {"tag": word, "puzzles": len(known)}
        single = ("puzzle", known[0]) if len(known) == 1 else ("tag", word[:22])
        audit.record(curator, action, single, at=now, after=after)
    return len(known)


def _known(ids: Sequence[int]) -> list[int]:
    found: list[int] = []
    for start in range(0, len(ids), AT_ONCE):
        part = Puzzle.id.in_(ids[start : start + AT_ONCE])
        found += db.session.scalars(sa.select(Puzzle.id).where(part, Puzzle.status != Status.ENTERED))
    if not found:
        raise NotFound(_("We couldn’t find that puzzle."))
    return sorted(found)


def searches(curator: Identity) -> Sequence[SavedSearch]:
    """Return a curator's saved searches, by name."""
    own = sa.select(SavedSearch).where(SavedSearch.curator_id == curator.id)
    return db.session.scalars(own.order_by(SavedSearch.name)).all()


def keep(curator: Identity, name: str, query: str) -> None:
    """Save a search under a name, replacing one with the same name. Raises BadInput."""
    name = texts.checked("name", name)
    if not name or len(name) > LONGEST_NAME:
        raise BadInput(name=_("Enter a name of up to %(most)s characters.", most=LONGEST_NAME))
    if len(query) > LONGEST_QUERY:
        raise BadInput(name=_("This search is too long to keep."))
    with write_tx():
        named = SavedSearch.curator_id == curator.id, SavedSearch.name == name
        rows_changed(sa.delete(SavedSearch).where(*named))
        own = sa.select(sa.func.count()).select_from(SavedSearch)
        if (db.session.scalar(own.where(SavedSearch.curator_id == curator.id)) or 0) >= MOST_KEPT:
            raise BadInput(name=_("Delete a saved search first. You can keep %(most)s.", most=MOST_KEPT))
        db.session.add(SavedSearch(curator_id=curator.id, name=name, query=query))


def forget(curator: Identity, search_id: int) -> None:
    """Delete one's own saved search. Raises NotFound for any other."""
    own = SavedSearch.id == search_id, SavedSearch.curator_id == curator.id
    with write_tx():
        if not rows_changed(sa.delete(SavedSearch).where(*own)):
            raise NotFound(_("We couldn’t find that search."))
