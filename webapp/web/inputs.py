"""What no address and no form may hold, whoever asks: refused once, before any route looks."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from flask import Flask, abort, request
from werkzeug.routing import IntegerConverter

from webapp.process.words import gettext as _

LARGEST = 2**31 - 1  # of the numbers that name rows: what an integer column holds
DIGITS = re.compile(r"[0-9]{1,10}")
NUL = "\0"  # no text column of PostgreSQL takes it


class RowNumber(IntegerConverter):
    """`<int:...>` of an address; what no row can have is no address of ours."""

    regex = DIGITS.pattern

    def __init__(self, *args: Any, **options: Any) -> None:
        options.setdefault("max", LARGEST)
        super().__init__(*args, **options)


def init_app(app: Flask) -> None:
    """Bind the numbers of addresses, and hang the check before every request; before routes are made."""
    app.url_map.converters["int"] = RowNumber

    @app.before_request
    def refuse_nul() -> None:
        for name, text in _given():
            if NUL in name or NUL in text:
                shown = name.replace(NUL, "")[:40]
                abort(400, _("%(name)s: remove the NUL character.", name=shown))


def row_number(text: str) -> int | None:
    """The number that a field or a query spells, 0 to LARGEST; None where it spells none."""
    number = int(text) if DIGITS.fullmatch(text) else LARGEST + 1
    return number if number <= LARGEST else None


def _given() -> Iterator[tuple[str, str]]:
    """Every parameter of this request: of its path, its query and its form."""
    yield from ((name, str(value)) for name, value in (request.view_args or {}).items())
    yield from request.args.items(multi=True)
    yield from request.form.items(multi=True)
