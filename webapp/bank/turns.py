"""Turns: a puzzle turned and relabeled at random, its givens as symmetric as before."""

from __future__ import annotations

import secrets

import engine
from engine.generation.symmetry import Symmetry
from engine.generation.vary import Varied, vary
from webapp.bank import breakdown


def turn(givens: str, seed: int | None = None) -> Varied:
    """Return a random turn of a puzzle: the grid, and the transformation that leads to it."""
    kept = next(iter(breakdown.symmetries(givens)), Symmetry.NONE)
    return vary(engine.parse(givens), secrets.randbits(62) if seed is None else seed, kept.value)
