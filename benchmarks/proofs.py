"""How long proofs are to read, as derived and as told, at an ER of 8 to 9.5 and above.

`python -m benchmarks proofs`: six hard puzzles of the shared collections, where the first four tiers end; of
each kind of net the first forty steps found there. As derived: every inference with its premises, each lemma
with its proof wherever it is used. As told: `sentence` of the step, and of the step `shortened`.
"""

from __future__ import annotations

from statistics import median
from typing import Final

import engine
from benchmarks.puzzles import collection
from engine.branches import Claim
from engine.rating.explainer import price_of

NETS: Final = (
    "nishio",
    "cell_forcing_chain",
    "dynamic_forcing_chain",
    "dynamic_forcing_chain_plus",
    "nested_forcing_chain",
)
SETS: Final = (("hardest1905_sample.txt", 1500), ("top1465.txt", 400))
MOST: Final = 40


def _stuck(grid: engine.Grid) -> engine.Position:
    """Where the first four tiers end."""
    position = engine.Position.from_grid(grid)
    while (step := engine.next_step(position)) and engine.TECHNIQUES[step.technique].tier < 5:
        position = position.after(step)
    return position


def _claim(claim: Claim) -> str:
    return f"r{claim.cells[0] // 9 + 1}c{claim.cells[0] % 9 + 1}{'=' if claim.on else '<>'}{claim.digit}"


def _derived(step: engine.Step) -> str:
    """Every inference of a step, one after the other."""
    told = []
    for branch in step.branches():
        told.append(_claim(branch.assumption))
        for each in branch.inferences:
            why = "" if each.lemma is None else f"[{_derived(step.lemmas[each.lemma])}] "
            told.append(f"{' and '.join(map(_claim, each.premises))} -> {why}{_claim(each.result)}")
    if not told:
        return engine.sentence(step).rpartition(" => ")[0]
    return f"{engine.TECHNIQUES[step.technique].name}: {'; '.join(told)}"


def main() -> None:
    lengths: dict[str, list[tuple[int, int, int]]] = {"8 to 9.5": [], "above": []}
    for name, every in SETS:
        for digits in collection(name)[1][::every][:3]:
            position = _stuck(engine.Grid.from_digits(digits))
            for key in NETS:
                for step in engine.find(position, key)[:MOST]:
                    price = price_of(step) or 0
                    if price >= 8:
                        short = engine.sentence(engine.shortened(step, position))
                        band = lengths["8 to 9.5" if price <= 9.5 else "above"]
                        band.append((len(_derived(step)), len(engine.sentence(step)), len(short)))
    print("| ER | steps | | as derived | as told | shortened |")
    print("|---|---|---|---|---|---|")
    for er, found in lengths.items():
        for word, figure in (("median", median), ("longest", max)):
            columns = " | ".join(f"{figure(column):,.0f}" for column in zip(*found, strict=True))
            print(f"| {er} | {len(found)} | {word} | {columns} |")


if __name__ == "__main__":
    main()
