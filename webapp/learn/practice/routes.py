"""Practice of the techniques on the path: `/practice`, and a fresh drill at each visit of `/practice/KEY`."""

from __future__ import annotations

from typing import Any, Final

from flask import Blueprint, render_template, request

from webapp.bank import bank
from webapp.game.steps import StepView, technique_name
from webapp.game.steps.parts import House
from webapp.learn import judging, marks, positions
from webapp.learn.lessons import path, progress
from webapp.learn.lessons.pictures import LATTICE
from webapp.learn.lessons.progress import State
from webapp.learn.lessons.views import Line, path_name
from webapp.learn.marks import MarkingBoard
from webapp.learn.path import house_name
from webapp.learn.practice import drills
from webapp.learn.practice.drills import Drill, Kind
from webapp.process.clock import now
from webapp.process.errors import BadInput, NotFound
from webapp.process.words import gettext as _
from webapp.web.auth import current_player_id, remember
from webapp.web.htmx import Answer, wants_fragment

bp = Blueprint("practice", __name__)

ENOUGH: Final = 5  # drills of a technique


@bp.get("/practice")
def index() -> str:
    """List the techniques of the path with how many drills were right."""
    known = progress.of_player(current_player_id())
    tiers: dict[int, list[dict[str, Any]]] = {tier: [] for tier in path.PATH}
    for tier, found in tiers.items():
        for key in path.techniques():
            if key in path.keys_of(tier):
                row = known.get(key)
                drills, right = (row.drills or 0, row.right or 0) if row is not None else (0, 0)
                about = {"key": key, "name": technique_name(key), "hue": _hue(tier), "drills": drills}
                found.append(about | {"right": right, "pips": min(right, ENOUGH)})
    todo = ((tier, each) for tier, found in tiers.items() for each in found if each["pips"] < ENOUGH)
    at, chosen = next(todo, (1, None))
    return render_template(
        "learn/practice/index.html",
        tiers=[(path_name(tier), _hue(tier), tier == at, found) for tier, found in tiers.items() if found],
        next=chosen,
        drawn=Line(chosen["key"], chosen["name"]).picture if chosen else None,
        empty=LATTICE,
    )


def _hue(tier: int) -> int:
    return min(tier, 5)


@bp.get("/practice/<key>")
def drill(key: str) -> str:
    """Give a drill of the kind `?kind=`: find, name or there."""
    try:
        positions.of(key)
    except KeyError:
        raise NotFound(_("There are no drills for that technique.")) from None
    kinds = drills.kinds_of(key)
    kind = request.args.get("kind", "")
    return _page(drills.drawn(key, Kind(kind) if kind in kinds else kinds[0]))


@bp.post("/practice/<key>")
def answer(key: str) -> Answer:
    """Assess the answer to a drill: `marks`, `name` or `there`, or none of them to give up."""
    asked = drills.read(request.form.get("drill", ""))
    if asked.technique != key:
        raise NotFound(_("That drill isn’t available anymore. Take the next one."))
    form = request.form
    given, said = marks.NONE, _("Here’s how")
    lines: list[str] = []
    right = False
    if "show" not in form:
        if asked.kind is Kind.FIND:
            try:
                given = marks.read(form.get("marks", ""), asked.position)
            except BadInput as error:
                if wants_fragment():
                    return render_template("learn/_unread.html", message=error.fields["marks"]), 422
                return _page(asked, errors=error.fields), 422
            judgment = judging.judge(asked.position, key, given, asked.steps)
            right, lines = judgment.right, [judgment.text, *judgment.wrong.values()]
        elif asked.kind is Kind.NAME:
            right = form.get("name") == key
            lines = [technique_name(key)]
        else:
            right = form.get("there") == ("0" if asked.step is None else "1")
            lines = [_("It’s there.") if asked.step is not None else _("It isn’t there.")]
        said = _("Right") if right else _("Not quite")
    created = progress.record(current_player_id(), key, State.SEEN, now(), right=right)
    if created is not None:
        remember(created)
    return _page(asked, outcome="right" if right else "wrong", said=said, lines=lines, given=given)


def _page(asked: Drill, *, given: marks.Marks = marks.NONE, **about: Any) -> str:
    key, step = asked.technique, asked.step
    answered = "outcome" in about
    view = None if step is None else StepView(step, asked.position)
    where = ""  # the marked house or digit
    if asked.kind is Kind.THERE:
        of_a_digit = key in drills.OF_A_DIGIT
        where = str(asked.about) if of_a_digit else house_name(House(asked.about))
    known = progress.of_player(current_player_id()).get(key)
    return render_template(
        "learn/practice/_drill.html" if wants_fragment() else "learn/practice/drill.html",
        drill=asked,
        name=technique_name(key),
        kinds=drills.kinds_of(key),
        board=MarkingBoard(asked.position, given),
        overlay=view.overlay if answered and view is not None else asked.overlay,
        step=view,
        where=where,
        places=step is not None and bool(step.placements),
        options=[(each, technique_name(each)) for each in asked.choices] if asked.kind is Kind.NAME else [],
        progress=known,
        whole=key in bank.ASKED_FOR,
        **about,
    )
