"""Routes of planning: a year with its plan, a preview of a day, and past dailies."""

from __future__ import annotations

from datetime import date, timedelta

from flask import Blueprint, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

import engine
from engine.generation import Symmetry
from engine.geometry import cell_name
from webapp.competition.daily import dailies, streaks
from webapp.competition.daily.views import DayView, StreakView
from webapp.curation import curation
from webapp.curation.calendar.calendar import SeenSlot, SlotChoice
from webapp.curation.calendar.planning import planning, repicking, results
from webapp.curation.calendar.planning.planning import Look
from webapp.curation.calendar.planning.views import plot
from webapp.curation.queue.filters import SYMMETRIES
from webapp.curation.queue.views import symmetry_words
from webapp.curation.team.access import curator
from webapp.game.steps.names import technique_name
from webapp.process.clock import now
from webapp.process.errors import BadAddress, BadInput, Changed, NotFound
from webapp.process.words import comma, format_date, format_decimal, ngettext
from webapp.process.words import gettext as _
from webapp.web.htmx import Answer
from webapp.web.i18n import level_name
from webapp.web.inputs import read_day, row_number

bp = Blueprint("planning", __name__)

WEEK = [date(2024, 1, 1 + weekday) for weekday in range(7)]  # begins on a Monday


@bp.get("/plan")
def show() -> Answer:
    """Show a year's gaps and plans (`?year=`); `?saved=1` and `?changed=` report a change."""
    return _page(_year(), {})


@bp.post("/plan/weekdays")
def weekdays() -> Answer:
    """Plan minutes by weekday: `minutes-<weekday>-<level>`, or nothing; they replace those of all
    weekdays.
    """
    wrong: dict[str, str] = {}
    minutes: dict[tuple[int, int], float] = {}
    for weekday in range(7):
        for level in dailies.LEVELS:
            name = f"minutes-{weekday}-{level}"
            text = request.form.get(name, "").strip().replace(",", ".")
            if text:
                try:
                    minutes[weekday, level] = float(text)
                except ValueError:
                    wrong[name] = _("Enter a number of minutes.")
    try:
        if wrong:
            raise BadInput(**wrong)
        planning.set_minutes(curator(), minutes, now())
    except BadInput as error:
        return _page(_year(), error.fields), 422
    return _back()


@bp.post("/plan/looks")
def looks() -> Answer:
    """Plan what dailies of a `level` are like on each `weekday`: `er_from` to `symmetry`, or nothing."""
    try:
        level, weekdays, look = _look()
        planning.set_look(curator(), weekdays, level, look, now())
    except BadInput as error:
        return _page(_year(), error.fields), 422
    return _back()


def _look() -> tuple[int, list[int], Look]:
    form = request.form
    wrong: dict[str, str] = {}

    def number(name: str) -> float | None:
        text = form.get(name, "").strip().replace(",", ".")
        try:
            value = float(text) if text else None
        except ValueError:
            value = -1
        if value is not None and not 0 <= value <= 100:
            wrong[name.partition("_")[0]] = _("Enter a number.")
        return value

    er = number("er_from"), number("er_to")
    low, high = (None if each is None else round(each) for each in map(number, ("givens_from", "givens_to")))
    if wrong:
        raise BadInput(**wrong)
    weekdays = [day for day in map(row_number, form.getlist("weekday")) if day is not None]
    look = Look(*er, low, high, form.get("hardest") or None, form.get("symmetry") or None)
    return row_number(form.get("level", "")) or 0, weekdays, look


@bp.get("/plan/changes")
def changes() -> str:
    """Preview the dailies that would replace automatic ones that don't fit the plan."""
    return _changes_page("")


@bp.post("/plan/changes")
def change() -> Answer:
    """Make all these changes or none: `change` as date:level:old:new:version, repeated."""
    try:
        changes = dict(map(_change, request.form.getlist("change")))
        done = repicking.apply(curator(), changes, now())
    except Changed as error:
        return _changes_page(str(error)), 409
    except BadInput as error:
        return _changes_page(str(error)), 422
    return redirect(url_for("admin.planning.show", year=_year(), picked=done), 303)


def _change(text: str) -> tuple[SeenSlot, SlotChoice | None]:
    day, _colon, rest = text.partition(":")
    level, old, new, version = (*map(row_number, rest.split(":")), None, None, None, None)[:4]
    found = read_day(day)
    if found is None or level is None or old is None:
        raise BadInput(change=_("Choose a day."))
    return SeenSlot(found, level, old), None if new is None else SlotChoice(new, version)


def _changes_page(wrong: str) -> str:
    return render_template(
        "curation/planning/changes.html",
        changes=repicking.proposal(now()),
        wrong=wrong,
        names={key: technique_name(key) for key in engine.TECHNIQUES},
        year=_year(),
    )


@bp.post("/plan/easier")
def easier() -> Answer:
    """Plan the dailies of a `level` 10 % shorter than now; unplanned ones, than recent dailies."""
    level = row_number(request.form.get("level", ""))
    found = results.results(dailies.today(now()), now())
    if level not in results.finished_levels(found):
        raise BadInput(level=_("Choose a level."))
    usual = results.usual_minutes(found, level)
    entry = planning.ease(curator(), level, usual, now())
    return redirect(url_for("admin.planning.show", year=_year(), changed=entry), 303)


@bp.post("/plan/themes")
def add_theme() -> Answer:
    """Add a theme: `first`, `last`, `technique` and `title` of days with one hardest technique."""
    form = request.form
    first, last = read_day(form.get("first", "")), read_day(form.get("last", ""))
    try:
        if first is None or last is None:
            raise BadInput(first=_("Choose a first and a last day."))
        planning.add_theme(curator(), first, last, form.get("technique", ""), form.get("title", ""), now())
    except BadInput as error:
        return _page(_year(), error.fields), 422
    return _back()


@bp.post("/plan/themes/<int:theme_id>/removal")
def remove_theme(theme_id: int) -> Answer:
    """Remove a theme."""
    planning.remove_theme(curator(), theme_id, now())
    return _back()


@bp.post("/plan/notes")
def note() -> Answer:
    """Store a note (`text`) on a `day`; an empty text removes it."""
    day = read_day(request.form.get("day", ""))
    try:
        if day is None:
            raise BadInput(day=_("Choose a day."))
        planning.note(curator(), day, request.form.get("text", ""), now())
    except BadInput as error:
        return _page(_year(), error.fields), 422
    return _back()


@bp.get("/calendar/<day>/preview")
def preview(day: str) -> str:
    """Show a day exactly as players will see it once it opens."""
    found = read_day(day)
    if found is None:
        raise NotFound(_("“%(found)s” isn’t a date. Try one like 2026-03-01.", found=day[:20]))
    opens = dailies.opening(found)
    entries = dailies.of_today(None, opens)
    if not entries.entries:
        raise NotFound(_("Nothing is scheduled for that day yet."))
    return render_template(
        "competition/daily/show.html",
        day=DayView(entries, opens),
        streak=StreakView(streaks.of(None, opens), opens),
    )


@bp.get("/results")
def past() -> str:
    """Show the results of the dailies of a month, `?until=` a day."""
    today = dailies.today(now())
    text = request.args.get("until", "")
    until = read_day(text) if text else today
    if until is None:
        raise BadAddress(_("until: expected one like 2026-03-01, found “%(found)s”", found=text[:20]))
    until = min(until, today)
    found = results.results(until, now())
    return render_template(
        "curation/planning/results.html",
        results=found,
        plot=plot(found),
        levels=[(level, level_name(level)) for level in sorted(results.finished_levels(found))],
        until=until,
        earlier=until - timedelta(days=results.DAYS),
        later=min(today, until + timedelta(days=results.DAYS)) if until < today else None,
    )


@bp.get("/results/<day>/<int:level>")
def stuck(day: str, level: int) -> str:
    """Show where players of a past daily got stuck. The curator can then no longer play it ranked."""
    found = read_day(day)
    if found is None:
        raise NotFound(_("“%(found)s” isn’t a date. Try one like 2026-03-01.", found=day[:20]))
    where = results.stuck(found, level, now())
    curation.saw(curator().id, [where.daily.puzzle_id], now())
    return render_template(
        "curation/planning/stuck.html",
        where=where,
        name=comma().join((level_name(level), format_date(found, "long"))),
        cells=[(cell_name(cell), games, seconds) for cell, games, seconds in where.cells],
        techniques=[(key, technique_name(key), count) for key, count in where.techniques],
    )


def _year() -> int:
    text = request.values.get("year", "")
    number = row_number(text) if text else dailies.today(now()).year
    if number is None or not 1 <= number <= 9999:
        raise BadAddress(_("year: expected one like 2026, found “%(found)s”", found=text[:20]))
    return number


def _back() -> Response:
    return redirect(url_for("admin.planning.show", year=_year(), saved=1), 303)


def _changed() -> str:
    """Describe a log entry's change of the minutes; empty if the entry is about something else."""

    def minutes(value: float | None) -> str:
        return _("no limit") if value is None else format_decimal(value)

    lines = [
        _(
            "%(day)s, %(level)s: %(before)s → %(after)s minutes.",
            day=format_date(WEEK[weekday], "EEEE"),
            level=level_name(level),
            before=minutes(before),
            after=minutes(after),
        )
        for weekday, level, before, after in planning.changed(
            row_number(request.args.get("changed", "")) or 0
        )
    ]
    return " ".join([*lines, _("Dailies already picked stay.")]) if lines else ""


def _picked() -> str:
    count = row_number(request.args.get("picked", ""))
    return ngettext("%(num)s daily replaced.", "%(num)s dailies replaced.", count) if count else ""


def _page(number: int, errors: dict[str, str]) -> str:
    at = now()
    year = planning.year(number, at)
    plan = year.plan
    return render_template(
        "curation/planning/plan.html",
        year=year,
        today=dailies.today(at),
        levels=[(level, level_name(level)) for level in dailies.LEVELS],
        weekdays=WEEK,
        changed=_changed() or _picked(),
        unfit=len(repicking.unfit(at)),
        looks=sorted(plan.looks.values(), key=lambda each: (each.weekday, each.level)),
        symmetries=[(each, symmetry_words([Symmetry(each)])) for each in SYMMETRIES],
        techniques=[(key, technique_name(key)) for key in engine.TECHNIQUES],
        names={key: technique_name(key) for key in engine.TECHNIQUES},
        errors=errors,
        form=request.form,
    )
