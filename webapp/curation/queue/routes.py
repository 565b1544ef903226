"""Routes of the queue: candidates to review, one by one or several at once."""

from __future__ import annotations

from dataclasses import replace

from flask import Blueprint, redirect, render_template, request, url_for

from webapp.bank import bank
from webapp.curation import curation
from webapp.curation.access import curator, desk_page
from webapp.curation.curation import Done, VersionSeen
from webapp.curation.queue import filters
from webapp.curation.queue.filters import address_of
from webapp.curation.queue.views import Sight, views_of
from webapp.models import Status
from webapp.process.clock import now
from webapp.process.errors import BadInput, Changed, NotFound
from webapp.process.words import gettext as _
from webapp.process.words import ngettext
from webapp.web.htmx import Answer, wants_fragment
from webapp.web.inputs import row_number
from webapp.web.links import with_query

bp = Blueprint("queue", __name__)


@bp.get("/")
def show() -> str:
    """Show the queue, filtered and sorted by the address; `?done=` reports the last decision."""
    return _queue()


@bp.post("/decisions")
def decide() -> Answer:
    """`action` approve or reject, `puzzle` as id:version and repeated; `sure=1` once several were previewed.

    A form sends only the pressed button, so `approve` or `reject` may carry the puzzle instead.
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
def undo() -> Answer:
    """Undo decisions of the last ten seconds; `entry` repeated."""
    entries = _numbers(request.form.getlist("entry"))
    try:
        done = curation.undo(curator(), entries, now())
    except Changed as error:
        return _refused(str(error), [int(error.subject_id)], 409)
    except NotFound as error:
        return _refused(str(error), [], 404)
    return _answer("undo", done)


def _asked() -> tuple[str, list[VersionSeen]]:
    """Return the decision and the puzzles of the form. Raises BadInput."""
    form = request.form
    for action in curation.TO:
        if action in form:
            return action, [_choice(form[action])]
    return form.get("action", ""), [_choice(text) for text in dict.fromkeys(form.getlist("puzzle"))]


def _choice(text: str) -> VersionSeen:
    number, version = map(row_number, text.partition(":")[::2])
    if number is None or version is None:
        raise BadInput(puzzle=_("puzzle: expected number:version, found “%(found)s”", found=text[:30]))
    return VersionSeen(number, version)


def _numbers(texts: list[str]) -> list[int]:
    return [number for number in map(row_number, texts) if number is not None]


def _preview(action: str, choices: list[VersionSeen]) -> Answer:
    """Show how many puzzles a decision affects, before it is made."""
    found = curation.puzzles([choice.id for choice in choices])
    if action not in curation.TO or not found:
        return _refused(_("Select at least one puzzle."), [], 422)
    by_level = {level: sum(puzzle.level == level for puzzle in found) for level in bank.LEVELS}
    template = "curation/_preview.html" if wants_fragment() else "curation/preview.html"
    return render_template(
        template,
        action=action,
        choices=choices,
        by_level={level: count for level, count in by_level.items() if count},
        back=_back(),
    )


def _answer(action: str, done: Done) -> Answer:
    """Report a decision: the updated rows, and an undo button for ten seconds."""
    if not wants_fragment():
        told = f"{action}:{len(done.ids)}:{','.join(map(str, done.entries))}"
        back = _back()
        return redirect(f"{back}{'&' if '?' in back else '?'}done={told}", 303)
    rows = views_of(curation.puzzles(done.ids))
    return render_template(
        "curation/queue/_decided.html",
        rows=rows,
        done=_told(action, len(rows), done.entries),
        counts=curation.counts(),
    )


def _told(action: str, count: int, entries: list[int]) -> dict[str, object]:
    words = {
        "approve": ngettext("One puzzle approved.", "%(num)s puzzles approved.", count),
        "reject": ngettext("One puzzle rejected.", "%(num)s puzzles rejected.", count),
        "undo": ngettext("One decision undone.", "%(num)s decisions undone.", count),
    }
    return {"words": words[action], "entries": entries, "back": _back(), "wrong": False}


def _refused(message: str, ids: list[int], status: int) -> Answer:
    """Report why nothing was done, with the current rows."""
    told = {"words": message, "entries": [], "back": _back(), "wrong": True}
    if not wants_fragment():
        return _queue(told), status
    rows = views_of(curation.puzzles(ids))
    return render_template(
        "curation/queue/_decided.html", rows=rows, done=told, counts=curation.counts()
    ), status


def _back() -> str:
    """Return the desk page that a plain form came from, as carried by the form."""
    return desk_page(request.form.get("back"))


def _queue(told: dict[str, object] | None = None) -> str:
    sight, wrong = _sight()
    page = curation.queue(sight.filters, sight.sort, request.args.get("page", 1, type=int), down=sight.down)
    curation.saw(curator().id, [puzzle.id for puzzle in page.puzzles], now())
    return render_template(
        "curation/queue/queue.html",
        rows=views_of(page.puzzles),
        page=page,
        sight=sight,
        active=sight.active(),
        wrong=wrong,
        here=sight.address(page.number),
        pages={
            number: sight.address(number)
            for number in (page.number - 1, page.number + 1)
            if 1 <= number <= page.pages
        },
        sorts={key: sight.by(key).address() for key in curation.SORTS},
        statuses={status: sight.of(status).address() for status in curation.JUDGED},
        counts=curation.counts(),
        techniques=curation.hardest_of(str(sight.filters.status)),
        export=url_for("admin.importing.show", **address_of(sight.filters), _anchor="take"),
        done=told or told_before(with_query(url_for(".show"), _query())),
    )


def told_before(back: str) -> dict[str, object] | None:
    """Return the message for the page after a redirect; undo returns to `back`."""
    action, _colon, rest = request.args.get("done", "").partition(":")
    text, _colon, entries = rest.partition(":")
    count = row_number(text)
    if action not in (*curation.TO, "undo") or count is None:
        return None
    told = _told(action, count, _numbers(entries.split(",")))
    return told | {"back": back}


def _query() -> list[tuple[str, str]]:
    return [(name, value) for name, value in request.args.items(multi=True) if name != "done"]


def _sight() -> tuple[Sight, dict[str, str]]:
    """Return the view requested by the address, and the errors by field."""
    found, wrong = filters.read()
    if found.status not in set(map(str, curation.JUDGED)):
        found = replace(found, status=Status.CANDIDATE)
    sort = request.args.get("sort", "")
    key = sort.removeprefix("-")
    return Sight(found, key, sort.startswith("-")) if key in curation.SORTS else Sight(found), wrong
