"""The drawing table: givens clicked in and out over a large bank, and a heart made unique.

`python -m benchmarks table`, on SQLite and PostgreSQL (TEST_DATABASE_URL). PUZZLES (a million) and EDITS
(600) may be set. An edit is what a click asks for: the address with `set`, and the sketch it leads to, with
verdict, level, path and duplicates, through the app without a network. In half of the sketches right givens
come and go around a puzzle, so that there is a path to find; in the other half any digits do, with many
solutions or none.
"""

from __future__ import annotations

import os
import random
import statistics
import time

import engine
from benchmarks import desk_search
from benchmarks.databases import databases, site_on
from benchmarks.leaderboard import NOW
from tests.webapp.desk import Curator, appoint
from tests.webapp.visitors import SetClock
from webapp.curation.table.shapes import shape_of
from webapp.curation.table.sketch import Sketch
from webapp.identity import passwords
from webapp.process.database import db

EDITS = int(os.environ.get("EDITS", "600"))
EACH = 12  # edits of a sketch
HEARTS = 20
MOST, MOST_HEART = 50.0, 5.0  # ms at the 95th percentile, seconds
FRAGMENT = {"HX-Request": "true"}


def edits(curator: Curator, draw: random.Random) -> tuple[list[float], int]:
    """Click about in sketches; the milliseconds of each edit, and how many sketches had one solution."""
    times, unique = [], 0
    for number in range(EDITS // EACH):
        puzzle = engine.generate(engine.Recipe(), number).grid
        solution = engine.solution(puzzle)
        assert solution is not None
        anything = number % 2 == 1
        sketch = Sketch(_without_some(puzzle, draw) if anything else puzzle)
        empty = [cell for cell in range(81) if not puzzle[cell]]
        for _edit in range(EACH):
            at = draw.randrange(81) if anything else draw.choice(empty)
            right = draw.randint(1, 9) if anything else solution[at]
            digit = 0 if sketch.grid[at] else right
            began = time.perf_counter()
            moved = curator.client.get(
                "/admin/table", query_string={**sketch.query, "set": f"{at}:{digit}", "cell": str(at)}
            )
            assert moved.location is not None, moved.text[:500]
            answer = curator.client.get(moved.location, headers=FRAGMENT)
            times.append(1000 * (time.perf_counter() - began))
            assert answer.status_code == 200
            unique += "Exactly one solution." in answer.text
            sketch = sketch.placed(at, digit)
    return times, unique


def _without_some(grid: engine.Grid, draw: random.Random) -> engine.Grid:
    return engine.Grid(bytes(digit if draw.random() < 0.6 else 0 for digit in grid.digits))


def hearts(curator: Curator) -> list[float]:
    """Have a heart filled from nothing, again and again; the seconds of each."""
    shape = Sketch(engine.Grid(bytes(81)), frozenset(), shape_of("heart"))
    times = []
    for _number in range(HEARTS):
        began = time.perf_counter()
        answer = curator.client.post(
            "/admin/table",
            data={**shape.query, "how": "complete", "csrf_token": curator.token},
            headers=FRAGMENT,
        )
        times.append(time.perf_counter() - began)
        assert "Exactly one solution." in answer.text, answer.text[:500]
    return times


def measure(url: str) -> bool:
    """Print the figures of a database; whether they are as promised."""
    clock = SetClock(NOW)
    with site_on(url, clock=clock) as app:
        with app.app_context():
            desk_search.fill()
            kind = db.engine.dialect.name
            db.session.remove()
        passwords.WAIT = 60.0  # however busy this machine is
        curator = Curator(app, clock=clock)
        appoint(curator)
        if curator.prove().status_code != 303 or curator.get("/admin/table").status_code != 200:
            raise SystemExit("could not open the drawing table")
        edits(curator, random.Random(0))  # warm
        times, unique = edits(curator, random.Random(1))
        spent = hearts(curator)
    late = sorted(times)[int(0.95 * len(times))]
    print(
        f"{kind}: {len(times)} edits over {desk_search.PUZZLES} puzzles, {unique} with one solution: "
        f"{statistics.median(times):.1f} ms median, {late:.1f} at 95 % (at most {MOST:.0f}), "
        f"{max(times):.1f} worst; "
        f"{HEARTS} hearts of {len(shape_of('heart'))} givens: {statistics.median(spent):.2f} s median, "
        f"{max(spent):.2f} worst (at most {MOST_HEART:.0f})"
    )
    return late <= MOST and max(spent) <= MOST_HEART


def main() -> None:
    """Measure on every database there is."""
    with databases() as urls:
        results = [measure(url) for url in urls]
    raise SystemExit(0 if all(results) else 1)


if __name__ == "__main__":
    main()
