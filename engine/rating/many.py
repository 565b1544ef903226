"""Rate arrays of puzzles on several cores: arrays in, arrays out, nothing else retained."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from threading import Lock
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ..arguments import function, one_of, whole
from ..given import Given, each_of, rows_of
from ..grid import Grid
from ..position import Position
from ..search.bitboard import MOST_JOBS, check_digits
from ..techniques.limits import MOST_SPENT
from ..text import puzzle_of
from ..verdicts import Verdict
from . import explainer
from .rating import keys_of, rate
from .scheme import MOST_EFFORT

Columns = dict[str, NDArray[Any]]

_PART: Final = 8  # puzzles a thread takes at once: a hard one takes as long as a thousand easy ones
_VERDICTS: Final = {Verdict.NONE: 0, Verdict.UNIQUE: 1, Verdict.MULTIPLE: 2}


def rate_many(
    grids: NDArray[Any] | Iterable[Given],
    *,
    schemes: str | Iterable[str] = "default",
    explainer_set: str = "default",
    effort: int = MOST_SPENT,
    jobs: int | None = None,
    progress: Callable[[int, int], object] | None = None,
) -> Columns:
    """Return the ratings of every row of `grids`, whole numbers of shape (n, 81) with 0 for an empty cell, or
    of every puzzle of a list of anything that `rate` takes.

    Returns arrays of length n by name, as pandas and Polars take them: "verdict", uint8, 0 without a
    solution, 1 with one, 2 with several; each scheme's score, float64, NaN if there is none; unless `schemes`
    names single ones also "level", uint8, 0 if there is none, and "expected_seconds", float64.

    schemes, explainer_set, effort: as for `rate`. jobs: threads, by default one for each core; compiled code
    runs in all of them at once. progress: called with the number done and n, in the calling thread. Apart
    from the arrays, memory use is independent of n, so both may be memory-mapped files. PuzzleFormatError
    names the row of a digit above 9 as line, counted from 1. ArgumentError for the rest.

    >>> from engine import parse, rate_many
    >>> grid = parse("...7..12.........4.8316...5..2..6.37..9...8..36.8..4..1...4956.5.........34..8...")
    >>> rate_many(grid.array()[None], schemes=["explainer"])["explainer"].tolist()
    [1.5]
    """
    rows: NDArray[Any] | list[Grid | Position]
    if isinstance(grids, np.ndarray):
        rows = rows_of("grids", grids)
        check_digits(rows)
    else:
        rows = each_of("grids", grids, puzzle_of)
    one_of("explainer_set", explainer_set, explainer.SETS)
    effort = whole("effort", effort, 1, MOST_EFFORT)
    if progress is not None:
        function("progress", progress, takes=2)
    threads = min(whole("jobs", jobs, 1), MOST_JOBS) if jobs is not None else os.cpu_count() or 1
    keys = keys_of(schemes)
    wanted = schemes if isinstance(schemes, str) else keys
    columns: Columns = {"verdict": np.zeros(len(rows), np.uint8)}
    if isinstance(wanted, str):
        columns["level"] = np.zeros(len(rows), np.uint8)
        columns["expected_seconds"] = np.full(len(rows), np.nan)
    columns |= {key: np.full(len(rows), np.nan) for key in keys}
    starts = iter(range(0, len(rows), _PART))  # shared by the threads
    done, counting, stopped = 0, Lock(), False

    def work(report: Callable[[int, int], object] | None = None) -> None:
        nonlocal done
        for first in starts:
            if stopped:
                return
            last = min(first + _PART, len(rows))
            for row in range(first, last):
                puzzle = rows[row]
                if isinstance(puzzle, np.ndarray):
                    puzzle = Grid(puzzle.astype(np.uint8).tobytes())
                rating = rate(puzzle, schemes=wanted, explainer_set=explainer_set, effort=effort)
                columns["verdict"][row] = _VERDICTS[rating.verdict]
                figures = dict(rating.scores)
                if isinstance(wanted, str):
                    columns["level"][row] = rating.level or 0
                    figures["expected_seconds"] = rating.expected_seconds
                for key, figure in figures.items():
                    if figure is not None:
                        columns[key][row] = figure
            with counting:
                done += last - first
            if report:
                report(done, len(rows))

    with ThreadPoolExecutor(max(1, threads - 1)) as pool:
        helpers = [pool.submit(work) for _ in range(threads - 1)]
        try:
            work(progress)
            for helper in helpers:
                helper.result()
        finally:
            stopped = True  # ends an interrupted batch
    if progress:
        progress(len(rows), len(rows))
    return columns
