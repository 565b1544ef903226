"""How long `engine.draw` takes for a position with a step: patterns, chains and nets.

`python -m benchmarks drawing`: the steps of tests/data/technique_cases.txt, five of each technique at most.
Each is drawn ten times; its time is the median, in milliseconds of processor time.
"""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path
from statistics import median
from time import process_time

import engine
from tests.technique_cases import read_cases

CASES = Path(__file__).parents[1] / "tests" / "data" / "technique_cases.txt"
TIMES = 10


def took(step: engine.Step, position: engine.Position) -> float:
    """Milliseconds to draw `step`."""
    times = []
    for _ in range(TIMES):
        start = process_time()
        engine.draw(step, on=position)
        times.append(1000 * (process_time() - start))
    return median(times)


def main() -> None:
    found: dict[str, list[tuple[float, int]]] = defaultdict(list)
    for case in read_cases(CASES):
        for step in engine.find(case.position, case.technique)[:5]:
            links = sum(len(branch.inferences) for branch in step.branches())
            kind = "nets" if engine.TECHNIQUES[step.technique].family == "forcing" else "chains"
            found[kind if links else "patterns"].append((took(step, case.position), links))
    print("| steps | pictures | links, at most | ms, median | ms, slowest |")
    print("|---|---|---|---|---|")
    for kind, drawn in sorted(found.items()):
        times = [time for time, _ in drawn]
        most = max(links for _, links in drawn)
        print(f"| {kind} | {len(drawn)} | {most} | {median(times):.1f} | {max(times):.1f} |")


if __name__ == "__main__":
    main()
