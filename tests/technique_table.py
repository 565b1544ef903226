"""Prints the technique cases of NINEFOLD_DATA per technique: held, failed, unproved, seconds.

python -m tests.technique_table [KEY ...]; with keys also the lines that fail.
"""

from __future__ import annotations

import os
import sys
import time
from collections import Counter, defaultdict
from pathlib import Path

from engine.steps import logic
from engine.techniques import TECHNIQUES
from tests import step_checker
from tests.technique_cases import read_cases


def main(wanted: list[str]) -> None:
    """Print the table for the techniques wanted, or for all."""
    cases = read_cases(Path(os.environ["NINEFOLD_DATA"]) / "technique_cases.txt")
    rows: defaultdict[str, Counter[str]] = defaultdict(Counter)
    seconds: defaultdict[str, float] = defaultdict(float)
    for case in cases:
        if wanted and case.technique not in wanted:
            continue
        row = f"{case.line.split(':')[1]:7} {case.technique}"
        if case.technique not in TECHNIQUES:
            rows[row]["missing"] += 1
            continue
        start = time.perf_counter()
        steps = logic.find(case.position, case.technique)
        seconds[row] += time.perf_counter() - start
        held = case.holds(steps)
        rows[row]["held" if held else "FAILED"] += 1
        if wanted and not held:
            print(f"failed, {len(steps)} steps found: {case}")
        for step in steps[:50]:
            faults = step_checker.faults(case.position, step)
            if faults:
                rows[row]["UNPROVED"] += 1
                if wanted:
                    print(f"unproved: {faults} {step}")
                break
    for row, counts in sorted(rows.items()):
        print(f"{row:45} {', '.join(f'{n} {what}' for what, n in counts.items()):30} {seconds[row]:.2f} s")
    total = Counter[str]()
    for counts in rows.values():
        total.update(counts)
    print(
        f"{total['held']} of {total['held'] + total['FAILED'] + total['missing']} held, "
        f"{total['UNPROVED']} with unproved steps"
    )


if __name__ == "__main__":
    main(sys.argv[1:])
