"""`find`: every instance of one technique in each position; none if the search exceeded its bound."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from contextlib import suppress

from engine.commands.command import Answer, Command, Outcome
from engine.commands.each import answer_each
from engine.commands.wording import headline, members, puzzle, wrong
from engine.formats import Entry
from engine.logic import GaveUp, find
from engine.proof import shortened
from engine.techniques import TECHNIQUES
from engine.text import position_of


def _add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--technique",
        required=True,
        choices=tuple(TECHNIQUES),
        metavar="TECHNIQUE",
        help=f"one of {', '.join(TECHNIQUES)}",
    )


def _answers(options: Namespace, batches: Iterator[list[Entry]]) -> Iterator[Outcome]:
    def answer(entry: Entry) -> Answer:
        position = position_of(entry)
        steps: list[Answer] | None = None
        with suppress(GaveUp):
            steps = [members(shortened(step, position)) for step in find(position, options.technique)]
        return {"puzzle": puzzle(entry, position), "steps": steps, **wrong(position)}

    return answer_each(batches, options.jobs, answer)


def _line(answer: Answer) -> str:
    if answer["steps"] is None:
        return headline(answer, "gave up")
    return "\n".join([headline(answer), *(f"  {step['text']}" for step in answer["steps"])])


COMMAND = Command(
    name="find",
    summary="find every instance of a technique",
    examples="""\
  ninefold find positions.txt --technique xy_wing           the puzzle, then one step per line
  ninefold find positions.txt --technique xy_wing --json    {"puzzle", "steps"} per line; null: gave up;
                                                            "wrong": each [cell, digit] against
                                                            the solution""",
    answers=_answers,
    line=_line,
    one_by_one=True,
    add_arguments=_add_arguments,
)
