"""Puzzles to measure with: the shared collections if NINEFOLD_DATA is set, else our own."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine import Recipe, generate, parse

STAND_IN: Final = "minimal puzzles of ours"


def collection(name: str, at_most: int = 50_000) -> tuple[str, NDArray[np.uint8]]:
    """Return a set's name and its puzzles as uint8[n, 81]; minimal ones of ours if it is missing."""
    folder = os.environ.get("NINEFOLD_DATA")
    path = Path(folder or ".") / name
    if folder and path.is_file():
        lines = path.read_text().split("\n")[:at_most]
        return path.stem, np.stack([parse(line).array() for line in lines if line])
    made = [generate(Recipe(minimal=True), seed).grid.array() for seed in range(min(at_most, 1_000))]
    return STAND_IN, np.stack(made)
