"""Every search ends: each technique has a stated bound or needs none, and says whether it reached it."""

from __future__ import annotations

import pytest

import engine
from engine.kernels.steps import ALL, FULL, PAST_BOUND, new_steps
from engine.position import Position
from engine.techniques import TECHNIQUES, limits_for
from engine.techniques.entry import SHORT
from engine.techniques.limits import FIELDS
from tests.technique_cases import OWN, read_cases
from tests.thorough import one_in

START = Position.from_grid(
    engine.parse("...7..12.........4.8316...5..2..6.37..9...8..36.8..4..1...4956.5.........34..8...")
)
HARD = Position.from_grid(
    engine.parse("98.7..6..5...9..4...3.....96...2...4.3.6..2...1.....6..5.8....1..7..1.5.....5.4..")
)


BOUNDED = sorted(key for key, technique in TECHNIQUES.items() if technique.bound != SHORT)
PATHS = {"logic", "hodoku", "explainer", "weighted_rules"}


def test_each_technique_has_a_bound_or_needs_none() -> None:
    assert all(TECHNIQUES[key].bound > 0 for key in BOUNDED)
    # Techniques that join any number of sets, cells or houses have a bound.
    assert {"remote_pair", "unique_loop", "x_wing", "als_xy_chain", "death_blossom", "trial"} <= {*BOUNDED}


def test_each_limit_is_a_field_and_each_path_is_walked() -> None:
    for key, technique in TECHNIQUES.items():
        assert technique.paths.keys() <= PATHS, key
        rows = [technique.limits, technique.together, *technique.paths.values()]
        assert {field for row in rows for field in row} <= FIELDS.keys() - {"bound"}, key
        assert limits_for(key)[FIELDS["bound"]] == technique.bound, key


@pytest.mark.slow
@pytest.mark.parametrize("key", one_in(4, BOUNDED))
def test_a_search_past_its_bound_says_so(key: str) -> None:
    limits = limits_for(key, {"bound": 0})
    found = set()
    for position in (HARD, *(case.position for case in read_cases(OWN) if case.technique == key)):
        out = new_steps(4096, 262_144)
        engine.TECHNIQUES[key].scan(position.array, limits, ALL, out)
        found.add(int(out[FULL]))
    assert PAST_BOUND in found


def test_a_full_buffer_is_no_bound() -> None:
    out = new_steps(1, 64)
    engine.TECHNIQUES["hidden_single"].scan(START.array, limits_for("hidden_single"), ALL, out)
    assert out[FULL] not in (0, PAST_BOUND)
