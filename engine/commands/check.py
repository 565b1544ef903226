"""`check`: whether each puzzle has one solution, its broken houses, and whether every given is needed."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

from ..formats import Entry
from ..geometry import cell_name, house_name
from ..grid import Grid
from ..uniqueness import is_minimal
from ..verdicts import Verdict
from .command import Answer, Command, Outcome
from .each import answer_together
from .solve import verdicts


def _answers(options: Namespace, batches: Iterator[list[Entry]]) -> Iterator[Outcome]:
    with ThreadPoolExecutor(options.jobs) as pool:

        def answer(batch: list[Entry]) -> Iterator[Answer]:
            found = [*verdicts(batch, options.jobs)]
            # Only entries without further digits or candidates are tested for spare givens.
            judged = [
                (entry.givens, verdict if puzzle == str(entry.givens) else Verdict.MULTIPLE)
                for entry, puzzle, verdict, _ in found
            ]
            parts = [judged[first :: options.jobs] for first in range(options.jobs)]
            minimal: list[bool | None] = [None] * len(judged)
            for first, part in enumerate(pool.map(_minimal, parts)):
                minimal[first :: options.jobs] = part
            for (entry, puzzle, verdict, _), needed in zip(found, minimal, strict=True):
                # A grid with faults has no solution, so only those without a solution are searched for
                # faults.
                faults = entry.givens.faults() if verdict is Verdict.NONE else []
                yield {
                    "puzzle": puzzle,
                    "verdict": verdict.value,
                    "faults": [
                        {
                            "house": house_name(fault.house),
                            "digit": fault.digit,
                            "cells": [cell_name(cell) for cell in fault.cells],
                        }
                        for fault in faults
                    ],
                    "minimal": needed,
                }

        yield from answer_together(batches, answer)


def _minimal(judged: list[tuple[Grid, Verdict]]) -> list[bool | None]:
    """Return whether every given is needed; None without exactly one solution."""
    return [is_minimal(givens) if verdict is Verdict.UNIQUE else None for givens, verdict in judged]


def _line(answer: Answer) -> str:
    words = [answer["verdict"]]
    if answer["minimal"] is not None:
        words.append("minimal" if answer["minimal"] else "not minimal")
    words += [
        f"{fault['house']} holds {fault['digit']} at {' and '.join(fault['cells'])}"
        for fault in answer["faults"]
    ]
    return f"{answer['puzzle']} # {', '.join(words)}"


COMMAND = Command(
    examples="""\
  ninefold check puzzles.txt           the puzzle and '# unique, minimal', or what is wrong
  ninefold check puzzles.txt --json    {"puzzle", "verdict", "faults", "minimal"} per line""",
    answers=_answers,
    line=_line,
)
