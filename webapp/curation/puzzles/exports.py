"""Puzzles for other programs and for paper. The audit log has each export, and its curator has seen them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from datetime import date, datetime, timedelta
from itertools import chain
from typing import Any
from urllib.parse import urlsplit

from flask import current_app

import engine
from webapp.bank import exporting
from webapp.bank.selection import Filters
from webapp.competition.daily import schedule
from webapp.curation.puzzles import paper, puzzles
from webapp.curation.puzzles.paper import Layout, Printed
from webapp.identity import audit
from webapp.identity.players import Identity
from webapp.models import Puzzle
from webapp.process.database import db, write_tx
from webapp.process.errors import BadInput, NotFound
from webapp.process.words import comma, format_date, format_days
from webapp.process.words import gettext as _
from webapp.web.i18n import about_text, level_name
from webapp.web.inputs import read_day, row_number

TYPES = {
    "sdm": "text/plain; charset=utf-8",
    "csv": "text/csv; charset=utf-8",
    "json": "application/x-ndjson",
    "opensudoku": "application/xml; charset=utf-8",
}
MOST_DAYS = 31
MOST = 1000  # puzzles on paper
LONGEST_HEADING = 100
LOOPBACK = ("127.0.0.1", "::1", "localhost")


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
    _note(curator, kind, _facts(wanted), count, now)
    rows = exporting.rows(wanted)
    if curator is not None:  # an exporting curator can no longer play the puzzles ranked
        curator_id = curator.id
        rows = exporting.watched(rows, lambda ids: puzzles.saw(curator_id, ids, now))
    return exporting.text(chain([next(rows, [])], rows), kind)  # empty if they have just been deleted


def _note(curator: Identity | None, kind: str, chosen: Mapping[str, Any], count: int, now: datetime) -> None:
    with write_tx():
        audit.record(curator, "export", ("export", kind), at=now, after={"puzzles": count, **chosen})


def _facts(wanted: Filters) -> dict[str, Any]:
    """Return the filters in use; the count says as much as a list of numbers."""
    return {name: value for name, value in asdict(wanted).items() if value and name != "ids"}


# On paper


def read(fields: Mapping[str, str]) -> tuple[Layout, str, tuple[date, int] | None]:
    """Parse layout, heading, and the days if there are any. Raises BadInput naming the field."""
    wrong: dict[str, str] = {}

    def chosen(name: str, among: Sequence[str]) -> str:
        text = fields.get(name) or among[0]
        if text not in among:
            wrong[name] = _("Choose one of %(names)s.", names=", ".join(among))
        return text

    per = chosen("per", ("4", "1", "2", "6"))
    layout = Layout(
        row_number(per) or 0, chosen("solutions", paper.SOLUTIONS), chosen("paper", tuple(paper.PAPERS))
    )
    heading = fields.get("heading", "").strip()
    if len(heading) > LONGEST_HEADING:
        wrong["heading"] = _("Enter up to %(most)s characters.", most=LONGEST_HEADING)
    days = None
    if text := fields.get("from", ""):
        first, count = read_day(text), row_number(fields.get("days") or "7")
        if first is None:
            wrong["from"] = _(
                "%(name)s: expected one like 2026-03-01, found “%(found)s”", name="from", found=text[:20]
            )
        elif count is None or not 1 <= count <= MOST_DAYS:
            wrong["days"] = _("Enter a number from 1 to %(most)s.", most=MOST_DAYS)
        else:
            days = first, count
    if wrong:
        raise BadInput(**wrong)
    return layout, heading, days


def days(
    curator: Identity | None, first: date, count: int, heading: str, layout: Layout, now: datetime
) -> bytes:
    """Return the dailies of these days as PDF. curator: None for an operator. Raises NotFound for none."""
    last = first + timedelta(days=count - 1)
    printed = [
        (each.puzzle, comma().join((format_date(each.date, "EEE, MMM d, y"), level_name(each.level))))
        for _slot, each in sorted(schedule.between(first, last).items())
    ]
    chosen = {"from": first.isoformat(), "days": str(count)}
    return _pdf(curator, printed, chosen, heading or format_days(first, last), layout, now)


def selection(
    curator: Identity | None, wanted: Filters, heading: str, layout: Layout, now: datetime
) -> bytes:
    """Return the matching puzzles as PDF, at most MOST. Raises NotFound for none."""
    printed = [
        (puzzle, _("%(level)s puzzle %(number)s", level=level_name(puzzle.level), number=puzzle.id))
        for puzzle in exporting.puzzles(exporting.numbers(wanted, MOST))
    ]
    return _pdf(curator, printed, _facts(wanted), heading or _("Puzzles"), layout, now)


def _pdf(
    curator: Identity | None,
    chosen: Sequence[tuple[Puzzle, str]],
    facts: Mapping[str, Any],
    heading: str,
    layout: Layout,
    now: datetime,
) -> bytes:
    if not chosen:
        raise NotFound(_("We couldn’t find that puzzle."))
    printed = []
    for puzzle, name in chosen:
        notes = [f"#{puzzle.id}"]
        if puzzle.expected_seconds is not None:
            notes.append(about_text(puzzle.expected_seconds))
        if puzzle.explainer is not None:
            notes.append(f"ER {puzzle.explainer:.1f}")
        by = comma().join(filter(None, (puzzle.title, puzzle.author)))
        solution = str(engine.solution(engine.parse(puzzle.givens)))
        printed.append(Printed(puzzle.givens, solution, name, " · ".join(notes), by))
    numbers = [puzzle.id for puzzle, _name in chosen]
    db.session.rollback()
    _note(curator, "pdf", facts, len(numbers), now)
    if curator is not None:
        puzzles.saw(curator.id, numbers, now)
    host = urlsplit(current_app.extensions["settings"].address).hostname or ""
    foot = "Ninefold" if host in LOOPBACK else _("Ninefold · %(address)s", address=host)
    return paper.pdf(printed, heading, foot, layout)


def picture(curator: Identity, puzzle_id: int, now: datetime) -> str:
    """Return a puzzle as SVG. Raises NotFound."""
    found = puzzles.puzzle(puzzle_id)
    grid, title = engine.parse(found.givens), found.title or f"Ninefold {puzzle_id}"
    puzzles.saw(curator.id, [puzzle_id], now)
    return engine.draw(grid, title=title)
