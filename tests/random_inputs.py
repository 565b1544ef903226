"""Random grids of every kind that a solver can meet, from one seed, to compare the searchers."""

from __future__ import annotations

import random
from collections.abc import Iterator

import numpy as np

from engine import Grid, Recipe, generate
from engine.geometry import PEERS
from engine.kernels.rng import seeded
from engine.kernels.solved_grids import draw_layout

KINDS = ("unique", "multiple", "impossible", "too few givens", "contradictory")


def random_inputs(seed: int, count: int) -> Iterator[tuple[str, Grid]]:
    """Return `count` pairs of (kind, grid), cycling through the kinds."""
    draw = random.Random(seed)
    for index in range(count):
        kind = KINDS[index % len(KINDS)]
        yield kind, _of_kind(kind, draw)


def _of_kind(kind: str, draw: random.Random) -> Grid:
    if kind == "too few givens":
        layout = np.zeros(81, np.uint8)
        draw_layout(seeded(draw.getrandbits(64)), draw.randrange(17), layout)
        return Grid(layout.tobytes())
    recipe = Recipe(minimal=True) if kind == "multiple" else Recipe(fewest_givens=draw.randrange(22, 41))
    puzzle = generate(recipe, draw.getrandbits(64))
    digits = bytearray(puzzle.grid.digits)
    givens = [cell for cell in range(81) if digits[cell]]
    if kind == "multiple":
        for cell in draw.sample(givens, draw.randrange(1, 5)):
            digits[cell] = 0
    elif kind == "impossible":  # another digit than the solution's, one that no given forbids if possible
        blank = draw.choice([cell for cell in range(81) if not digits[cell]])
        wrong = [digit for digit in range(1, 10) if digit != puzzle.solution[blank]]
        free = [digit for digit in wrong if all(digits[peer] != digit for peer in PEERS[blank])]
        digits[blank] = draw.choice(free or wrong)
    elif kind == "contradictory":
        cell = draw.choice(givens)
        digits[draw.choice(PEERS[cell])] = digits[cell]
    return Grid(bytes(digits))
