"""How much play two cores carry: batches of moves and pages as fast as they are answered, on both databases.

`python -m benchmarks load` (`make load`). BEFORE names a checkout of an earlier release, which is measured
in turns with this one, so that both meet the same machine. The load comes from two processes on the same
machine, so the figures are the server's and the load tool's together.
"""

from __future__ import annotations

import os
import statistics
from collections import defaultdict
from pathlib import Path

from benchmarks.databases import databases
from benchmarks.moves import CONNECTIONS, Load, measure
from benchmarks.site import compiled, processor_seconds, site_of
from tests.webapp.processes import ROOT

ROUNDS = int(os.environ.get("ROUNDS", "3"))
LOADS = {"batches": "batch", "pages": "page"}


def measured(root: Path, url: str) -> list[Load]:
    """Each load once, on a site of its own."""
    loads = []
    with site_of(root, DATABASE_URL=url) as (port, process):
        measure(port, "closed", "batch", 4)  # the first connections to the database are opened
        for name, what in LOADS.items():
            before = processor_seconds(process)
            times = measure(port, "closed", what)
            loads.append(Load(name, times, 1000 * (processor_seconds(process) - before) / len(times)))
    return loads


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
    print("| load | database | release | a second | median ms | 99 % ms | processor ms |")
    print("|---|---|---|---|---|---|---|")
    for (name, database, release), loads in sorted(found.items()):
        rates = sorted(load.rate for load in loads)
        rate = f"{statistics.median(rates):.0f} ({rates[0]:.0f} to {rates[-1]:.0f})"
        middle = statistics.median(load.median for load in loads)
        late = statistics.median(load.percentile(0.99) for load in loads)
        spent = statistics.median(load.processor for load in loads)
        print(f"| {name} | {database} | {release} | {rate} | {middle:.1f} | {late:.1f} | {spent:.2f} |")
