"""The desk's queue and searches over a million puzzles: whole pages, through the app without a network.

`python -m benchmarks desk_search`, on SQLite and PostgreSQL (TEST_DATABASE_URL). PUZZLES and TURNS may be
set. The rows are generated: their values are spread as a real bank's, their grids are not puzzles.
"""

from __future__ import annotations

import os
import random
import statistics
import time

import sqlalchemy as sa

from benchmarks.databases import NUMBERS, analyze, databases, site_on
from benchmarks.leaderboard import NOW
from tests.webapp.desk import Curator, appoint
from tests.webapp.visitors import SetClock
from webapp.identity import passwords
from webapp.process.database import db, writing

PUZZLES = int(os.environ.get("PUZZLES", "1000000"))
TURNS = int(os.environ.get("TURNS", "12"))
WARM = 2  # turns that are not counted
# Of every so many puzzles, one has the trait.
TRAITS = {
    "uses:hidden_single": 1,
    "uses:naked_single": 1,
    "uses:pointing": 2,
    "uses:naked_pair": 3,
    "uses:hidden_pair": 5,
    "uses:aic": 6,
    "uses:x_wing": 9,
    "uses:xy_wing": 13,
    "uses:skyscraper": 21,
    "uses:swordfish": 101,
    "uses:jellyfish": 2003,
    "symmetry:half_turn": 2,
    "symmetry:diagonal": 50,
    "told:ann example": 10_007,
    "tag:favorite": 499,
}
HARDEST = ("hidden_single", "pointing", "naked_pair", "x_wing", "xy_wing", "skyscraper", "aic", "swordfish")
PAGES = (
    "",
    "status=approved",
    "status=all",
    "status=approved&sort=-er",
    "status=approved&sort=time&page=200",
    "status=all&sort=-givens",
    "status=all&sort=er&level=3",
    "status=approved&uses=x_wing",
    "status=approved&uses=jellyfish&sort=-er",
    "status=all&uses=swordfish&er_from=4&er_to=4.3",
    "status=approved&uses=aic&er_from=9&minutes_from=60&sort=time",
    "status=approved&hardest=x_wing&level=2",
    "status=all&symmetry=diagonal&givens_from=6&givens_to=6",
    "status=all&uses=x_wing&givens_from=6&givens_to=6",
    "status=all&tag=favorite&uses=xy_wing",
    "status=all&told=ann example",
    "status=approved&made=exact_cover&er_from=3.3&er_to=3.3",
    "status=approved&er_from=2.1&er_to=2.1&minutes_from=20&minutes_to=21",
    "status=all&order=4",
    f"status=all&like={'...7..12.........4.8316...5..2..6.37..9...8..36.8..4..1...4956.5.........34..8...'}",
    "status=candidate&twins=1",
    "status=all&twins=1",
)
_NAME = "CASE i % 8 " + " ".join(f"WHEN {n} THEN '{key}'" for n, key in enumerate(HARDEST)) + " END"
_STATUS = (
    "CASE WHEN i % 100 < 8 THEN 'candidate' WHEN i % 100 < 11 THEN 'rejected' WHEN i % 100 = 11 THEN 'daily' "
    "ELSE 'approved' END"
)
_METHOD = "CASE WHEN i % 3 = 0 THEN 'exact_cover' WHEN i % 3 = 1 THEN 'dig_hole' END"
ROWS = (
    "INSERT INTO puzzle (id, givens, canonical, solution_class, level, rating_version, hardest, "
    "expected_seconds, explainer, status, method, engine_version, created_at, breakdown, traced) {numbers} "
    "SELECT i, {givens}, 'c' || i, i, 1 + i % 5, 'tiers-2', {name}, 60 + i * 7919 % 6000, "
    "1.0 + (i * 104729 % 100) / 10.0, {status}, {method}, 'x', :now, {breakdown}, :yes FROM n"
)
BREAKDOWN = '\'{"counts": {"hidden_single": 40, "pointing": 3, "x_wing": 1}, "scores": {"explainer": 3.2}}\''


def fill() -> None:
    """Fill the tables."""
    kind = db.engine.dialect.name
    now = NOW.replace(tzinfo=None).isoformat(" ") + ".000000" if kind == "sqlite" else NOW
    padded = "printf('%081d', i)" if kind == "sqlite" else "lpad(CAST(i AS text), 81, '0')"
    parts = {"givens": f"replace({padded}, '0', '.')", "name": _NAME, "status": _STATUS, "method": _METHOD}
    text = ROWS.format(numbers=NUMBERS[kind], breakdown=BREAKDOWN.replace(":", "\\:"), **parts)
    with writing(), db.engine.begin() as connection:
        if kind == "postgresql":
            connection.execute(sa.text("SET LOCAL statement_timeout = 0"))
        connection.execute(sa.text(text), {"solves": PUZZLES, "now": now, "yes": True})
        for trait, share in TRAITS.items():
            row = f"INSERT INTO puzzle_trait {NUMBERS[kind]} SELECT :trait, i FROM n WHERE i % {share} = 0"  # noqa: S608
            connection.execute(sa.text(row), {"solves": PUZZLES, "trait": trait})
    analyze(vacuum=True)


def measure(url: str) -> None:
    """Print times of every page, and of all pages together."""
    draw = random.Random(1)
    clock = SetClock(NOW)
    with site_on(url, clock=clock) as app:
        with app.app_context():
            fill()
            kind = db.engine.dialect.name
            db.session.remove()
        passwords.WAIT = 60.0  # however busy this machine is
        curator = Curator(app, clock=clock)
        appoint(curator)
        if curator.prove().status_code != 303:
            raise SystemExit("could not open the desk")
        taken: dict[str, list[tuple[float, float]]] = {page: [] for page in PAGES}
        for turn in range(TURNS + WARM):
            for page in draw.sample(PAGES, len(PAGES)):
                wall, own = time.perf_counter(), time.process_time()
                answer = curator.get(f"/admin/?{page}")
                if answer.status_code != 200 or 'id="wrong-filters"' in answer.text:
                    raise SystemExit(f"{page}: {answer.status_code}")
                spent = 1000 * (time.perf_counter() - wall), 1000 * (time.process_time() - own)
                if turn >= WARM:
                    taken[page].append(spent)
        for page, times in taken.items():
            walls, owns = zip(*times, strict=True)
            print(
                f"{kind:10}  {statistics.median(walls):7.1f} ms median  {max(walls):7.1f} worst  "
                f"{statistics.median(owns):6.1f} of ours  {page[:60]}"
            )
        every = sorted(wall for times in taken.values() for wall, _own in times)
        spent_here = sorted(spent for times in taken.values() for _wall, spent in times)
        place = int(0.95 * len(every))
        print(f"{kind:10}  all: {every[place]:.1f} ms at 95 %, {spent_here[place]:.1f} ms of this process")


def main() -> None:
    """Measure on every database there is."""
    with databases() as urls:
        for url in urls:
            measure(url)


if __name__ == "__main__":
    main()
