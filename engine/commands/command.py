"""The interface of a subcommand. Commands open no files and print nothing; `engine.cli` does."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from ..errors import PuzzleFormatError
from ..formats import Entry

Answer = dict[str, Any]  # one JSON object, in the order of its members
Outcome = Answer | PuzzleFormatError  # an error is reported like an unreadable line


def no_arguments(parser: ArgumentParser) -> None:
    """Add nothing, for commands without options of their own."""
    del parser


@dataclass(frozen=True, slots=True)
class Command:
    """A subcommand that processes or generates puzzles.

    answers: called once with the options and the input in batches; lazy, so that long input stays a stream.
    line: formats a result as text, without --json.
    """

    examples: str
    answers: Callable[[Namespace, Iterator[list[Entry]]], Iterable[Outcome]]
    line: Callable[[Answer], str]
    add_arguments: Callable[[ArgumentParser], None] = no_arguments
    one_by_one: bool = False  # results are slow: print each as soon as it is ready
    reads: bool = True  # takes FILE as input
    takes_jobs: bool = True  # has --jobs for the number of cores
