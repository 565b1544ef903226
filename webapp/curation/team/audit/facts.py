"""The facts of an entry of the audit log, and their days and slots in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from webapp.process.words import comma, format_date
from webapp.web.i18n import level_name
from webapp.web.inputs import read_day

Facts = Mapping[str, Any]


def day_text(text: object) -> str:
    """Format a stored day."""
    day = read_day(str(text))
    return str(text) if day is None else format_date(day, "EEE, MMM d, y")


def slot_text(facts: Facts) -> str:
    """Return the day and level of a schedule, such as “Sun, Mar 1, 2026, Easy”."""
    level = facts.get("level")
    return comma().join(filter(None, [day_text(facts.get("date")), level_name(level) if level else ""]))
