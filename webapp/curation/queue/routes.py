"""Routes of the queue: candidates to review, one by one or several at once."""

from __future__ import annotations

from dataclasses import replace
from urllib.parse import urlsplit

from flask import Blueprint, redirect, render_template, request, url_for

import engine
from engine.generation import Symmetry
from webapp.bank import bank, finding, traits
from webapp.bank.selection import CURATED
from webapp.curation import curation
from webapp.curation.curation import FROM, Done, VersionSeen
from webapp.curation.queue import filters, tagging
from webapp.curation.queue.filters import address_of
from webapp.curation.queue.views import Sight, made_words, symmetry_words, views_of
from webapp.curation.team.access import curator, desk_page
from webapp.game.steps.names import technique_name
from webapp.models import Status
from webapp.process.clock import now
from webapp.process.errors import BadInput, Changed, NotFound
from webapp.process.words import gettext as _
from webapp.process.words import ngettext
from webapp.web.htmx import Answer, wants_fragment
from webapp.web.inputs import row_number
from webapp.web.links import with_query

bp = Blueprint("queue", __name__)

TAGS = ("tag", "untag")  # actions without a preview


@bp.get("/")
def show() -> str:
    """Show the queue, filtered and sorted by the address; `?done=` reports the last decision."""
    return _queue()


@bp.post("/decisions")
def decide() -> Answer:
    """Approve or reject (`action`) each `puzzle`, as id:version; `sure=1` once several were previewed.

    A form sends only the pressed button, so `approve` or `reject` may carry the puzzle instead.
    """
    action, choices = _asked()
    if action in TAGS:
        return _tag(action, choices)
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


@bp.post("/searches")
def keep() -> Answer:
    """Save the search of this `query` of the queue under a `name`."""
    try:
        query = _same(request.form.get("query", ""))
        tagging.keep(curator(), request.form.get("name", ""), query)
    except BadInput as error:
        return _refused(str(error), [], 422)
    return redirect(f"{url_for('.show')}?{query}", 303)


@bp.post("/searches/<int:search_id>/removal")
def forget(search_id: int) -> Answer:
    """Delete one's own saved search."""
    tagging.forget(curator(), search_id)
    return redirect(_back(), 303)


def _same(query: str) -> str:
    """Return the query in the queue's own form. Raises BadInput."""
    return urlsplit(Sight(filters.of_query(query)).address()).query


def _tag(action: str, choices: list[VersionSeen]) -> Answer:
    """Add a tag to the chosen puzzles, or remove it."""
    ids = _ids(choices, tagging.MOST_TAGGED)
    try:
        count = tagging.tag(curator(), ids, request.form.get("tag", ""), now(), off=action == "untag")
    except BadInput as error:
        return _refused(str(error), ids[: curation.PER_PAGE], 422)
    return _answer(action, Done(ids[: curation.PER_PAGE], []), count)


def _ids(choices: list[VersionSeen], most: int) -> list[int]:
    """Return the chosen puzzles, or with `all=1` those of the form's search, at most so many."""
    if request.form.get("all") != "1":
        return [choice.id for choice in choices]
    return finding.listed(filters.of_query(request.form.get("query", "")), "number", most, down=False)


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
    found = curation.puzzles(_ids(choices, curation.MOST_DECIDED))
    if request.form.get("all") == "1":
        found = [each for each in found if each.status in FROM.get(action, ())]
        choices = [VersionSeen(each.id, each.version) for each in found]
    if action not in curation.TO or not found:
        return _refused(_("Select at least one puzzle."), [], 422)
    by_level = {level: sum(puzzle.level == level for puzzle in found) for level in bank.LEVELS}
    template = "curation/_preview.html" if wants_fragment() else "curation/preview.html"
    return render_template(
        template,
        action=action,
        choices=choices,
        by_level={level: count for level, count in by_level.items() if count},
        most=curation.MOST_DECIDED if len(choices) == curation.MOST_DECIDED else None,
        back=_back(),
    )


def _answer(action: str, done: Done, count: int | None = None) -> Answer:
    """Report what was done to so many puzzles: the updated rows, and an undo button for ten seconds."""
    count = len(done.ids) if count is None else count
    if not wants_fragment():
        done_text = f"{action}:{count}:{','.join(map(str, done.entries))}"
        back = _back()
        return redirect(f"{back}{'&' if '?' in back else '?'}done={done_text}", 303)
    rows = views_of(curation.puzzles(done.ids[: curation.PER_PAGE]))
    return render_template(
        "curation/queue/_decided.html",
        rows=rows,
        done=_toast(action, count, done.entries),
        counts=curation.counts(),
    )


def _toast(action: str, count: int, entries: list[int]) -> dict[str, object]:
    words = {
        "approve": ngettext("One puzzle approved.", "%(num)s puzzles approved.", count),
        "reject": ngettext("One puzzle rejected.", "%(num)s puzzles rejected.", count),
        "tag": ngettext("One puzzle tagged.", "%(num)s puzzles tagged.", count),
        "untag": ngettext("Removed the tag from one puzzle.", "Removed the tag from %(num)s puzzles.", count),
        "undo": ngettext("One decision undone.", "%(num)s decisions undone.", count),
    }
    return {"words": words[action], "entries": entries, "back": _back(), "wrong": False}


def _refused(message: str, ids: list[int], status: int) -> Answer:
    """Report why nothing was done, with the current rows."""
    toast = {"words": message, "entries": [], "back": _back(), "wrong": True}
    if not wants_fragment():
        return _queue(toast), status
    rows = views_of(curation.puzzles(ids))
    return render_template(
        "curation/queue/_decided.html", rows=rows, done=toast, counts=curation.counts()
    ), status


def _back() -> str:
    """Return the desk page that the form came from, from its hidden field."""
    return desk_page(request.form.get("back"))


def _queue(toast: dict[str, object] | None = None) -> str:
    sight, wrong = _sight()
    query = [(name, value) for name, value in request.args.items(multi=True) if name != "done"]
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
        sorts={key: sight.by(key).address() for key in finding.SORTS},
        statuses={status: sight.of(status).address() for status in CURATED},
        everything=sight.of(None).address(),
        query=urlsplit(sight.address()).query,
        saved=tagging.searches(curator()),
        tags=traits.all_tags(),
        symmetries=[(each, symmetry_words([Symmetry(each)])) for each in filters.SYMMETRIES],
        made=[(each, made_words(each)) for each in filters.MADE],
        all_techniques=[(key, technique_name(key)) for key in engine.TECHNIQUES],
        counts=curation.counts(),
        techniques=curation.hardest_of(sight.filters.status),
        export=url_for("admin.importing.show", **address_of(sight.filters), _anchor="take"),
        done=toast or toast_before(with_query(url_for(".show"), query)),
    )


def toast_before(back: str) -> dict[str, object] | None:
    """Return the message for the page after a redirect; undo returns to `back`."""
    action, _colon, rest = request.args.get("done", "").partition(":")
    text, _colon, entries = rest.partition(":")
    count = row_number(text)
    if action not in (*curation.TO, *TAGS, "undo") or count is None:
        return None
    toast = _toast(action, count, _numbers(entries.split(",")))
    return toast | {"back": back}


def _sight() -> tuple[Sight, dict[str, str]]:
    """Return the view requested by the address, and the errors by field."""
    found, wrong = filters.read()
    if found.status is None and request.args.get("status") != filters.ALL:
        found = replace(found, status=Status.CANDIDATE)
    sort = request.args.get("sort", "")
    key = sort.removeprefix("-")
    return Sight(found, key, sort.startswith("-")) if key in finding.SORTS else Sight(found), wrong
