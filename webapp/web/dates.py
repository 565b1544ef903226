"""Days and months as addresses spell them: 2026-03-01 and 2026-03, and nothing else."""

from __future__ import annotations

import re
from datetime import date

DAY = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)
MONTH = re.compile(r"\d{4}-\d\d", re.ASCII)


def read_day(text: str) -> date | None:
    """The day a text spells; None where it spells none, such as 2026-02-30."""
    if not DAY.fullmatch(text):
        return None
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None


def read_month(text: str) -> date | None:
    """The first day of the month a text spells; None where it spells none."""
    return read_day(f"{text}-01") if MONTH.fullmatch(text) else None
