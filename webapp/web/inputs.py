"""Input checks for every address and form, done before any route runs; and how addresses write days."""

from __future__ import annotations

import re
from datetime import date
from itertools import chain
from typing import Any

from flask import Flask, abort, request
from werkzeug.routing import IntegerConverter

from webapp.process.words import gettext as _

LARGEST = 2**31 - 1  # the limit of an integer column
DIGITS = re.compile(r"[0-9]{1,10}")
DAY = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)
MONTH = re.compile(r"\d{4}-\d\d", re.ASCII)
NUL = "\0"  # PostgreSQL text columns reject it


class RowNumber(IntegerConverter):
    """Numbers of rows in addresses (`<int:...>`); those beyond the column's limit are not found."""

    regex = DIGITS.pattern

    def __init__(self, *args: Any, **options: Any) -> None:
        options.setdefault("max", LARGEST)
        super().__init__(*args, **options)


def init_app(app: Flask) -> None:
    """Register the number converter and the check before every request; call before adding routes."""
    app.url_map.converters["int"] = RowNumber

    @app.before_request
    def refuse_nul() -> None:
        path = ((name, str(value)) for name, value in (request.view_args or {}).items())
        for name, text in chain(path, request.args.items(multi=True), request.form.items(multi=True)):
            if NUL in name or NUL in text:
                shown = name.replace(NUL, "")[:40]
                abort(400, _("%(name)s: remove the NUL character.", name=shown))


def row_number(text: str) -> int | None:
    """Parse a number from 0 to LARGEST; None if invalid."""
    number = int(text) if DIGITS.fullmatch(text) else LARGEST + 1
    return number if number <= LARGEST else None


def read_day(text: str) -> date | None:
    """Parse a day; None if invalid, such as 2026-02-30."""
    if not DAY.fullmatch(text):
        return None
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None


def read_month(text: str) -> date | None:
    """Parse a month into its first day; None if invalid."""
    return read_day(f"{text}-01") if MONTH.fullmatch(text) else None
