"""Command: what every subcommand is. Opens no file and prints nothing; `engine.cli` does."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from engine.errors import PuzzleFormatError
from engine.formats import Entry

Answer = dict[str, Any]  # the members of one JSON object, in their order
Outcome = Answer | PuzzleFormatError  # an error is reported as a line that could not be read is


def no_arguments(parser: ArgumentParser) -> None:
    """For a command that takes nothing but its input."""
    del parser


@dataclass(frozen=True, slots=True)
class Command:
    """A subcommand: answers for the puzzles it reads, or for none if it makes its own.

    answers: called once with the options and the input in batches; lazy, so that much stays a stream.
    line: an answer as a line of text, without --json.
    """

    name: str
    summary: str
    examples: str
    answers: Callable[[Namespace, Iterator[list[Entry]]], Iterable[Outcome]]
    line: Callable[[Answer], str]
    add_arguments: Callable[[ArgumentParser], None] = no_arguments
    one_by_one: bool = False  # answers are slow: print each one as soon as it is ready
    reads: bool = True  # takes FILE, and is counted by the puzzles it read
