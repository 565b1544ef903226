"""`find`: every instance of one technique in each position; none if the search exceeded its limit."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from contextlib import suppress

from ..formats import Entry
from ..steps.logic import GaveUp, find
from ..steps.wording import sentence
from ..techniques import TECHNIQUES
from ..text import position_of
from .command import Answer, Command, headline, puzzle, wrong
from .each import each


def _add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--technique",
        required=True,
        choices=tuple(TECHNIQUES),
        metavar="TECHNIQUE",
        help=f"one of {', '.join(TECHNIQUES)}",
    )


def _answer(options: Namespace, entry: Entry) -> Answer:
    position = position_of(entry)
    steps: list[Answer] | None = None
    with suppress(GaveUp):
        steps = [
            {**step.members(position), "text": sentence(step, position)}
            for step in find(position, options.technique)
        ]
    return {"puzzle": puzzle(entry, position), "steps": steps, **wrong(position)}


def _line(answer: Answer) -> str:
    if answer["steps"] is None:
        return headline(answer, "gave up")
    return "\n".join([headline(answer), *(f"  {step['text']}" for step in answer["steps"])])


COMMAND = Command(
    examples="""\
  ninefold find positions.txt --technique xy_wing           the puzzle, then one step per line
  ninefold find positions.txt --technique xy_wing --json    {"puzzle", "steps"} per line; null: gave up;
                                                            "wrong": each [cell, digit] against
                                                            the solution""",
    answers=each(_answer),
    line=_line,
    one_by_one=True,
    add_arguments=_add_arguments,
)
