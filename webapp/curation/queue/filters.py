"""Filters in the address, shared by the queue, the export form and exports."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from flask import request

import engine
from webapp.bank import bank
from webapp.bank.selection import CURATED, Filters
from webapp.process.words import gettext as _
from webapp.web.inputs import row_number

MOST = 10_000  # upper bound of numeric filters


def read() -> tuple[Filters, dict[str, str]]:
    """Return the filters of this request, and the errors by field; invalid filters are ignored."""
    args, wrong = request.args, {}

    def measured(name: str) -> float | None:
        text = args.get(name, "").strip().replace(",", ".")
        try:
            value = float(text) if text else None
        except ValueError:
            value = math.nan
        if value is None or 0 <= value <= MOST:
            return value
        refuse(name, text)
        return None

    def whole(name: str) -> int | None:
        text = args.get(name, "").strip()
        number = row_number(text)
        if text and number is None:
            refuse(name, text)
        return number

    def refuse(name: str, text: str) -> None:
        wrong[name] = _("“%(found)s” isn’t a valid number here.", found=text[:20])

    def word(name: str, known: Callable[[str], bool]) -> str | None:
        text = args.get(name, "").strip()
        if text and not known(text):
            wrong[name] = _("“%(found)s” isn’t a valid choice here.", found=text[:40])
        return text if text and name not in wrong else None

    level = whole("level")
    if level is not None and level not in bank.LEVELS:
        wrong["level"], level = _("Levels go from 1 to 5."), None
    numbers = args.getlist("puzzle")
    ids = [number for number in map(row_number, numbers) if number is not None]
    if len(ids) < len(numbers):
        wrong["puzzle"] = _("puzzle: expected numbers")
    filters = Filters(
        status=word("status", set(map(str, CURATED)).__contains__),
        level=level,
        hardest=word("hardest", engine.TECHNIQUES.__contains__),
        er_from=measured("er_from"),
        er_to=measured("er_to"),
        minutes_from=measured("minutes_from"),
        minutes_to=measured("minutes_to"),
        order=whole("order"),
        batch=whole("batch"),
        twins=args.get("twins") == "1",
        ids=ids,
    )
    return filters, wrong


def address_of(filters: Filters) -> dict[str, Any]:
    """Return the query parameters of these filters, without empty ones."""
    names = ("status", "level", "hardest", "er_from", "er_to", "minutes_from", "minutes_to", "order", "batch")
    values = {name: getattr(filters, name) for name in names}
    query: dict[str, str | list[str]] = {
        name: f"{value:g}" if isinstance(value, float) else str(value)
        for name, value in values.items()
        if value is not None
    }
    if filters.twins:
        query["twins"] = "1"
    if filters.ids:
        query["puzzle"] = [str(number) for number in filters.ids]
    return query
