"""The queue: candidates to be judged, one by one by key or button, or several at once."""

from __future__ import annotations

import math
from dataclasses import replace

from flask import Blueprint, redirect, render_template, request, url_for
from flask_babel import gettext as _
from flask_babel import ngettext
from werkzeug.wrappers import Response

from webapp.clock import now
from webapp.htmx import wants_fragment
from webapp.models import Status
from webapp.routes.admin.access import curator, desk_page
from webapp.routes.admin.queue_view import address_of, views_of
from webapp.services import bank, curation
from webapp.services.curation import Choice, Done, Filters
from webapp.services.errors import BadInput, Changed, NotFound
from webapp.steps.names import NAMES

bp = Blueprint("queue", __name__)

MOST = 10_000  # of any number in the address
Page = str | tuple[str, int] | Response


@bp.get("/")
def show() -> str:
    """The queue, filtered and sorted by the address; `?done=` shows what was just decided."""
    return _queue()


@bp.post("/decisions")
def decide() -> Page:
    """`action` approve or reject, `puzzle` as id:version and repeated; `sure=1` once several were previewed.

    A form sends one button alone, so `approve` or `reject` may carry the puzzle instead.
    """
    action, choices = _asked()
    reason = request.form.get("words", "") or request.form.get("reason", "")
    if request.form.get("preview") == "1" and "action" in request.form:
        return _preview(action, choices)
    try:
        done = curation.decide(curator(), action, choices, reason, now())
    except Changed as error:
        return _refused(str(error), [int(error.subject_id)], 409)
    except BadInput as error:
        return _refused(str(error), [choice.id for choice in choices], 422)
    return _answer(action, done)


@bp.post("/undos")
def undo() -> Page:
    """Take back what was decided in the last ten seconds; `entry` repeated."""
    entries = [int(text) for text in request.form.getlist("entry") if _is_number(text)]
    try:
        done = curation.undo(curator(), entries, now())
    except Changed as error:
        return _refused(str(error), [int(error.subject_id)], 409)
    except NotFound as error:
        return _refused(str(error), [], 404)
    return _answer("undo", done)


def _asked() -> tuple[str, list[Choice]]:
    """The decision and the puzzles of the form; raises BadInput."""
    form = request.form
    for action in curation.TO:
        if action in form:
            return action, [_choice(form[action])]
    return form.get("action", ""), [_choice(text) for text in dict.fromkeys(form.getlist("puzzle"))]


def _choice(text: str) -> Choice:
    number, _colon, version = text.partition(":")
    if not (_is_number(number) and _is_number(version)):
        raise BadInput(puzzle=_("puzzle: expected number:version, found “%(found)s”", found=text[:30]))
    return Choice(int(number), int(version))


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 10


def _preview(action: str, choices: list[Choice]) -> Page:
    """How many puzzles a decision would be about, before it is taken."""
    found = curation.puzzles([choice.id for choice in choices])
    if action not in curation.TO or not found:
        return _refused(_("Choose at least one puzzle."), [], 422)
    by_level = {level: sum(puzzle.level == level for puzzle in found) for level in bank.LEVELS}
    template = "admin/_preview.html" if wants_fragment() else "admin/preview.html"
    return render_template(
        template,
        action=action,
        choices=choices,
        by_level={level: count for level, count in by_level.items() if count},
        back=_back(),
    )


def _answer(action: str, done: Done) -> Page:
    """What was done: the rows as they stand now, and ten seconds to take it back."""
    if not wants_fragment():
        told = f"{action}:{len(done.ids)}:{','.join(map(str, done.entries))}"
        back = _back()
        return redirect(f"{back}{'&' if '?' in back else '?'}done={told}", 303)
    rows = views_of(curation.puzzles(done.ids))
    return render_template(
        "admin/_decided.html", rows=rows, done=_told(action, len(rows), done.entries), waits=_waiting()
    )


def _told(action: str, count: int, entries: list[int]) -> dict[str, object]:
    words = {
        "approve": ngettext("One puzzle approved.", "%(num)s puzzles approved.", count),
        "reject": ngettext("One puzzle rejected.", "%(num)s puzzles rejected.", count),
        "undo": ngettext("One puzzle is as it was.", "%(num)s puzzles are as they were.", count),
    }
    return {"words": words[action], "entries": entries, "back": _back(), "wrong": False}


def _refused(message: str, ids: list[int], status: int) -> Page:
    """Why nothing was done, with the rows as they stand now."""
    told = {"words": message, "entries": [], "back": _back(), "wrong": True}
    if not wants_fragment():
        return _queue(told), status
    rows = views_of(curation.puzzles(ids))
    return render_template("admin/_decided.html", rows=rows, done=told, waits=_waiting()), status


def _waiting() -> int:
    return curation.counts()[Status.CANDIDATE]


def _back() -> str:
    """The page of the desk that a plain form came from; a path of ours that the form carries."""
    return desk_page(request.form.get("back"))


def _queue(told: dict[str, object] | None = None) -> str:
    filters, wrong = _filters()
    page = curation.queue(filters, request.args.get("page", 1, type=int))
    curation.saw(curator().id, [puzzle.id for puzzle in page.puzzles], now())
    rows = views_of(page.puzzles)
    return render_template(
        "admin/queue.html",
        rows=rows,
        page=page,
        filters=filters,
        wrong=wrong,
        here=url_for("admin.queue.show", **address_of(filters, page.number)),
        pages={
            number: url_for("admin.queue.show", **address_of(filters, number))
            for number in (page.number - 1, page.number + 1)
            if 1 <= number <= page.pages
        },
        sorts={
            key: url_for(
                "admin.queue.show", **address_of(replace(filters, sort=key, down=_turned(filters, key)))
            )
            for key in curation.SORTS
        },
        statuses={
            status: url_for("admin.queue.show", **address_of(replace(filters, status=status, hardest=None)))
            for status in curation.JUDGED
        },
        counts=curation.counts(),
        techniques=curation.hardest_of(filters.status),
        done=told or told_before(url_for(".show", **_query())),
    )


def _turned(filters: Filters, key: str) -> bool:
    return filters.sort == key and not filters.down


def told_before(back: str) -> dict[str, object] | None:
    """What a redirect to this page has to tell; an undo comes back to `back`."""
    action, _colon, rest = request.args.get("done", "").partition(":")
    count, _colon, entries = rest.partition(":")
    if action not in (*curation.TO, "undo") or not _is_number(count):
        return None
    told = _told(action, int(count), [int(entry) for entry in entries.split(",") if _is_number(entry)])
    return told | {"back": back}


def _query() -> dict[str, str]:
    return {name: value for name, value in request.args.items() if name != "done"}


def _filters() -> tuple[Filters, dict[str, str]]:
    """The filters of the address, and what of it could not be read."""
    args, wrong = request.args, {}
    numbers: dict[str, float | None] = {}
    for name in ("er_from", "er_to", "minutes_from", "minutes_to", "level", "order"):
        text = args.get(name, "").strip()
        numbers[name] = None
        if text:
            try:
                value = float(text)
                if not math.isfinite(value) or not 0 <= value <= (2**31 - 1 if name == "order" else MOST):
                    raise ValueError
                numbers[name] = value
            except ValueError:
                wrong[name] = _("“%(found)s” is no number that fits here.", found=text[:20])
    sort = args.get("sort", "number")
    level, order = numbers["level"], numbers["order"]
    if level is not None and level not in bank.LEVELS:
        wrong["level"], level = _("Levels go from 1 to 5."), None
    hardest = args.get("hardest") or None
    return (
        Filters(
            status=args.get("status")
            if args.get("status") in set(map(str, curation.JUDGED))
            else Status.CANDIDATE,
            level=None if level is None else int(level),
            hardest=hardest if hardest in NAMES else None,
            er_from=numbers["er_from"],
            er_to=numbers["er_to"],
            minutes_from=numbers["minutes_from"],
            minutes_to=numbers["minutes_to"],
            order=None if order is None else int(order),
            twins=args.get("twins") == "1",
            sort=sort.removeprefix("-") if sort.removeprefix("-") in curation.SORTS else "number",
            down=sort.startswith("-"),
        ),
        wrong,
    )
