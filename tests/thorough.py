"""The size of long tests: a moderate amount, or everything with THOROUGH=1 (the campaign `thorough`)."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import TypeVar

THOROUGH = os.environ.get("THOROUGH") == "1"

Item = TypeVar("Item")


def amount(name: str, moderate: int, full: int) -> int:
    """Return the number of repetitions: the environment's value under `name`, else by THOROUGH."""
    return int(os.environ.get(name) or (full if THOROUGH else moderate))


def one_in(number: int, alike: Iterable[Item]) -> list[Item]:
    """Return one in `number` of cases that are alike, or all of them with THOROUGH=1."""
    return list(alike)[:: 1 if THOROUGH else number]
