"""`check`: the verdict on each puzzle, its broken houses, and whether every given is needed."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

from engine.commands.command import Answer, Command, Outcome
from engine.commands.each import answer_together
from engine.commands.solve import verdicts
from engine.formats import Entry
from engine.geometry import cell_name, house_name
from engine.grid import Fault, Grid
from engine.minimality import is_minimal
from engine.verdict import Verdict


def _answers(options: Namespace, batches: Iterator[list[Entry]]) -> Iterator[Outcome]:
    with ThreadPoolExecutor(options.jobs) as pool:

        def answer(batch: list[Entry]) -> Iterator[Answer]:
            found = [*verdicts(batch, options.jobs)]
            # Whether a given can be spared is asked of puzzles that are all givens.
            judged = [
                (entry.givens, verdict if puzzle == str(entry.givens) else Verdict.MULTIPLE)
                for entry, puzzle, verdict, _ in found
            ]
            parts = [judged[first :: options.jobs] for first in range(options.jobs)]
            minimal: list[bool | None] = [None] * len(judged)
            for first, part in enumerate(pool.map(_minimal, parts)):
                minimal[first :: options.jobs] = part
            for (entry, puzzle, verdict, _), needed in zip(found, minimal, strict=True):
                # A grid with a fault has no solution, so only those without one are looked through.
                faults = entry.givens.faults() if verdict is Verdict.NONE else []
                yield {
                    "puzzle": puzzle,
                    "verdict": verdict.value,
                    "faults": [_members(fault) for fault in faults],
                    "minimal": needed,
                }

        yield from answer_together(batches, answer)


def _minimal(judged: list[tuple[Grid, Verdict]]) -> list[bool | None]:
    """Whether every given is needed; None without exactly one solution, where the question has no meaning."""
    return [is_minimal(givens) if verdict is Verdict.UNIQUE else None for givens, verdict in judged]


def _members(fault: Fault) -> Answer:
    return {
        "house": house_name(fault.house),
        "digit": fault.digit,
        "cells": [cell_name(cell) for cell in fault.cells],
    }


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
    name="check",
    summary="check that each puzzle is valid, unique and minimal",
    examples="""\
  ninefold check puzzles.txt           the puzzle and '# unique, minimal', or what is wrong
  ninefold check puzzles.txt --json    {"puzzle", "verdict", "faults", "minimal"} per line""",
    answers=_answers,
    line=_line,
)
