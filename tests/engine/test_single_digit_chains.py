"""Chains of one digit: the variants of strong links, and the limits of remote pairs and kites."""

from __future__ import annotations

import pytest

import engine
from engine.kernels.steps import ALL, COUNT, FIRST, new_steps
from engine.position import Position
from engine.steps import logic
from engine.steps.step import Step, decode_all
from engine.techniques import limits_for, strong_links
from tests.engine.struck import of_cells
from tests.technique_cases import OWN, read_cases


def _of_fives(*cells: int) -> Position:
    return of_cells(dict.fromkeys(cells, "5"))


def _variants(position: Position, cell: int) -> set[int]:
    """Return the variants of the two-link chains that clear just `cell`."""
    steps = logic.find(position, "strong_links_2")
    return {step.variant for step in steps if step.eliminations == {(cell, 5)}}


# Free ends r1c4 and, over column 9, r5c5; over box 3, r7c8.
SKYSCRAPER = _of_fives(3, 8, 40, 44, 13)
KITE = _of_fives(3, 8, 25, 61, 57)
GROUPED_KITE = _of_fives(3, 8, 16, 25, 61, 57, 15)


@pytest.mark.kernel
def test_links_in_two_rows_are_parallel_in_a_row_and_a_column_mixed() -> None:
    assert _variants(SKYSCRAPER, 13) == {strong_links.PARALLEL}
    assert _variants(KITE, 57) == {strong_links.MIXED}


@pytest.mark.kernel
def test_a_link_with_a_group_makes_a_chain_grouped() -> None:
    assert _variants(GROUPED_KITE, 57) == {strong_links.GROUPED}


@pytest.mark.kernel
def test_a_kite_needs_single_cells() -> None:
    assert [step.eliminations for step in logic.find(KITE, "two_string_kite")] == [{(57, 5)}]
    assert logic.find(GROUPED_KITE, "two_string_kite") == []


@pytest.mark.kernel
def test_an_empty_rectangle_of_two_cells_is_a_matter_of_limits() -> None:
    for kinds, found in ((1, 2), (0, 0)):
        out = new_steps(8, 512)
        scan = engine.TECHNIQUES["empty_rectangle"].scan
        scan(KITE.array, limits_for("empty_rectangle", {"kinds": kinds}), ALL, out)
        assert out[COUNT] == found


def _scan(position: Position, key: str, mode: int) -> list[Step]:
    out = new_steps(4096, 262_144)
    engine.TECHNIQUES[key].scan(position.array, limits_for(key), mode, out)
    return decode_all(out)


@pytest.mark.parametrize("key", ["strong_links_2", "strong_links_3"])
def test_the_first_chain_of_strong_links_has_the_lowest_rating(key: str) -> None:
    for case in read_cases(OWN):
        steps = _scan(case.position, key, ALL)
        first = _scan(case.position, key, FIRST)
        assert len(first) == min(1, len(steps))
        if first:
            best = min(step.variant for step in steps)
            most = max(len(step.eliminations) for step in steps if step.variant == best)
            assert first[0].variant == best
            assert len(first[0].eliminations) <= most


def test_remote_pairs_beyond_their_bound_give_up_instead_of_searching_on() -> None:
    everywhere = of_cells(dict.fromkeys(range(81), "12"))
    with pytest.raises(engine.GaveUp, match=r"remote_pair.*bound"):
        logic.find(everywhere, "remote_pair")
