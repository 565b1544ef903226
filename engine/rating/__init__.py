"""Rating: one scheme a file, each with its entries in SCHEMES, all read by `rate`.

The numbers of the literature's schemes are in weights.py, those of the Explainer and of HoDoKu in their own
files. To add a scheme, write a file with `SCHEMES` and name it in schemes.py.
"""

from __future__ import annotations

from engine.rating.rating import Rating, level_of, rate
from engine.rating.scheme import Scheme, Subject
from engine.rating.schemes import SCHEMES

__all__ = ["SCHEMES", "Rating", "Scheme", "Subject", "level_of", "rate"]
