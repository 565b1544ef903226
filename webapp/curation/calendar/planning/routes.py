"""Routes of planning: a year with its plan, a day as players will see it, and past dailies."""

from __future__ import annotations

from datetime import date, timedelta

from flask import Blueprint, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

import engine
from engine.geometry import cell_name
from webapp.competition.daily import dailies, streaks
from webapp.competition.daily.views import DayView, StreakView
from webapp.curation import curation
from webapp.curation.calendar.planning import planning, results
from webapp.curation.calendar.planning.views import plot
from webapp.curation.team.access import curator
from webapp.game.steps.names import technique_name
from webapp.process.clock import now
from webapp.process.errors import BadAddress, BadInput, NotFound
from webapp.process.words import comma, format_date, format_decimal
from webapp.process.words import gettext as _
from webapp.web.i18n import level_name
from webapp.web.inputs import read_day, row_number

bp = Blueprint("planning", __name__)

WEEK = [date(2024, 1, 1 + weekday) for weekday in range(7)]  # begins on a Monday

Answer = str | Response | tuple[str, int]


@bp.get("/plan")
def show() -> Answer:
    """`?year=`: how full its days are, and what is planned; `?saved=1` and `?changed=` say what changed."""
    return _page(_year(), {})


@bp.post("/plan/weekdays")
def weekdays() -> Answer:
    """`minutes-<weekday>-<level>`: expected minutes, or nothing; they replace those of all weekdays."""
    wrong: dict[str, str] = {}
    minutes: dict[tuple[int, int], float] = {}
    for weekday in range(7):
        for level in dailies.levels():
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


@bp.post("/plan/easier")
def easier() -> Answer:
    """`level`: plan its dailies 10 % shorter; where nothing is planned, than those of late were."""
    level = row_number(request.form.get("level", ""))
    found = results.results(dailies.today(now()), now())
    if level not in results.finished_levels(found):
        raise BadInput(level=_("Choose a level."))
    usual = results.usual_minutes(found, level)
    entry = planning.ease(curator(), level, planning.EASIER, usual, now())
    return redirect(url_for("admin.planning.show", year=_year(), changed=entry), 303)


@bp.post("/plan/themes")
def add_theme() -> Answer:
    """`first`, `last`, `technique` and `title` of days with one hardest technique."""
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
    """`day` and `text`, a note on it; an empty one removes it."""
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
    """What became of the dailies of a month, `?until=` a day."""
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
    """Say what an entry of the log changed in the minutes; nothing if it isn't of them."""

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


def _page(number: int, errors: dict[str, str]) -> str:
    at = now()
    return render_template(
        "curation/planning/plan.html",
        year=planning.year(number, at),
        today=dailies.today(at),
        levels=[(level, level_name(level)) for level in dailies.levels()],
        weekdays=WEEK,
        told=_changed(),
        techniques=[(key, technique_name(key)) for key in engine.TECHNIQUES],
        names={key: technique_name(key) for key in engine.TECHNIQUES},
        errors=errors,
        form=request.form,
    )
