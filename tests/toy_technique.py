"""A toy technique, made by the recipe in CONTRIBUTING.md: a scan, an entry, a shared template."""

from __future__ import annotations

from typing import Final

from engine.kernels._jit import kernel
from engine.kernels.bits import trailing_zeros
from engine.kernels.state import CANDIDATES, State
from engine.kernels.steps import Steps, begin, commit, put_cell, put_placed
from engine.techniques.entry import N_, PATTERN, SHORT, Family, Technique
from engine.techniques.limits import KEY, Limits


@kernel
def scan_corner_single(position: State, limits: Limits, mode: int, out: Steps) -> None:
    """Find the naked single of the first cell."""
    mask = position[CANDIDATES]
    if mask and mask & (mask - 1) == 0:
        begin(out, limits[KEY], 0, mask, 1)
        put_placed(out, 0, trailing_zeros(mask))
        put_cell(out, PATTERN, mask, 0)
        commit(out, mode)


CORNER_SINGLE: Final = Technique(
    "corner_single",
    N_("Corner single"),
    scan=scan_corner_single,
    family=Family.SINGLES,
    tier=1,
    bound=SHORT,
    template_name="naked_single",
)
