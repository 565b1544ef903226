"""Verdict: how many solutions a grid has, as far as anybody needs to know."""

from __future__ import annotations

from enum import Enum


class Verdict(Enum):
    """A contradiction is an answer, not an error."""

    NONE = "none"
    UNIQUE = "unique"
    MULTIPLE = "multiple"
