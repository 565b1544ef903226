"""Puzzles: the search, decisions, a puzzle's page, exports and PDFs."""

from __future__ import annotations

from functools import partial
from typing import Any
from urllib.parse import parse_qsl

from flask import Blueprint, Response, redirect, render_template, request, url_for

import engine
from engine.formats import FORMATS
from webapp.bank import breakdown, likeness, traits, votes
from webapp.bank.breakdown import Breakdown
from webapp.bank.selection import Filters
from webapp.competition import statistics
from webapp.curation import log, reports
from webapp.curation.access import curator, desk_page
from webapp.curation.puzzles import exports, puzzles, search
from webapp.curation.puzzles.puzzles import Choice
from webapp.identity import audit
from webapp.learn.path import PathView, path_of
from webapp.models import Puzzle
from webapp.process.clock import now
from webapp.process.errors import BadInput, Changed, NotFound
from webapp.process.words import gettext as _
from webapp.process.words import ngettext
from webapp.web import downloads
from webapp.web.htmx import Answer, wants_fragment
from webapp.web.inputs import row_number
from webapp.web.links import with_query

bp = Blueprint("puzzles", __name__)
export_bp = Blueprint("exports", __name__)

Toast = dict[str, Any]  # words, entries (to undo), back, wrong


@bp.get("/puzzles")
def show() -> str:
    """Show what `?q=` finds, a `page` at a time; `?done=` reports a decision with its undo."""
    return _search(_said())


def _search(toast: Toast | None) -> str:
    text = request.args.get("q", "")[: search.LONGEST]
    found = search.search(text, request.args.get("page", 1, type=int))
    puzzles.saw(curator().id, found.shown, now())
    return render_template(
        "curation/puzzles.html",
        q=text,
        found=found,
        toast=toast,
        here=url_for(".show", q=text or None, page=found.number if found.number > 1 else None),
        **_rows(puzzles.puzzles(found.shown)),
    )


def _rows(rows: list[Puzzle], twins: int = 2) -> dict[str, Any]:
    ids = [row.id for row in rows]
    return {
        "rows": rows,
        "twins": likeness.twins(rows, twins),
        "favorites": traits.favorites(ids),
        "liked": votes.counts(ids),
    }


@bp.post("/puzzles/decisions")
def decide() -> Answer:
    """Approve, reject or withdraw (`action`) each `puzzle`, as id:version, with a `reason`.

    Or mark them as favorites: `action` is favor or unfavor.
    """
    form = request.form
    choices: list[Choice] = []
    for text in dict.fromkeys(form.getlist("puzzle")):
        number, version = map(row_number, text.partition(":")[::2])
        if number is None or version is None:
            raise BadInput(puzzle=_("puzzle: expected number:version, found “%(found)s”", found=text[:30]))
        choices.append((number, version))
    action, ids = form.get("action", ""), [number for number, _version in choices]
    try:
        if action in ("favor", "unfavor"):
            puzzles.favor(curator(), ids, now(), off=action == "unfavor")
            return _answer(action, ids, [])
        entries = puzzles.decide(curator(), action, choices, form.get("reason", ""), now())
    except Changed as error:
        return _refused(str(error), [int(error.subject_id)], 409)
    except BadInput as error:
        return _refused(str(error), ids, 422)
    return _answer(action, ids, [entry.id for entry in entries])


@bp.post("/puzzles/undos")
def undo() -> Answer:
    """Undo decisions of the last hour; `entry` repeated."""
    entries = [number for number in map(row_number, request.form.getlist("entry")) if number is not None]
    try:
        ids = puzzles.undo(curator(), entries, now())
    except Changed as error:
        return _refused(str(error), [int(error.subject_id)], 409)
    except NotFound as error:
        return _refused(str(error), [], 404)
    return _answer("undo", ids, [])


def _answer(action: str, ids: list[int], entries: list[int]) -> Answer:
    """Report what was done: the cards as they are now, and an undo button."""
    back = desk_page(request.form.get("back"))
    if not wants_fragment():
        text = f"{action}:{len(ids)}:{','.join(map(str, entries))}"
        path, _mark, query = back.partition("?")
        kept = [(name, value) for name, value in parse_qsl(query) if name != "done"]
        return redirect(with_query(path, [*kept, ("done", text)]), 303)
    return _cards(ids, _toast(action, len(ids), entries, back))


def _cards(ids: list[int], toast: Toast) -> str:
    return render_template("curation/_decided.html", toast=toast, **_rows(puzzles.puzzles(ids)))


def _refused(message: str, ids: list[int], status: int) -> Answer:
    """Report why nothing was done, with the cards as they are now."""
    back = desk_page(request.form.get("back"))
    toast = {"words": message, "entries": [], "back": back, "wrong": True}
    return (_cards(ids, toast) if wants_fragment() else _search(toast)), status


def _toast(action: str, count: int, entries: list[int], back: str) -> Toast:
    words = {
        "approve": ngettext("One puzzle approved.", "%(num)s puzzles approved.", count),
        "reject": ngettext("One puzzle rejected.", "%(num)s puzzles rejected.", count),
        "withdraw": ngettext("One puzzle withdrawn.", "%(num)s puzzles withdrawn.", count),
        "favor": ngettext("One favorite added.", "%(num)s favorites added.", count),
        "unfavor": ngettext("One favorite removed.", "%(num)s favorites removed.", count),
        "undo": ngettext("One decision undone.", "%(num)s decisions undone.", count),
    }
    return {"words": words[action], "entries": entries, "back": back, "wrong": False}


def _said() -> Toast | None:
    """Return the message for the page after a redirect."""
    action, text, entries = (request.args.get("done", "") + "::").split(":")[:3]
    count = row_number(text)
    if action not in (*puzzles.TO, "favor", "unfavor", "undo") or count is None:
        return None
    numbers = [number for number in map(row_number, entries.split(",")) if number is not None]
    kept = [(name, value) for name, value in request.args.items(multi=True) if name != "done"]
    return _toast(action, count, numbers, with_query(request.path, kept))


# One puzzle


@bp.get("/puzzles/<int:puzzle_id>")
def puzzle(puzzle_id: int) -> str:
    """Show the puzzle at `?step=` of its solution path. The curator can then no longer play it ranked."""
    found = puzzles.puzzle(puzzle_id)
    puzzles.saw(curator().id, [puzzle_id], now())
    whole = breakdown.complete(found)
    found = puzzles.puzzle(puzzle_id)  # reloaded: the engine works outside a transaction
    grid = engine.parse(found.givens)
    here = url_for(".puzzle", puzzle_id=puzzle_id)
    return render_template(
        "curation/puzzle.html",
        puzzle=found,
        review=PathView(
            engine.Position.from_grid(grid),
            path_of(grid),
            request.args.get("step", type=int),
            partial(url_for, ".puzzle", puzzle_id=puzzle_id),
        ),
        whole=whole,
        scores=scores(whole),
        times=statistics.of_puzzle(puzzle_id),
        started=puzzles.starts(puzzle_id),
        reports=reports.of_puzzle(puzzle_id),
        history=log.rows(audit.history("puzzle", puzzle_id)),
        following=puzzles.following(puzzle_id),
        here=here,
        toast=_said(),
        **_rows([found], twins=3),
    )


def scores(whole: Breakdown | None) -> list[tuple[str, str]]:
    """Return the names and values of all schemes' scores."""
    if whole is None:
        return []
    schemes = {
        "explainer": _("Sudoku Explainer"),
        "explainer_pearl": _("Explainer, pearl"),
        "explainer_diamond": _("Explainer, diamond"),
        "step_score": _("Step score"),
        "step_level": _("Step level"),
        "weighted_rules": _("Fourteen weighted rules"),
        "givens_and_search": _("Givens and search"),
        "decision_tree": _("Decision tree"),
    }
    found = []
    for key, name in schemes.items():
        if key in whole.scores:
            value, form = whole.scores[key], "%.1f" if key.startswith("explainer") else "%g"
            found.append((name, _("gave up") if value is None else form % value))
    return found


@bp.post("/puzzles/<int:puzzle_id>/level")
def relabel(puzzle_id: int) -> Answer:
    """Override the `level` of a puzzle; `version` is the one seen."""
    level, version = (request.form.get(name, type=int) for name in ("level", "version"))
    puzzles.relabel(curator(), (puzzle_id, -1 if version is None else version), level, now())
    return redirect(url_for(".puzzle", puzzle_id=puzzle_id), 303)


# For other programs and for paper


def _wanted() -> Filters:
    """Return the puzzles chosen: repeated `puzzle`, as id or id:version, or what the search `q` finds."""
    chosen = [row_number(text.partition(":")[0]) for text in request.args.getlist("puzzle")]
    ids = tuple(number for number in chosen if number is not None)
    if ids:
        return Filters(ids=ids)
    return search.read(request.args.get("q", ""))[0]


@export_bp.get("/puzzles/export")
def download() -> Response:
    """Download the chosen puzzles in `?format=`."""
    kind = request.args.get("format", "sdm")
    parts = exports.export(curator(), _wanted(), kind, now())
    name = f"ninefold{FORMATS[kind].suffix if kind != 'json' else '.jsonl'}"
    return downloads.download(parts, exports.TYPES[kind], name)


@export_bp.get("/puzzles/pdf")
def as_pdf() -> Response:
    """Download the chosen puzzles, or the dailies `from` a day on for `days`, as PDF."""
    layout, heading, days = exports.read(request.args)
    if days is None:
        document = exports.selection(curator(), _wanted(), heading, layout, now())
    else:
        document = exports.days(curator(), *days, heading, layout, now())
    return downloads.download([document], "application/pdf", "ninefold.pdf")


@export_bp.get("/puzzles/<int:puzzle_id>.svg")
def as_svg(puzzle_id: int) -> Response:
    """Download a puzzle as SVG."""
    disposition = {"Content-Disposition": f"attachment; filename=ninefold-{puzzle_id}.svg"}
    picture = exports.picture(curator(), puzzle_id, now())
    return Response(picture, content_type="image/svg+xml", headers=disposition)
