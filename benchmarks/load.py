"""How much play two cores carry: batches of moves, pages of players and of newcomers, on both databases.

`python -m benchmarks load` (`make load`). BEFORE names a checkout of an earlier release, which is measured
in turns with this one, so that both meet the same machine. The load comes from one thread on the same
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
from tests.webapp.processes import ROOT

ROUNDS = int(os.environ.get("ROUNDS", "3"))
LOADS = {"batches": Player.batch, "pages": Player.page, "first visits": Player.visit}


def measured(root: Path, url: str) -> list[Load]:
    """Each load once, on a site of its own."""
    with site_of(root, DATABASE_URL=url) as (port, process):
        return [measure(port, process, name, act) for name, act in LOADS.items()]


def main() -> None:
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
                        found[load.name, url.partition(":")[0], release].append(load)
    print(f"{CONNECTIONS} connections, the median of {ROUNDS} rounds and their range\n")
    print("| load | database | release | a second | median ms | 99 % ms | processor ms | of the tool |")
    print("|---|---|---|---|---|---|---|---|")
    for (name, database, release), loads in sorted(found.items()):
        rates = sorted(load.rate for load in loads)
        rate = f"{statistics.median(rates):.0f} ({rates[0]:.0f} to {rates[-1]:.0f})"
        figures = [
            statistics.median(each)
            for each in zip(
                *((load.median, load.percentile(0.99), load.processor, load.tool) for load in loads),
                strict=True,
            )
        ]
        times = "{:.1f} | {:.1f} | {:.2f} | {:.2f}".format(*figures)
        print(f"| {name} | {database} | {release} | {rate} | {times} |")
