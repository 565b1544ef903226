"""`explain`: the solution path of each puzzle from its current position, one step per line."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from ..formats import Entry
from ..rating.explainer import price_of
from ..steps.logic import solve_path
from ..steps.wording import sentence
from ..text import position_of
from ..uniqueness import verdict
from ..verdicts import Verdict
from .command import Answer, Command, headline, is_sukaku, puzzle, wrong
from .each import each


def _add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--no-uniqueness",
        dest="uniqueness",
        action="store_false",
        help="never assume that the solution is unique",
    )


def _answer(options: Namespace, entry: Entry) -> Answer:
    position = position_of(entry)
    path = solve_path(position, uniqueness=options.uniqueness)
    before, steps = position, []
    for step in path.steps:
        steps.append({**step.members(before), "text": sentence(step, before), "price": price_of(step)})
        before = before.after(step)
    answer: Answer = {"puzzle": puzzle(entry, position), "steps": steps}
    if path.gave_up:
        answer["gave_up"] = list(path.gave_up)
    found = verdict(position) if is_sukaku(entry, position) else path.end.verdict
    if found is not Verdict.UNIQUE:
        return {**answer, "verdict": found.value}
    return {**answer, **wrong(position)}


def _line(answer: Answer) -> str:
    remarks = [answer["verdict"]] if "verdict" in answer else []
    remarks += ["gave up"] if "gave_up" in answer else []
    steps = [f"{number:3}. {step['text']}" for number, step in enumerate(answer["steps"], 1)]
    return "\n".join([headline(answer, *remarks), *steps])


COMMAND = Command(
    examples="""\
  ninefold explain puzzles.txt           the puzzle, then one step per line
  ninefold explain puzzles.txt --json    {"puzzle", "steps"} per line, each step with
                                         "cells", "houses", "links" and "price", plus
                                         "verdict" if the solution is not unique;
                                         "gave_up": techniques that hit their search
                                         bound when no other technique had a step left;
                                         "wrong": each [cell, digit] placed or removed
                                         against the solution""",
    answers=each(_answer),
    line=_line,
    one_by_one=True,
    add_arguments=_add_arguments,
)
