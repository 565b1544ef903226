"""Puzzles to measure with: the shared collections where NINEFOLD_DATA is set, else our own."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from engine import Recipe, generate, parse


def collection(name: str, at_most: int = 50_000) -> tuple[str, NDArray[np.uint8]]:
    """A set's name and its puzzles as uint8[n, 81]; minimal ones of ours where it is not there."""
    folder = os.environ.get("NINEFOLD_DATA")
    path = Path(folder or ".") / name
    if folder and path.is_file():
        lines = path.read_text().split("\n")[:at_most]
        return path.stem, np.stack([parse(line).array() for line in lines if line])
    made = [generate(Recipe(minimal=True), seed).grid.array() for seed in range(min(at_most, 10_000))]
    return f"{len(made):,} minimal puzzles of ours", np.stack(made)
