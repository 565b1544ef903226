"""The load that two cores carry: batches of moves, pages of players and of new visitors, on both databases.

`python -m benchmarks load` (`make load`). BEFORE names a checkout of an earlier release, measured in
alternation with this one, so that both meet the same machine. The load comes from one thread on the same
machine, so the figures are the server's and the load tool's together.
"""

from __future__ import annotations

import os
import statistics
from collections import defaultdict
from pathlib import Path

from benchmarks.databases import databases
from benchmarks.moves import CONNECTIONS, Load, Player, measure
from benchmarks.site import compiled, site_of
from benchmarks.tables import Table, sized
from tests.webapp.processes import ROOT

ROUNDS = sized("ROUNDS", 3)
A_SECOND = 100  # batches: three times the peak of 10,000 players a day (docs/growth.md)
# The kinds of load, and seconds from one request of a player to the next; 0: right after the response.
LOADS = {
    f"{A_SECOND} batches a second": (Player.batch, CONNECTIONS / A_SECOND),
    "batches": (Player.batch, 0.0),
    "pages": (Player.page, 0.0),
    "first visits": (Player.visit, 0.0),
}


def measured(root: Path, url: str) -> list[Load]:
    """Measure each load once, on a site of its own."""
    with site_of(root, DATABASE_URL=url) as (port, process):
        return [measure(port, process, name, act, every) for name, (act, every) in LOADS.items()]


def main() -> None:
    """Print each load of each release on each database."""
    compiled()
    before = os.environ.get("BEFORE")
    releases = {"before": Path(before).resolve()} if before else {}
    releases["now"] = ROOT
    found: dict[tuple[str, str, str], list[Load]] = defaultdict(list)
    for number in range(ROUNDS):
        for release, root in releases.items() if number % 2 else reversed(releases.items()):
            with databases() as urls:
                for url in urls:
                    for load in measured(root, url):
                        found[load.name, url.partition(":")[0].partition("+")[0], release].append(load)
    print(f"{CONNECTIONS} connections, the median of {ROUNDS} rounds and their range")
    figures = ("a second", "ms, median", "ms, 99 %", "processor ms", "of the load tool")
    table = Table(("load", "database", "release"), figures)
    for (name, database, release), loads in sorted(found.items()):
        rates = sorted(load.rate for load in loads)
        rate = f"{statistics.median(rates):.0f} ({rates[0]:.0f} to {rates[-1]:.0f})"
        medians = [
            statistics.median(each)
            for each in zip(
                *((load.median, load.percentile(0.99), load.processor, load.tool) for load in loads),
                strict=True,
            )
        ]
        times = (f"{each:.{places}f}" for each, places in zip(medians, (1, 1, 2, 2), strict=True))
        table.row(name, database, release, rate, *times)
