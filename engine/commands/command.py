"""The interface of a subcommand. Commands open no files and print nothing; `engine.cli` does."""

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
    """For commands without options of their own."""
    del parser


@dataclass(frozen=True, slots=True)
class Command:
    """A subcommand: answers for the puzzles it reads, or for puzzles it makes.

    answers: called once with the options and the input in batches; lazy, so that long input stays a stream.
    line: an answer as a line of text, without --json.
    """

    name: str
    summary: str
    examples: str
    answers: Callable[[Namespace, Iterator[list[Entry]]], Iterable[Outcome]]
    line: Callable[[Answer], str]
    add_arguments: Callable[[ArgumentParser], None] = no_arguments
    one_by_one: bool = False  # answers are slow: print each as soon as it is ready
    reads: bool = True  # takes FILE as input
