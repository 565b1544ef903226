"""Parse days and months in addresses: 2026-03-01 and 2026-03, and nothing else."""

from __future__ import annotations

import re
from datetime import date

DAY = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)
MONTH = re.compile(r"\d{4}-\d\d", re.ASCII)


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
