"""Routes of orders: the form, progress, cancel and resume."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from datetime import timedelta
from typing import Any

from flask import Blueprint, redirect, render_template, request, url_for
from markupsafe import Markup
from werkzeug.datastructures import MultiDict
from werkzeug.wrappers import Response

import engine
from engine.generation import ANY, FEWEST, METHODS, Symmetry
from webapp.curation.orders import methods, orders, refusals
from webapp.curation.orders.methods import (
    method_name,
    solved_grid_name,
    symmetry_name,
)
from webapp.curation.orders.orders import Wish
from webapp.curation.team.access import CODE, PASSWORD, curator
from webapp.game.steps.names import order_name, orders_of_digging, technique_name
from webapp.models import Order
from webapp.process.clock import now
from webapp.process.errors import BadInput
from webapp.process.words import comma, format_decimal, ngettext
from webapp.process.words import gettext as _
from webapp.web.htmx import wants_fragment
from webapp.web.i18n import level_name
from webapp.web.i18n.lists import listed
from webapp.web.inputs import row_number

bp = Blueprint("orders", __name__)

EACH = "each"  # value of the field `level`: alternate between levels
RANGES = {"er": (1.0, 12.0), "minutes": (0.0, 1440.0)}  # the values of open ends
DEFAULTS = {"count": "50", "budget": "10", "level": "3", "symmetry": ANY, "method": "dig_hole"}
# Form fields whose name differs from the recipe field.
FIELD_OF = {"er": "er_from", "minutes": "minutes_from"}
TEXTS = {  # text fields, and their values without a requirement
    "hardest": "",
    "symmetry": "none",
    "method": "dig_hole",
    "solved_grid": "",
    "order": "",
}
TRANSFORMS = {"": None, "yes": True, "no": False}
FIELDS = {
    *TEXTS,
    *(f"{name}_{end}" for name in RANGES for end in ("from", "to")),
    *("count", "budget", "seed", "level", "paper_level", "cells", "transform", "must", "must_not"),
    *("fewest_givens", "most_givens", "minimal", "pattern"),
    *("csrf_token", PASSWORD, CODE),
}
FORM = "form"  # key of an error about the whole form
_NUMBER = re.compile(r"\d{1,4}([.,]\d{1,3})?")


@bp.get("/orders")
def show() -> str:
    """Show the form, prefilled from order `?like=` or the curator's last one, and the latest orders."""
    like, count = row_number(request.args.get("like", "")), request.args.get("count")
    order = orders.of_id(like) if like is not None else orders.last(curator())
    values = DEFAULTS if order is None else _values(order)
    return _page(MultiDict(values | ({"count": count} if count else {})), {})


@bp.post("/orders")
def place() -> Response | tuple[str, int]:
    """Place an order."""
    person = curator()
    try:
        order_id = orders.place(_wish(request.form), person, now(), refusals.in_words)
    except BadInput as error:
        fields = {FIELD_OF.get(name, name): text for name, text in error.fields.items()}
        return _page(request.form, fields), 422
    return redirect(url_for("admin.orders.show", _anchor=f"job-{order_id}"), 303)


@bp.get("/orders/<int:order_id>/progress")
def progress(order_id: int) -> str | Response:
    """Show an order's progress; the fragment polls until the order has ended."""
    order = orders.of_id(order_id)
    if not wants_fragment():
        return redirect(url_for("admin.orders.show", _anchor=f"job-{order_id}"), 303)
    return render_template("curation/orders/_order.html", order=order, recipe=in_words(order))


@bp.post("/orders/<int:order_id>/cancel")
def cancel(order_id: int) -> str | Response:
    """Cancel an order and keep its puzzles."""
    orders.cancel(order_id, curator(), now())
    return progress(order_id)


@bp.post("/orders/<int:order_id>/resume")
def resume(order_id: int) -> str | Response:
    """Resume an order that ended early."""
    orders.resume(order_id, curator(), now())
    return progress(order_id)


def _page(values: MultiDict[str, str], errors: Mapping[str, str]) -> str:
    return render_template(
        "curation/orders/orders.html",
        values=values,
        errors=errors,
        orders=[(order, in_words(order)) for order in orders.latest()],
        techniques=[(key, technique_name(key)) for key in engine.TECHNIQUES],
        symmetries=[(key, symmetry_name(key)) for key in (ANY, *(each.value for each in Symmetry))],
        methods=[(key, method_name(key)) for key in METHODS],
        paper_levels=[(level, level) for level in methods.paper_levels()],
        solved_grids=methods.solved_grids(),
        orders_of_digging=orders_of_digging(),
        about=methods.method_views(),
    )


def _wish(form: MultiDict[str, str]) -> Wish:
    """Parse the form. Raises BadInput naming every invalid field."""
    reader = _Reader(form)
    unknown = sorted({name[:40] for name in form if name not in FIELDS})
    if unknown:
        names = comma().join(f"“{name}”" for name in unknown)
        reader.wrong[FORM] = _("This form has no field %(names)s. Nothing was ordered.", names=names)
    recipe: dict[str, Any] = {}
    level = form.get("level", "")
    if level == EACH:
        recipe[orders.LEVELS] = [1, 2, 3, 4, 5]
    elif level:
        recipe["level"] = reader.whole("level")
    for name in RANGES:
        if (ends := reader.ends(name)) is not None:
            recipe[name] = ends
    for name in ("must", "must_not"):
        if chosen := form.getlist(name):
            recipe[name] = chosen
    for name, default in TEXTS.items():
        if form.get(name, default) not in ("", default):
            recipe[name] = form[name]
    for name in ("paper_level", "cells"):
        if form.get(name, "").strip():
            recipe[name] = reader.whole(name)
    if (transform := reader.one_of("transform", TRANSFORMS)) is not None:
        recipe["transform"] = transform
    recipe |= reader.givens()
    if reader.one_of("minimal", {"": False, "0": False, "1": True}):
        recipe["minimal"] = True
    if (pattern := reader.pattern()) is not None:
        recipe["pattern"] = pattern
    seed = reader.whole("seed") if form.get("seed", "").strip() else None
    wish = Wish(recipe, reader.whole("count"), timedelta(minutes=reader.number("budget")), seed)
    if reader.wrong:
        raise BadInput(**reader.wrong)
    return wish


class _Reader:
    """Reads form fields as numbers; `wrong` collects the invalid ones."""

    def __init__(self, form: MultiDict[str, str]) -> None:
        self._form = form
        self.wrong: dict[str, str] = {}

    def whole(self, name: str) -> int:
        text = self._form.get(name, "").strip()
        if not text.isascii() or not text.isdigit() or len(text) > 19:
            self.wrong[name] = _("Enter a whole number.")
            return 1
        return int(text)

    def number(self, name: str) -> float:
        text = self._form.get(name, "").strip()
        if not text.isascii() or _NUMBER.fullmatch(text) is None:
            self.wrong[name] = _("Enter a number such as 2.5.")
            return 1.0
        return float(text.replace(",", "."))

    def one_of(self, name: str, values: Mapping[str, bool | None]) -> bool | None:
        text = self._form.get(name, "")
        if text not in values:
            words = comma().join(f"“{each}”" for each in values if each)
            self.wrong[name] = _("Expected one of %(words)s, found “%(text)s”.", words=words, text=text[:40])
            return None
        return values[text]

    def ends(self, name: str) -> list[float] | None:
        """Return the ends of a range, one of which may be open; None if both are."""
        given = {end: bool(self._form.get(f"{name}_{end}", "").strip()) for end in ("from", "to")}
        if not any(given.values()):
            return None
        least, most = RANGES[name]
        low = self.number(f"{name}_from") if given["from"] else least
        high = self.number(f"{name}_to") if given["to"] else most
        for end, value in (("from", low), ("to", high)):
            self.within(f"{name}_{end}", value, least, most)
        self.in_order(f"{name}_from", low, f"{name}_to", high)
        return [low, high]

    def givens(self) -> dict[str, int]:
        """Return the lowest and highest number of givens, if specified."""
        names = "fewest_givens", "most_givens"
        found = {name: self.whole(name) for name in names if self._form.get(name, "").strip()}
        for name, value in found.items():
            self.within(name, value, FEWEST, 81)
        fewest, most = (found.get(name) for name in names)
        if fewest is not None and most is not None:
            self.in_order("fewest_givens", fewest, "most_givens", most)
        return found

    def within(self, name: str, value: float, least: float, most: float) -> None:
        """Record an error for a number outside a range."""
        if name not in self.wrong and not least <= value <= most:
            words = _("Enter a number from %(least)s to %(most)s.", least=f"{least:g}", most=f"{most:g}")
            self.wrong[name] = words

    def in_order(self, low: str, value: float, high: str, most: float) -> None:
        """Record an error for a range with its ends reversed, if both are valid."""
        if value > most and not self.wrong.keys() & {low, high}:
            labels = {
                "er_to": _("ER to"),
                "minutes_to": _("Expected minutes to"),
                "most_givens": _("Most givens"),
            }
            self.wrong[low] = _("Use a number no higher than %(field)s.", field=labels[high])

    def pattern(self) -> list[int] | None:
        """Return the cells of a pattern: 81 characters, with '.', '0' or '-' for empty cells."""
        text = "".join(self._form.get("pattern", "").split())
        if not text:
            return None
        if len(text) != 81:
            self.wrong["pattern"] = _("Enter 81 cells. You entered %(count)s.", count=len(text))
            return None
        return [cell for cell, character in enumerate(text) if character not in ".0-_"]


def _values(order: Order) -> dict[str, Any]:
    """Return the form values of an order."""
    recipe = json.loads(order.recipe)
    values: dict[str, Any] = {**DEFAULTS, "level": ""}
    values |= {"count": str(order.count), "budget": f"{order.budget_seconds / 60:g}"}
    for name, value in recipe.items():
        if name == orders.LEVELS:
            values["level"] = EACH
        elif name in RANGES:
            values[f"{name}_from"], values[f"{name}_to"] = (f"{end:g}" for end in value)
        elif name == "pattern":
            values[name] = "".join("x" if cell in value else "." for cell in range(81))
        elif name == "transform":
            values[name] = "yes" if value else "no"
        elif isinstance(value, list):
            values[name] = value
        else:
            values[name] = str(value)
    return values


def _lesson(key: str) -> Markup:
    """Return a technique's name, linked to its lesson."""
    to = url_for("lessons.show", key=key)
    return Markup('<a class="technique" href="{}">{}</a>').format(to, technique_name(key))


def _lessons(keys: Iterable[str]) -> Markup:
    return listed(list(map(_lesson, keys)))


def in_words(order: Order) -> list[str]:
    """Describe an order in words, one requirement at a time."""
    recipe = json.loads(order.recipe)
    words = []
    if orders.LEVELS in recipe:
        words.append(_("each level in turn"))
    if "level" in recipe:
        words.append(level_name(recipe["level"]))
    if "er" in recipe:
        low, high = recipe["er"]
        words.append(_("ER %(low)s to %(high)s", low=f"{low:g}", high=f"{high:g}"))
    if "minutes" in recipe:
        low, high = recipe["minutes"]
        words.append(_("%(low)s to %(high)s minutes", low=format_decimal(low), high=format_decimal(high)))
    if "hardest" in recipe:
        words.append(Markup(_("hardest %(name)s")) % {"name": _lesson(recipe["hardest"])})
    if "must" in recipe:
        words.append(Markup(_("with %(names)s")) % {"names": _lessons(recipe["must"])})
    if "must_not" in recipe:
        words.append(Markup(_("without %(names)s")) % {"names": _lessons(recipe["must_not"])})
    if "symmetry" in recipe:
        name = symmetry_name(recipe["symmetry"])
        required = recipe["symmetry"] != Symmetry.NONE
        words.append(_("symmetry: %(name)s", name=name) if required else _("no symmetry required"))
    if "pattern" in recipe:
        words.append(_("a pattern of %(count)s givens", count=len(recipe["pattern"])))
    if "fewest_givens" in recipe:
        words.append(_("at least %(count)s givens", count=recipe["fewest_givens"]))
    if "most_givens" in recipe:
        words.append(_("at most %(count)s givens", count=recipe["most_givens"]))
    if "minimal" in recipe:
        words.append(_("minimal"))
    if "method" in recipe:
        words.append(_("method: %(name)s", name=method_name(recipe["method"])))
    if "paper_level" in recipe:
        words.append(_("paper level %(level)s", level=recipe["paper_level"]))
    if "solved_grid" in recipe:
        words.append(_("solved grid: %(name)s", name=solved_grid_name(recipe["solved_grid"])))
    if "cells" in recipe:
        words.append(
            ngettext(
                "%(num)s random cell to begin with", "%(num)s random cells to begin with", recipe["cells"]
            )
        )
    if "order" in recipe:
        words.append(_("dug in order: %(name)s", name=order_name(recipe["order"])))
    if "transform" in recipe:
        words.append(_("transformed") if recipe["transform"] else _("not transformed"))
    return words or [_("any puzzle")]
