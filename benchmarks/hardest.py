"""The longest ratings there are: of the hardest puzzles known, where searches may go past their bounds.

`python -m benchmarks hardest` rates 50 puzzles of each set, `hardest 500` so many at even distances, or all
where a set has fewer: all 375 of hardest1106. Processor time on one core, of ER, EP and ED alone and of all
schemes with the path of logic; a process for each core it may use. `hardest 500 er` leaves out all but ER, EP
and ED. The bounds count work and not time, so a puzzle has one answer on every machine.

With NINEFOLD_RESUME naming a file, each rating is added to it as it is made, and those in it are not made
again: a campaign of hours can be broken off and go on.
"""

from __future__ import annotations

import json
import os
import sys
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path
from time import process_time

import numpy as np

from benchmarks.puzzles import collection
from engine import Grid, parse, rate

SETS = ("hardest1106.txt", "hardest1905_sample.txt", "top1465.txt")
MOST = 10  # seconds that ER may take for 95 of 100 puzzles
EXPLAINER = ("explainer", "explainer_pearl", "explainer_diamond")
NAMED = {
    "Golden Nugget": ".......39.....1..5..3.5.8....8.9...6.7...2...1..4.......9.8..5..2....6..4..7.....",
    "Easter Monster": "1.......2.9.4...5...6...7...5.9.3.......7.......85..4.7.....6...3...9.8...2.....1",
}

_PUZZLES = 50  # of each set where no number is named

Row = dict[str, object]


def main() -> None:
    """Print for each set how long the ratings take, which gave up, and how ER is spread."""
    wanted = next((int(word) for word in sys.argv[1:] if word.isdecimal()), _PUZZLES)
    kept = _Kept(os.environ.get("NINEFOLD_RESUME"))
    for name, text in NAMED.items():
        row = next(kept.rows([text]))
        whole = f", all in {row['all']:.2f} s" if "all" in row else ""
        print(f"{name}: ER {row['er']} in {row['seconds']:.2f} s{whole}", flush=True)
    for file in SETS:
        title, digits = collection(file)
        if title.endswith("ours"):
            print("(NINEFOLD_DATA names no folder of shared sets)")
            return
        at = np.unique(np.linspace(0, len(digits), min(wanted, len(digits)), endpoint=False, dtype=int))
        texts = [str(Grid.from_digits(digits[index])) for index in at.tolist()]
        print(f"Rating {len(texts)} of {title}, processor seconds on one core", flush=True)
        _report([*kept.rows(texts)])


def _report(rows: list[Row]) -> None:
    seconds = np.array([row["seconds"] for row in rows], dtype=np.float64)
    ers = Counter(row["er"] for row in rows)
    print(
        f"  ER: {seconds.mean():.2f} mean, {np.median(seconds):.2f} median, "
        f"{np.percentile(seconds, 95):.2f} 95th percentile (at most {MOST}), {seconds.max():.2f} most"
    )
    print(f"  {sum(row['er'] is None for row in rows)} gave up ER")
    if all("all" in row for row in rows):
        whole = np.array([row["all"] for row in rows], dtype=np.float64)
        print(
            f"  all schemes: {whole.mean():.2f} mean, {np.percentile(whole, 95):.2f} 95th percentile, "
            f"{whole.max():.2f} most; {sum(bool(row['guessed']) for row in rows)} with a path that guesses"
        )
    spread = sorted((er, count) for er, count in ers.items() if isinstance(er, float))
    print("  ER " + ", ".join(f"{er}: {count}" for er, count in spread))
    slowest = max(rows, key=lambda row: float(str(row["seconds"])))
    print(f"  longest: {slowest['grid']}")


class _Kept:
    """Ratings by puzzle, in a file where there is one."""

    def __init__(self, path: str | None) -> None:
        self._path = Path(path) if path else None
        self._rows: dict[str, Row] = {}
        if self._path and self._path.exists():
            for line in self._path.read_text().splitlines():
                row = json.loads(line)
                self._rows[row["grid"]] = row

    def rows(self, texts: list[str]) -> Iterator[Row]:
        """The rating of each puzzle; what is not kept is made by all cores."""
        missing = [text for text in texts if text not in self._rows]
        with ProcessPoolExecutor(len(os.sched_getaffinity(0))) as pool:
            for done in as_completed([pool.submit(_rated, text) for text in missing]):
                row = done.result()
                self._rows[str(row["grid"])] = row
                if self._path:
                    with self._path.open("a") as file:
                        file.write(json.dumps(row) + "\n")
        return (self._rows[text] for text in texts)


def _rated(text: str) -> Row:
    """A puzzle's ER, EP and ED, seconds, and how often its path of logic has to guess."""
    grid = parse(text)
    start = process_time()
    er, ep, ed = rate(grid, schemes=EXPLAINER).scores.values()
    between = process_time()
    row: Row = {"grid": text, "er": er, "ep": ep, "ed": ed, "seconds": between - start}
    if "er" in sys.argv:
        return row
    rated = rate(grid)
    guessed = sum(rated.counts.get(key, 0) for key in ("trial", "brute_force"))
    return {**row, "all": process_time() - between, "guessed": guessed}
