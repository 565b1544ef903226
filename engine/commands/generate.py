"""`generate`: new puzzles to a recipe, each with the seed that makes it again."""

from __future__ import annotations

import secrets
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from time import perf_counter

from engine.commands.command import Answer, Command
from engine.formats import Entry
from engine.generation.generate import generate
from engine.generation.methods import METHODS
from engine.generation.recipe import Puzzle, Recipe
from engine.generation.solved_grids import SOLVED_GRIDS
from engine.generation.symmetry import Symmetry
from engine.rating import rate

_AHEAD = 64  # puzzles a core has under way before the first of them is printed


def _add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--count", type=_count, default=1, metavar="N", help="how many (default 1)")
    parser.add_argument(
        "--seed",
        type=int,
        metavar="S",
        help="seed of the first; each next puzzle's is one more (default: drawn)",
    )
    parser.add_argument("--level", type=int, metavar="1..5", help="our level, 1 beginner to 5 evil")
    parser.add_argument("--method", choices=METHODS, default="dig_hole", help="default dig_hole")
    parser.add_argument("--paper-level", type=int, metavar="N", help="the method's own level instead of ours")
    parser.add_argument(
        "--symmetry",
        choices=[each.value for each in Symmetry],
        default="none",
        metavar="Y",
        help=f"of the givens' pattern: {', '.join(each.value for each in Symmetry)}",
    )
    parser.add_argument("--minimal", action="store_true", help="no given can be spared")
    parser.add_argument("--rate", action="store_true", help="rate each: its level and scores")
    parser.add_argument("--fewest", type=int, metavar="N", help="givens, at least")
    parser.add_argument("--most", type=int, metavar="N", help="givens, at most")
    parser.add_argument(
        "--pattern", type=_pattern, metavar="CELLS", help="81 characters, '.' or '0' where no given may stand"
    )
    parser.add_argument(
        "--solved-grid", choices=SOLVED_GRIDS, help="where solved grids come from (default: the method's own)"
    )


def _count(text: str) -> int:
    if not text.isdecimal():
        raise ArgumentTypeError(f"expected a number of puzzles, found {text!r}")
    return int(text)


def _pattern(text: str) -> tuple[int, ...]:
    if len(text) != 81:
        raise ArgumentTypeError(f"expected 81 characters, found {len(text)}")
    return tuple(cell for cell, character in enumerate(text) if character not in ".0")


def _answers(options: Namespace, batches: Iterator[list[Entry]]) -> Iterable[Answer]:
    del batches  # none are read
    recipe = Recipe(
        method=options.method,
        level=options.level,
        paper_level=options.paper_level,
        symmetry=options.symmetry,
        minimal=options.minimal,
        fewest_givens=options.fewest,
        most_givens=options.most,
        pattern=options.pattern,
        solved_grid=options.solved_grid,
    )
    first = secrets.randbits(63) if options.seed is None else options.seed
    timed = options.rate or recipe.level is not None
    if timed and options.count:
        generate(recipe, first)  # the first time told is the puzzle's, not that of loading the kernels
    for puzzle, milliseconds in _puzzles(recipe, range(first, first + options.count), options.jobs):
        answer: Answer = {"puzzle": str(puzzle.grid), "seed": puzzle.seed, "method": puzzle.recipe.method}
        if timed:
            answer["level"] = recipe.level
        if options.rate:
            rating = rate(puzzle.grid)
            answer |= {"level": rating.level, "scores": dict(rating.scores)}
        if timed:
            answer["ms"] = round(milliseconds, 3)
        yield answer


def _puzzles(recipe: Recipe, seeds: range, jobs: int) -> Iterator[tuple[Puzzle, float]]:
    """Each seed's puzzle in order, with the milliseconds it took; `jobs` at once."""
    if jobs == 1:
        yield from (_timed(recipe, seed) for seed in seeds)
        return
    waiting = iter(seeds)
    pool = ThreadPoolExecutor(jobs)
    try:
        under_way = deque(pool.submit(_timed, recipe, seed) for seed in islice(waiting, _AHEAD * jobs))
        while under_way:
            done = under_way.popleft()
            under_way.extend(pool.submit(_timed, recipe, seed) for seed in islice(waiting, 1))
            yield done.result()
    finally:  # nobody waits for what was only ahead
        pool.shutdown(cancel_futures=True)


def _timed(recipe: Recipe, seed: int) -> tuple[Puzzle, float]:
    start = perf_counter()
    puzzle = generate(recipe, seed)
    return puzzle, 1000 * (perf_counter() - start)


def _line(answer: Answer) -> str:
    return str(answer["puzzle"])


COMMAND = Command(
    name="generate",
    summary="make puzzles with one solution",
    examples="""\
  ninefold generate --count 5                          five puzzles, a line each
  ninefold generate --level 4 --seed 20240229 --json   {"puzzle", "seed", "method", "level", "ms"}
  ninefold generate --rate --json                      {..., "level", "scores", "ms"}
  ninefold generate --method exact_cover --symmetry half_turn --minimal
  ninefold generate --method dig_hole --paper-level 5  the method's own order and bounds
  ninefold generate --fewest 24 --most 26 --symmetry quarter_turn""",
    answers=_answers,
    line=_line,
    add_arguments=_add_arguments,
    reads=False,
)
