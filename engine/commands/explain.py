"""`explain`: how logic solves each puzzle, a step a line."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterator

from engine.commands.command import Answer, Command
from engine.commands.each import answer_each
from engine.commands.wording import members
from engine.formats import Entry
from engine.logic import solve_path


def _answer(entry: Entry) -> Answer:
    return {
        "puzzle": str(entry.givens),
        "steps": [members(step) for step in solve_path(entry.givens).steps],
    }


def _answers(options: Namespace, batches: Iterator[list[Entry]]) -> Iterator[Answer]:
    return answer_each(batches, options.jobs, _answer)


def _line(answer: Answer) -> str:
    steps = [f"{number:3}. {step['text']}" for number, step in enumerate(answer["steps"], 1)]
    return "\n".join([answer["puzzle"], *steps])


COMMAND = Command(
    name="explain",
    summary="solve each puzzle like a human and tell every step",
    examples="""\
  ninefold explain puzzles.txt           the puzzle, then a step a line
  ninefold explain puzzles.txt --json    {"puzzle", "steps"} a line""",
    answers=_answers,
    line=_line,
)
