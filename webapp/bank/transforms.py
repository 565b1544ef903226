"""Random transformations of a puzzle that keep the symmetry of its givens."""

from __future__ import annotations

import secrets

import engine
from engine.generation import Symmetry, Varied, vary
from webapp.bank import breakdown


def random_transform(givens: str, seed: int | None = None) -> Varied:
    """Return a random transformation of a puzzle: the grid, and the transformation that maps it there."""
    kept = next(iter(breakdown.symmetries(givens)), Symmetry.NONE)
    return vary(engine.parse(givens), secrets.randbits(62) if seed is None else seed, kept.value)
