"""Print a week of dailies or a selection of the bank as PDF, and draw one puzzle as SVG, for curators."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, datetime, timedelta

import sqlalchemy as sa
from flask import current_app

import engine
from webapp.bank import exporting
from webapp.bank.selection import Filters
from webapp.curation import curation
from webapp.curation.importing import paper
from webapp.curation.importing.paper import Layout, Printed
from webapp.curation.queue.filters import address_of
from webapp.identity.players import Identity
from webapp.models import Daily, Puzzle
from webapp.process.config import Settings
from webapp.process.database import db
from webapp.process.errors import BadInput, NotFound
from webapp.process.words import comma, format_date, format_days
from webapp.process.words import gettext as _
from webapp.web.i18n import about_text, level_name
from webapp.web.inputs import read_day, row_number

MOST_DAYS = 31
MOST = 1000  # puzzles of a selection
LONGEST_HEADING = 100
NAMES = ("from", "days", "per", "solutions", "paper", "heading")  # of parameters, besides the filters


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
    query = sa.select(Daily).where(Daily.date.between(first, last)).order_by(Daily.date, Daily.level)
    found = db.session.scalars(query.options(sa.orm.joinedload(Daily.puzzle))).all()
    printed = [
        (each.puzzle, comma().join((format_date(each.date, "EEE, MMM d, y"), level_name(each.level))))
        for each in found
    ]
    chosen = {"from": first.isoformat(), "days": str(count)}
    return _pdf(curator, printed, chosen, heading or format_days(first, last), layout, now)


def selection(
    curator: Identity | None, wanted: Filters, heading: str, layout: Layout, now: datetime
) -> bytes:
    """Return the matching puzzles as PDF, at most MOST. Raises NotFound for none."""
    numbers = exporting.numbers(wanted, MOST)
    printed = [
        (puzzle, _("%(level)s puzzle %(number)s", level=level_name(puzzle.level), number=puzzle.id))
        for puzzle in exporting.puzzles(numbers)
    ]
    return _pdf(curator, printed, address_of(wanted), heading or _("Puzzles"), layout, now)


def _pdf(
    curator: Identity | None,
    puzzles: Sequence[tuple[Puzzle, str]],
    chosen: Mapping[str, object],
    heading: str,
    layout: Layout,
    now: datetime,
) -> bytes:
    if not puzzles:
        raise NotFound(_("We couldn’t find that puzzle."))
    printed = [_printed(puzzle, name) for puzzle, name in puzzles]
    numbers = [puzzle.id for puzzle, _name in puzzles]
    db.session.rollback()
    curation.note_export(curator, "pdf", chosen, len(numbers), now)
    if curator is not None:
        curation.saw(curator.id, numbers, now)
    settings: Settings = current_app.extensions["settings"]
    foot = _("Ninefold · %(address)s", address=settings.address.rpartition("/")[2])
    return paper.pdf(printed, heading, foot, layout)


def _printed(puzzle: Puzzle, heading: str) -> Printed:
    grid = engine.parse(puzzle.givens)
    facts = [f"#{puzzle.id}"]
    if puzzle.expected_seconds is not None:
        facts.append(about_text(puzzle.expected_seconds))
    if puzzle.explainer is not None:
        facts.append(f"ER {puzzle.explainer:.1f}")
    by = comma().join(filter(None, (puzzle.title, puzzle.author)))
    return Printed(puzzle.givens, str(engine.solution(grid)), heading, " · ".join(facts), by)


def picture(curator: Identity | None, puzzle_id: int, now: datetime, *, solved: bool = False) -> str:
    """Return a puzzle, or its solution, as SVG. Raises NotFound."""
    puzzle = curation.puzzle(puzzle_id)
    grid, title = engine.parse(puzzle.givens), puzzle.title
    if curator is not None:
        curation.saw(curator.id, [puzzle_id], now)
    what = engine.solution(grid) if solved else grid
    if what is None:
        raise NotFound(_("We couldn’t find that puzzle."))
    return engine.draw(what, title=title or f"Ninefold {puzzle_id}")
