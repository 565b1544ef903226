"""Filters in the address, shared by the queue, the export form and exports."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any
from urllib.parse import parse_qsl

from flask import request
from werkzeug.datastructures import MultiDict

import engine
from engine.generation import METHODS, Symmetry
from webapp.bank import bank, traits
from webapp.bank.selection import CURATED, IMPORTED, Filters
from webapp.process.errors import BadInput
from webapp.process.words import gettext as _
from webapp.web.inputs import NUL, row_number

ALL = "all"  # as a status
MOST_FIELDS = 1000  # in a query
MOST = 10_000  # upper bound of numeric filters
SYMMETRIES = tuple(symmetry.value for symmetry in Symmetry if symmetry is not Symmetry.NONE)
MADE = (*METHODS, bank.DRAWN, bank.VARIED, IMPORTED)
# The filters of an address except lists and checkboxes.
NAMES = (
    *("status", "level", "hardest", "er_from", "er_to", "minutes_from", "minutes_to", "order", "batch"),
    *("uses", "symmetry", "givens_from", "givens_to", "made", "told", "tag", "like"),
)

FLAGS = ("twins",)  # "1" or absent


def of_query(query: str) -> Filters:
    """Parse the query string of a queue address. Raises BadInput if it is invalid."""
    try:
        fields = parse_qsl(query, max_num_fields=MOST_FIELDS)
    except ValueError:
        fields = [("", NUL)]
    if any(NUL in value for _name, value in fields):  # decoding revealed a NUL
        raise BadInput(query=_("We couldn’t read this search."))
    return valid(MultiDict(fields))


def valid(args: MultiDict[str, str] | None = None) -> Filters:
    """Return the filters of this request, or of these parameters. Raises BadInput naming invalid ones."""
    found, wrong = read(args)
    if wrong:
        raise BadInput(**wrong)
    return found


class _Sent:
    """The parameters of a search, parsed by type, and the errors by field."""

    def __init__(self, args: MultiDict[str, str]) -> None:
        self._args = args
        self.wrong: dict[str, str] = {}

    def measured(self, name: str) -> float | None:
        text = self._args.get(name, "").strip().replace(",", ".")
        try:
            value = float(text) if text else None
        except ValueError:
            value = math.nan
        if value is None or 0 <= value <= MOST:
            return value
        self._refuse(name, text)
        return None

    def whole(self, name: str) -> int | None:
        text = self._args.get(name, "").strip()
        number = row_number(text)
        if text and number is None:
            self._refuse(name, text)
        return number

    def word(self, name: str, known: Callable[[str], bool]) -> str | None:
        text = self._args.get(name, "").strip()
        if text and not known(text):
            self.wrong[name] = _("“%(found)s” isn’t a valid choice here.", found=text[:40])
        return text if text and name not in self.wrong else None

    def grid(self, name: str) -> str | None:
        """Return the line of a puzzle with one solution."""
        text = self._args.get(name, "").strip()
        if not text:
            return None
        try:
            grid = engine.parse(text)
        except engine.PuzzleFormatError as error:
            self.wrong[name] = _("Couldn’t read this: %(reason)s", reason=str(error))
            return None
        if engine.verdict(grid) is engine.Verdict.UNIQUE:
            return str(grid)
        self.wrong[name] = _("That grid doesn’t have exactly one solution.")
        return None

    def _refuse(self, name: str, text: str) -> None:
        self.wrong[name] = _("“%(found)s” isn’t a valid number here.", found=text[:20])


def read(args: MultiDict[str, str] | None = None) -> tuple[Filters, dict[str, str]]:
    """Return the filters of this request, or of these parameters, and the errors by field.

    Invalid filters are ignored; `status=all` means no status.
    """
    args = request.args if args is None else args
    sent = _Sent(args)
    wrong, measured, whole, word = sent.wrong, sent.measured, sent.whole, sent.word
    level = whole("level")
    if level is not None and level not in bank.LEVELS:
        wrong["level"], level = _("Levels go from 1 to 5."), None
    like = sent.grid("like")
    numbers = args.getlist("puzzle")
    ids = [number for number in map(row_number, numbers) if number is not None]
    if len(ids) < len(numbers):
        wrong["puzzle"] = _("puzzle: expected numbers")
    filters = Filters(
        status=None if args.get("status") == ALL else word("status", set(map(str, CURATED)).__contains__),
        level=level,
        hardest=word("hardest", engine.TECHNIQUES.__contains__),
        er_from=measured("er_from"),
        er_to=measured("er_to"),
        minutes_from=measured("minutes_from"),
        minutes_to=measured("minutes_to"),
        order=whole("order"),
        batch=whole("batch"),
        uses=word("uses", engine.TECHNIQUES.__contains__),
        symmetry=word("symmetry", SYMMETRIES.__contains__),
        givens_from=whole("givens_from"),
        givens_to=whole("givens_to"),
        made=word("made", MADE.__contains__),
        told=args.get("told", "").strip()[: traits.LONGEST] or None,
        tag=args.get("tag", "").strip()[: traits.LONGEST] or None,
        like=like,
        twins=args.get("twins") == "1",
        ids=tuple(ids),
    )
    return filters, wrong


def address_of(filters: Filters) -> dict[str, Any]:
    """Return the query parameters of these filters, without empty ones."""
    values = {name: getattr(filters, name) for name in NAMES}
    query: dict[str, str | list[str]] = {
        name: f"{value:g}" if isinstance(value, float) else str(value)
        for name, value in values.items()
        if value is not None
    }
    query |= {name: "1" for name in FLAGS if getattr(filters, name)}
    if filters.ids:
        query["puzzle"] = [str(number) for number in filters.ids]
    return query
