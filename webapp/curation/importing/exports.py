"""Exports at the desk: each is recorded in the audit log, and the exporting curator has seen the puzzles."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from itertools import chain

from webapp.bank import exporting
from webapp.bank.selection import Filters
from webapp.curation import curation
from webapp.curation.queue.filters import address_of
from webapp.identity.players import Identity
from webapp.process.errors import BadInput, NotFound
from webapp.process.words import gettext as _

TYPES = {
    "sdm": "text/plain; charset=utf-8",
    "csv": "text/csv; charset=utf-8",
    "json": "application/x-ndjson",
    "opensudoku": "application/xml; charset=utf-8",
}


def export(curator: Identity | None, wanted: Filters, kind: str, now: datetime) -> Iterator[str]:
    """Yield the matching puzzles in a format of `exporting.OFFERED`, in pieces. curator: None for an
    operator.

    The export and its first part are recorded before this returns. Raises BadInput, and NotFound for none.
    """
    if kind not in exporting.OFFERED:
        raise BadInput(format=_("Choose one of %(names)s.", names=", ".join(exporting.OFFERED)))
    count = exporting.count(wanted)
    if not count:
        raise NotFound(_("We couldn’t find that puzzle."))
    curation.note_export(curator, kind, address_of(wanted), count, now)
    rows = exporting.rows(wanted)
    if curator is not None:  # an exporting curator can no longer play the puzzles ranked
        curator_id = curator.id
        rows = exporting.watched(rows, lambda ids: curation.saw(curator_id, ids, now))
    return exporting.text(chain([next(rows, [])], rows), kind)  # empty if they have just been deleted
