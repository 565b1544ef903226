"""Argument types that several subcommands share."""

from __future__ import annotations

from argparse import ArgumentTypeError
from collections.abc import Callable
from math import inf


def number(words: str, low: int = 0, high: float = inf) -> Callable[[str], int]:
    """Return a parser of a number from `low` to `high`, digits only; its error expects `words`."""

    def parse(text: str) -> int:
        if not text.isdecimal() or not low <= int(text) <= high:
            raise ArgumentTypeError(f"expected {words}, found {text!r}")
        return int(text)

    return parse


count = number("a number of puzzles")
