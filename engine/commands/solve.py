"""`solve`: the solution of each puzzle, or its verdict where it has none or several."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterator

import numpy as np

from engine.commands.command import Answer, Command
from engine.formats import Entry
from engine.grid import Grid
from engine.search.bitboard import solve_many
from engine.verdict import Verdict

_VERDICTS = (Verdict.NONE, Verdict.UNIQUE, Verdict.MULTIPLE)


def verdicts(batch: list[Entry], jobs: int) -> Iterator[tuple[Entry, Verdict, Grid | None]]:
    """Each entry with its verdict, and with its solution where there is exactly one."""
    givens = np.frombuffer(b"".join(entry.givens.digits for entry in batch), np.uint8).reshape(-1, 81)
    solutions, counts = solve_many(givens, limit=2, jobs=jobs)
    for entry, solution, count in zip(batch, solutions, counts.tolist(), strict=True):
        yield entry, _VERDICTS[count], Grid(solution.tobytes()) if count == 1 else None


def _answers(options: Namespace, batches: Iterator[list[Entry]]) -> Iterator[Answer]:
    for batch in batches:
        for entry, verdict, solution in verdicts(batch, options.jobs):
            yield {
                "puzzle": str(entry.givens),
                "verdict": verdict.value,
                "solution": None if solution is None else str(solution),
            }


def _line(answer: Answer) -> str:
    return answer["solution"] or f"{answer['puzzle']} # {answer['verdict']}"


COMMAND = Command(
    name="solve",
    summary="print each puzzle's solution, or how many it has",
    examples="""\
  ninefold solve puzzles.txt               one solution a line; '# none' or '# multiple' where there is no one
  ninefold solve - --json < puzzles.sdm    {"puzzle", "verdict", "solution"} a line
  ninefold generate --count 9 | ninefold solve --jobs 2""",
    answers=_answers,
    line=_line,
)
