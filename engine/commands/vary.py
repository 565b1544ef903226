"""`vary`: puzzles equivalent to the input."""

from __future__ import annotations

import secrets
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from dataclasses import asdict

from ..errors import PuzzleFormatError, RecipeError
from ..formats import Entry
from ..generation.symmetry import Symmetry
from ..generation.vary import vary
from ..text import position_of
from .command import Command, Outcome, count, is_sukaku, no_sukaku
from .each import answer_together


def _add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--count", type=count, default=1, metavar="N", help="variants of each puzzle (default: 1)"
    )
    parser.add_argument(
        "--seed",
        type=int,
        metavar="S",
        help="seed of the first variant; each variant adds 1 to it (default: random)",
    )
    parser.add_argument(
        "--symmetry",
        choices=[each.value for each in Symmetry],
        default="none",
        metavar="Y",
        help=f"symmetry of the givens to keep: {', '.join(each.value for each in Symmetry)} (default: none)",
    )


def _answers(options: Namespace, batches: Iterator[list[Entry]]) -> Iterator[Outcome]:
    seed = secrets.randbits(62) if options.seed is None else options.seed

    def answer(batch: list[Entry]) -> Iterator[Outcome]:
        nonlocal seed
        for entry in batch:
            if is_sukaku(entry, position_of(entry)):
                yield no_sukaku(entry, "only givens are varied")
                continue
            for _ in range(options.count):
                try:
                    varied = vary(entry.givens, seed, options.symmetry)
                except RecipeError as error:
                    yield PuzzleFormatError(str(error), line=entry.line)
                    break
                yield {
                    "puzzle": str(varied.grid),
                    "of": str(entry.givens),
                    "seed": seed,
                    "transformation": asdict(varied.transformation),
                }
                seed += 1

    # One by one: a failing entry leaves the seeds of those before it as they are.
    return answer_together(([entry] for batch in batches for entry in batch), answer)


COMMAND = Command(
    examples="""\
  ninefold vary puzzles.txt                       one random variant of each
  ninefold vary puzzles.txt --count 3 --seed 1    three of each, reproducible
  ninefold vary - --json --symmetry half_turn     {"puzzle", "of", "seed", "transformation"} per line

source: Xue, Jiang, Li, operation 5""",
    answers=_answers,
    line=lambda answer: str(answer["puzzle"]),
    add_arguments=_add_arguments,
)
