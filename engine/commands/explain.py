"""`explain`: how logic solves each puzzle, a step a line."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Iterator

from engine.commands.command import Answer, Command
from engine.commands.each import answer_each
from engine.commands.wording import members
from engine.formats import Entry
from engine.logic import solve_path


def _add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--no-uniqueness",
        dest="uniqueness",
        action="store_false",
        help="never take it for granted that there is one solution",
    )


def _answers(options: Namespace, batches: Iterator[list[Entry]]) -> Iterator[Answer]:
    def answer(entry: Entry) -> Answer:
        path = solve_path(entry.givens, uniqueness=options.uniqueness)
        answer = {"puzzle": str(entry.givens), "steps": [members(step) for step in path.steps]}
        return answer if path.end.unique else {**answer, "verdict": path.end.verdict.value}

    return answer_each(batches, options.jobs, answer)


def _line(answer: Answer) -> str:
    verdict = f" # {answer['verdict']}" if "verdict" in answer else ""
    steps = [f"{number:3}. {step['text']}" for number, step in enumerate(answer["steps"], 1)]
    return "\n".join([answer["puzzle"] + verdict, *steps])


COMMAND = Command(
    name="explain",
    summary="solve each puzzle like a human and tell every step",
    examples="""\
  ninefold explain puzzles.txt           the puzzle, then a step a line
  ninefold explain puzzles.txt --json    {"puzzle", "steps"} a line, and the verdict
                                         where there is not one solution""",
    answers=_answers,
    line=_line,
    one_by_one=True,
    add_arguments=_add_arguments,
)
