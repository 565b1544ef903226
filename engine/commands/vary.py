"""`vary`: the same puzzles in another form."""

from __future__ import annotations

import secrets
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from dataclasses import asdict

from engine.commands.arguments import count
from engine.commands.command import Answer, Command, Outcome
from engine.errors import PuzzleFormatError, RecipeError
from engine.formats import Entry
from engine.generation.symmetry import Symmetry
from engine.generation.vary import vary


def _add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--count", type=count, default=1, metavar="N", help="of each puzzle (default 1)")
    parser.add_argument(
        "--seed",
        type=int,
        metavar="S",
        help="seed of the first; each next one's is one more (default: drawn)",
    )
    parser.add_argument(
        "--symmetry",
        choices=[each.value for each in Symmetry],
        default="none",
        metavar="Y",
        help=f"of the givens, to be kept: {', '.join(each.value for each in Symmetry)} (default none)",
    )


def _answers(options: Namespace, batches: Iterator[list[Entry]]) -> Iterator[Outcome]:
    seed = secrets.randbits(62) if options.seed is None else options.seed
    for batch in batches:
        for entry in batch:
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


def _line(answer: Answer) -> str:
    return str(answer["puzzle"])


COMMAND = Command(
    name="vary",
    summary="print each puzzle in an equivalent form: digits renamed, lines in other places",
    examples="""\
  ninefold vary puzzles.txt                       each once, at random
  ninefold vary puzzles.txt --count 3 --seed 1    three of each, the same ones every time
  ninefold vary - --json --symmetry half_turn     {"puzzle", "of", "seed", "transformation"} a line

source: Xue, Jiang, Li, operation 5""",
    answers=_answers,
    line=_line,
    add_arguments=_add_arguments,
)
