"""The interface of a subcommand. Commands open no files and print nothing; `engine.cli` does."""

from __future__ import annotations

from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from math import inf
from typing import TYPE_CHECKING, Any

from ..errors import PuzzleFormatError
from ..formats import Entry
from ..geometry import cell_name
from ..verdicts import Verdict

if TYPE_CHECKING:
    from ..position import Position

Answer = dict[str, Any]  # one JSON object, in the order of its members
Outcome = Answer | PuzzleFormatError  # an error is reported like an unreadable line


@dataclass(frozen=True, slots=True)
class Command:
    """A subcommand that processes or generates puzzles.

    answers: called once with the options and the input in batches; lazy, so that long input stays a stream.
    line: formats a result as text, without --json.
    """

    examples: str
    answers: Callable[[Namespace, Iterator[list[Entry]]], Iterable[Outcome]]
    line: Callable[[Answer], str]
    add_arguments: Callable[[ArgumentParser], object] = lambda _: None
    one_by_one: bool = False  # results are slow: print each as soon as it is ready
    reads: bool = True  # takes FILE as input
    takes_jobs: bool = True  # has --jobs for the number of cores


def number(words: str, low: int = 0, high: float = inf) -> Callable[[str], int]:
    """Return a parser of a number from `low` to `high`, digits only; its error expects `words`."""

    def parse(text: str) -> int:
        if not text.isdecimal() or not low <= int(text) <= high:
            raise ArgumentTypeError(f"expected {words}, found {text!r}")
        return int(text)

    return parse


count = number("a number of puzzles")


def puzzle(entry: Entry, position: Position) -> str:
    """Return the givens; for a Sukaku, whose candidates are the puzzle, its 729 characters."""
    return position.pencilmarks() if is_sukaku(entry, position) else str(entry.givens)


def is_sukaku(entry: Entry, position: Position) -> bool:
    """Whether the givens leave several solutions, and the text has placed digits or struck candidates."""
    more = entry.candidates is not None or bool(entry.deleted) or entry.placed is not None
    return more and position.verdict is Verdict.MULTIPLE


def no_sukaku(entry: Entry, reason: str) -> PuzzleFormatError:
    """Return the error of an entry whose candidates would be lost."""
    found = "expected givens with one solution, found a Sukaku: %(reason)s"
    return PuzzleFormatError(found, line=entry.line, reason=reason)


def wrong(position: Position) -> Answer:
    """Return the member "wrong", candidates as [cell 0..80, digit]; empty if nothing is wrong."""
    found = sorted([cell, digit] for cell, digit in position.wrong())
    return {"wrong": found} if found else {}


def headline(answer: Answer, *remarks: str) -> str:
    """Return the puzzle, the remarks, and what is wrong with the position."""
    found = [f"{cell_name(cell)}({digit})" for cell, digit in answer.get("wrong", ())]
    words = [*remarks, *(["wrong: " + " ".join(found)] if found else [])]
    return f"{answer['puzzle']} # {', '.join(words)}" if words else str(answer["puzzle"])
