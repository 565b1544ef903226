"""Argument types that several subcommands share."""

from __future__ import annotations

from argparse import ArgumentTypeError

from ..rating.scheme import MOST_EFFORT


def count(text: str) -> int:
    """Parse a number of puzzles: digits only."""
    if not text.isdecimal():
        raise ArgumentTypeError(f"expected a number of puzzles, found {text!r}")
    return int(text)


def effort(text: str) -> int:
    """Parse a search's effort: 1 or more."""
    if not text.isdecimal() or not 1 <= int(text) <= MOST_EFFORT:
        raise ArgumentTypeError(f"expected a number from 1 to {MOST_EFFORT}, found {text!r}")
    return int(text)


def bound(text: str) -> int:
    """Parse a limit on nodes: 1 or more."""
    if not text.isdecimal() or int(text) == 0:
        raise ArgumentTypeError(f"expected a number of nodes, 1 or more, found {text!r}")
    return int(text)
