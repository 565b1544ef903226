"""Shared by the API's routes: pages of rows, JSON bodies, times."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

import sqlalchemy as sa
from flask import request
from werkzeug.exceptions import BadRequest

from engine import formats
from webapp.models import Import, Order
from webapp.process.database import db
from webapp.process.errors import BadInput
from webapp.process.words import gettext as _
from webapp.web.inputs import LARGEST, read_day, row_number

PER_PAGE = 50


@dataclass(frozen=True, slots=True)
class Page:
    """Some of many rows; `number` is from 1."""

    items: Sequence[Any]
    number: int
    pages: int

    def json(self, item: Callable[[Any], dict[str, Any]]) -> dict[str, Any]:
        """Return the page as JSON."""
        return {"items": list(map(item, self.items)), "page": self.number, "pages": self.pages}


def latest(rows: type[Import | Order]) -> Page:
    """Return page `?page=` of these rows, newest first."""
    parameters("page")
    number = page_asked()
    total = db.session.scalar(sa.select(sa.func.count()).select_from(rows)) or 0
    newest = sa.select(rows).order_by(rows.id.desc()).offset((number - 1) * PER_PAGE).limit(PER_PAGE)
    return Page(db.session.scalars(newest).all(), number, max(1, -(-total // PER_PAGE)))


def parameters(*single: str, many: str | None = None) -> None:
    """Raise BadInput for a parameter of this address that isn't one of these, or that is repeated."""
    for name, values in request.args.lists():
        if name not in (*single, many):
            raise BadInput(
                **{name[:40]: _("We don’t know %(names)s. Nothing was done.", names=f"“{name[:40]}”")}
            )
        if name != many and len(values) > 1:
            raise BadInput(**{name: _("%(name)s: expected one value", name=name)})


def page_asked() -> int:
    """Return `?page=`, by default the first. Raises BadInput."""
    number = row_number(request.args.get("page", "1"))
    if not number or number > LARGEST // PER_PAGE:
        raise BadInput(page=_("page: expected a number from 1"))
    return number


def body(known: Sequence[str]) -> dict[str, Any]:
    """Return the JSON object of this request. Raises BadInput for anything else, and for unknown fields."""
    try:
        found = formats.loads(request.get_data(as_text=True)) if request.is_json else request.get_json()
    except ValueError:
        raise BadRequest from None
    if not isinstance(found, dict):
        raise BadInput(body=_("Send a JSON object."))
    unknown = sorted(set(found) - set(known))
    if unknown:
        names = ", ".join(f"“{name[:40]}”" for name in unknown)
        raise BadInput(body=_("We don’t know %(names)s. Nothing was done.", names=names))
    return found


def whole(fields: dict[str, Any], name: str, default: int | None = None) -> int:
    """Return a field of a body that holds a whole number. Raises BadInput."""
    value = fields.get(name)
    if value is None and default is not None:
        return default
    if isinstance(value, bool) or not isinstance(value, int):
        raise BadInput(**{name: _("%(name)s: expected a whole number", name=name)})
    return value


def text(fields: dict[str, Any], name: str) -> str:
    """Return a field of a body that holds a text. Raises BadInput."""
    value = fields.get(name)
    if not isinstance(value, str):
        raise BadInput(**{name: _("%(name)s: expected a text", name=name)})
    return value


def puzzle_number(fields: dict[str, Any], name: str) -> int:
    """Return a field of a body that holds the number of a puzzle. Raises BadInput."""
    number = whole(fields, name)
    if not 0 <= number <= LARGEST:
        raise BadInput(**{name: _("%(name)s: expected the number of a puzzle", name=name)})
    return number


def day_of(text: str) -> date:
    """Return the day in an address or a body. Raises BadInput."""
    day = read_day(text)
    if day is None:
        raise BadInput(
            date=_("%(name)s: expected one like 2026-03-01, found “%(found)s”", name="date", found=text[:20])
        )
    return day


def moment(at: datetime | None) -> str | None:
    """Return a time as ISO 8601."""
    return None if at is None else at.isoformat()
