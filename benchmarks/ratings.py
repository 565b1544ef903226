"""Agreement of our ratings with the reference programs and with real players: `python -m benchmarks ratings`.

Every row of rated_random.csv (the Explainer's default set), of rated_by_level.csv (its bank set) and of
human_times.csv in the folder NINEFOLD_DATA. A scheme that gives up agrees with nothing.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Final

import numpy as np
from numpy.typing import NDArray

from benchmarks import expected_time
from benchmarks.expected_time import spearman
from benchmarks.parity import FILES, Rows, by_explainer, by_steps, figures, rated
from benchmarks.tables import Table

PLAIN: Final = 7.0  # the ER up to which equality is asked for more strictly
CLOSE: Final = 0.2 + 1e-9


Row = tuple[str, str, str, str, int, str]  # set, what, required, aim; puzzles, found


def main() -> None:
    """Print the table, a set's lines as soon as they are known."""
    if not os.environ.get("NINEFOLD_DATA"):
        print("\nNINEFOLD_DATA names no folder of rated sets, so there is nothing to agree with.")
        return
    table = Table(("set", "what", "required", "aim"), ("puzzles", "found"))
    for name, technique_set in FILES.items():
        rows = rated(name)
        for row in [*_explainer(name, technique_set, rows), *_steps(name, rows)]:
            table.row(*row)
    for row in _players():
        table.row(*row)


def _explainer(name: str, technique_set: str, rows: Rows) -> Iterator[Row]:
    found, expected = by_explainer(technique_set, rows), figures("se_er", rows)
    equal, plain = found[:, 0] == expected, expected <= PLAIN
    close = np.abs(found[:, 0] - expected) <= CLOSE
    yield name, f"ER up to {PLAIN}, {technique_set} set", "99 %", "99.5 %", *_share(equal[plain])
    yield name, f"ER above {PLAIN}", "90 %", "97 %", *_share(equal[~plain])
    yield name, f"ER above {PLAIN}, within 0.2", "99 %", "", *_share(close[~plain])
    if "se_ep" in rows[0]:
        yield name, "EP", "99 %", "", *_share(found[:, 1] == figures("se_ep", rows))
        yield name, "ED", "99 %", "", *_share(found[:, 2] == figures("se_ed", rows))


def _steps(name: str, rows: Rows) -> Iterator[Row]:
    levels, ours = by_steps(rows).T
    theirs, known = figures("hodoku_score", rows), ~np.isnan(ours)
    yield name, "HoDoKu's level", "95 %", "97.5 %", *_share(levels == figures("hodoku_level", rows))
    yield name, "HoDoKu's score, equal", "", "", *_share(ours == theirs)
    near = spearman(ours[known], theirs[known])
    yield name, "HoDoKu's score, Spearman", "0.98", "0.99", int(known.sum()), f"{near:.4f}"


def _players() -> Iterator[Row]:
    measured = expected_time.measured()
    name = "human_times"
    for what, with_time, with_seconds in measured.rows:
        asked = ("0.80", "0.85", "0.67", "0.71") if what == expected_time.OURS else ("", "", "", "")
        yield name, f"{what} with D_TO, Spearman", *asked[:2], measured.with_difficulty, f"{with_time:.3f}"
        yield name, f"{what} with mean seconds, Spearman", *asked[2:], measured.puzzles, f"{with_seconds:.3f}"


def _share(equal: NDArray[np.bool_]) -> tuple[int, str]:
    return len(equal), f"{100 * equal.mean():.2f} %"
