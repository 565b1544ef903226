"""Verdict: no solution, one, or several."""

from __future__ import annotations

from enum import Enum


class Verdict(Enum):
    """How many solutions a puzzle has. A contradiction is a result, not an error.

    >>> from engine import Verdict, parse, verdict
    >>> verdict(parse("11" + 79 * ".")) is Verdict.NONE
    True
    """

    NONE = "none"
    UNIQUE = "unique"
    MULTIPLE = "multiple"
