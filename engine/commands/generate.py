"""`generate`: new puzzles from a recipe, each with the seed that reproduces it."""

from __future__ import annotations

import secrets
import sys
from argparse import ArgumentParser, ArgumentTypeError, BooleanOptionalAction, Namespace
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import islice
from math import inf
from time import monotonic, perf_counter

from ..errors import OutOfTime, RecipeError
from ..formats import Entry
from ..generation.dig import Order
from ..generation.generate import generate, generate_by
from ..generation.methods import LEVELS, METHODS, Method
from ..generation.recipe import Puzzle, Recipe
from ..generation.solved_grids import ABOUT, LAS_VEGAS_CELLS, SOLVED_GRIDS
from ..generation.symmetry import Symmetry
from ..generation.to_order import Nearest, aim_of
from ..rating import rate
from ..traces import SEARCHES, system
from .command import Answer, Command, count

# Of a published system; printed if any is set, with the paper's level.
_VARIATIONS = {"solved_grid": None, "cells": None, "order": None, "search": "ours", "transform": None}
_AHEAD = 64  # puzzles in progress per core before the first is printed


def _add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--count", type=count, default=1, metavar="N", help="number of puzzles (default: 1)")
    parser.add_argument(
        "--seed",
        type=int,
        metavar="S",
        help="seed of the first puzzle; each puzzle adds 1 to it (default: random)",
    )
    parser.add_argument("--level", type=int, metavar="1..5", help="level, from 1 (beginner) to 5 (evil)")
    parser.add_argument(
        "--er", type=_range, metavar="LOW-HIGH", help="Sudoku Explainer rating, such as 4.2-5"
    )
    parser.add_argument("--hardest", metavar="TECHNIQUE", help="the hardest technique needed")
    parser.add_argument(
        "--method",
        choices=METHODS,
        default="dig_hole",
        metavar="M",
        help=f"a published system: {', '.join(METHODS)} (default: dig_hole)",
    )
    parser.add_argument(
        "--paper-level", type=int, metavar="N", help="the method's own level, instead of --level; see below"
    )
    parser.add_argument(
        "--search",
        choices=SEARCHES,
        default="ours",
        help="solver that proves uniqueness: our fastest, or the own one of min_candidates",
    )
    parser.add_argument(
        "--transform",
        action=BooleanOptionalAction,
        default=None,
        help="end with an equivalence transformation or not (default: as the method does)",
    )
    parser.add_argument(
        "--symmetry",
        choices=[each.value for each in Symmetry],
        default="none",
        metavar="Y",
        help=f"symmetry of the givens: {', '.join(each.value for each in Symmetry)}",
    )
    parser.add_argument("--minimal", action="store_true", help="make every given necessary")
    parser.add_argument("--rate", action="store_true", help="add the level and scores of each puzzle")
    parser.add_argument(
        "--givens", type=_givens, default=(None, None), metavar="LOW-HIGH", help="how many, such as 24-26"
    )
    parser.add_argument(
        "--budget",
        type=_seconds,
        metavar="SECONDS",
        help="stop after this long and print what was made",
    )
    parser.add_argument(
        "--solved-grid",
        choices=SOLVED_GRIDS,
        metavar="G",
        help="source of the solved grid, see below (default: the method's own)",
    )
    parser.add_argument("--order", choices=[each.value for each in Order], help="order of digging")
    parser.add_argument(
        "--cells",
        type=int,
        metavar="N",
        help=f"random cells that a Las Vegas grid starts from (default: {LAS_VEGAS_CELLS})",
    )
    parser.add_argument(
        "--sorted",
        action="store_true",
        help="rate by the method's own scheme and sort by its levels, easiest first and unrated last",
    )
    parser.epilog = f"{parser.epilog}\n\n{_METHODS}"


def _about(method: Method) -> str:
    """Describe a method for the help: source, levels, source of its grids."""
    lines = [
        f"  {method.key}: {method.source}",
        "      paper levels:" if method.level_count else "      paper levels: none",
        *(f"        {level}" for level in method.levels_in_words()),
        f"      solved grid: {method.solved_grid or 'none, it adds givens'}; own search: {method.solver}; "
        f"transformed: {'yes' if method.transformed else 'no'}",
    ]
    return "\n".join(lines)


_METHODS = "\n".join(
    [
        "methods, their sources and what --paper-level asks for:",
        *map(_about, METHODS.values()),
        "",
        "solved grids:",
        *(f"  {key:16} {about}" for key, about in ABOUT.items()),
    ]
)


def _range(text: str) -> tuple[float, float]:
    low, _, high = text.partition("-")
    try:
        return float(low), float(high or low)
    except ValueError:
        raise ArgumentTypeError(f"expected two numbers such as 4.2-5, found {text!r}") from None


def _givens(text: str) -> tuple[int, int]:
    low, _, high = text.partition("-")
    if not low.isdecimal() or not (high or low).isdecimal():
        raise ArgumentTypeError(f"expected a number or two, such as 24-26, found {text!r}")
    return int(low), int(high or low)


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not 0 < seconds < inf:
        raise ArgumentTypeError(f"expected a number of seconds, found {text!r}")
    return seconds


def _answers(options: Namespace, batches: Iterator[list[Entry]]) -> Iterable[Answer]:
    del batches  # no input
    fewest, most = options.givens
    fields = ("method", "paper_level", "level", "symmetry", "minimal", "er", "hardest")
    wanted = {name: getattr(options, name) for name in fields}
    recipe = Recipe(**wanted, fewest_givens=fewest, most_givens=most)
    varied = {name: getattr(options, name) for name in _VARIATIONS}
    method = system(recipe, **varied)
    asked = {name: value for name, value in varied.items() if value != _VARIATIONS[name]}
    rating_of = method.rating
    if options.sorted and rating_of is None:
        able = ", ".join(key for key, method in METHODS.items() if method.rating is not None)
        raise RecipeError(
            "sorted", f"expected a method with a rating of its own ({able}), found {recipe.method!r}"
        )
    first = secrets.randbits(63) if options.seed is None else options.seed
    rated = options.rate or aim_of(recipe) is not None
    if rated and options.count:
        # Load the kernels first, so that the printed times exclude that.
        rate(generate(Recipe(level=max(LEVELS)), first).grid)
    end = inf if options.budget is None else monotonic() + options.budget
    seeds, made, nearest = range(first, first + options.count), 0, Nearest()
    waiting: list[tuple[tuple[float, float], Answer]] = []
    try:
        make = partial(generate_by, method, recipe, stop=lambda: monotonic() > end, nearest=nearest)
        for puzzle, milliseconds in _puzzles(make, seeds, options.jobs):
            made += 1
            answer: Answer = {"puzzle": str(puzzle.grid), "seed": puzzle.seed, "method": puzzle.method}
            if asked or recipe.paper_level is not None:
                answer["recipe"] = recipe.asked | asked
            if rated:
                rating = rate(puzzle.grid)
                answer |= {
                    "level": rating.level,
                    "scores": dict(rating.scores),
                    "hardest": rating.hardest,
                    "expected_seconds": rating.expected_seconds,
                    "ms": round(milliseconds, 3),
                }
            if not options.sorted or rating_of is None:
                yield answer
            elif (found := rating_of(puzzle.grid)) is not None:
                level, score = found
                answer |= {"paper_level": level, "paper_score": score if score < inf else None}
                waiting.append((found, answer))
            else:  # past the limit of the rating: listed last
                waiting.append(((inf, inf), answer | {"paper_level": None, "paper_score": None}))
    except OutOfTime:
        near = None if made else nearest.found()
        told = f"; the nearest found was {near}" if near else ""
        print(f"made {made} of {options.count} puzzles in {options.budget:g} s{told}", file=sys.stderr)
    yield from (answer for _, answer in sorted(waiting, key=lambda pair: pair[0]))


def _puzzles(make: Callable[[int], Puzzle], seeds: range, jobs: int) -> Iterator[tuple[Puzzle, float]]:
    """Yield each seed's puzzle in order, with the milliseconds it took; `jobs` in parallel.

    Raises what `make` does, after the puzzles before.
    """
    if jobs == 1:
        yield from (_timed(make, seed) for seed in seeds)
        return
    waiting = iter(seeds)
    pool = ThreadPoolExecutor(jobs)
    try:
        under_way = deque(pool.submit(_timed, make, seed) for seed in islice(waiting, _AHEAD * jobs))
        while under_way:
            done = under_way.popleft()
            under_way.extend(pool.submit(_timed, make, seed) for seed in islice(waiting, 1))
            yield done.result()
    finally:  # drop the puzzles that were started ahead
        pool.shutdown(cancel_futures=True)


def _timed(make: Callable[[int], Puzzle], seed: int) -> tuple[Puzzle, float]:
    start = perf_counter()
    puzzle = make(seed)
    return puzzle, 1000 * (perf_counter() - start)


def _line(answer: Answer) -> str:
    if "paper_level" not in answer:
        return str(answer["puzzle"])
    if answer["paper_level"] is None:
        return f"{answer['puzzle']} # level unknown"
    return f"{answer['puzzle']} # level {answer['paper_level']}, {answer['paper_score']}"


COMMAND = Command(
    examples="""\
  ninefold generate --count 5                          five puzzles, one per line
  ninefold generate --level 4 --seed 20240229 --json   {"puzzle", "seed", "method", "level", "ms"}
  ninefold generate --rate --json                      {..., "level", "scores", "hardest", "ms"}
  ninefold generate --er 4.7-5.3 --symmetry half_turn  aim at that rating
  ninefold generate --hardest xy_wing --count 10 --budget 20
  ninefold generate --method exact_cover --symmetry half_turn --minimal
  ninefold generate --method dig_hole --paper-level 5 --no-transform    use its own order, bounds and score
  ninefold generate --method weighted_rules --paper-level 3 --json       {..., "recipe"}
  ninefold generate --method exact_cover --solved-grid centre_box
  ninefold generate --method weighted_rules --count 10000 --sorted > by-level.txt
  ninefold generate --givens 24-26 --symmetry quarter_turn""",
    answers=_answers,
    line=_line,
    add_arguments=_add_arguments,
    reads=False,
)
