"""Chains in Eureka notation, compared with lines written by hand from the position."""

from __future__ import annotations

from itertools import pairwise

import pytest

import engine
from engine.kernels.steps import BY_ALS
from engine.position import Position
from engine.steps.branches import Link
from engine.steps.step import PatternCell, Step
from engine.steps.wording import eureka
from engine.techniques import Role
from engine.techniques.implications import ASSUMED, BY_CELL
from tests.engine.struck import of_fives


def _on(cell: str, digit: int) -> int:
    """Return the literal that a cell such as r1c2 holds a digit."""
    return 2 * (9 * (9 * (int(cell[1]) - 1) + int(cell[3]) - 1) + digit - 1) + 1


def _off(cell: str, digit: int) -> int:
    return _on(cell, digit) - 1


def _group(row: int, part: int, digit: int) -> int:
    """Return the literal that one of the n-th three cells of a row, from 0, holds a digit."""
    return 2 * (729 + 54 * (digit - 1) + 3 * (row - 1) + part) + 1


def _chain(key: str, literals: list[int], gone: str, digit: int) -> Step:
    """Return a step of one branch, from literal to literal."""
    links = [Link(-1, literals[0], ASSUMED)]
    for one, other in pairwise(literals):
        within = one < 1458 and other < 1458 and one // 18 == other // 18
        links.append(Link(one, other, BY_CELL if within else 0))
    removed = frozenset({((_on(gone, digit) // 2) // 9, digit)})
    return Step(key, frozenset(), removed, (), (), (), tuple(links), 0, len(literals))


def test_an_x_chain() -> None:
    step = _chain("x_chain", [_off("r1c2", 3), _on("r1c8", 3), _off("r5c8", 3), _on("r5c4", 3)], "r4c2", 3)
    assert eureka(step) == "(3)r1c2=(3)r1c8-(3)r5c8=(3)r5c4 => r4c2<>3"


def test_an_xy_chain_stands_in_its_cells() -> None:
    literals = [
        _off("r1c1", 1),
        _on("r1c1", 2),
        _off("r1c5", 2),
        _on("r1c5", 3),
        _off("r4c5", 3),
        _on("r4c5", 1),
    ]
    step = _chain("xy_chain", literals, "r4c1", 1)
    assert eureka(step) == "(1=2)r1c1-(2=3)r1c5-(3=1)r4c5 => r4c1<>1"


def test_an_aic_mixes_links_of_houses_and_cells() -> None:
    literals = [
        _off("r1c2", 3),
        _on("r1c8", 3),
        _off("r1c8", 5),
        _on("r6c8", 5),
        _off("r6c2", 5),
        _on("r6c2", 3),
    ]
    assert eureka(_chain("aic", literals, "r4c2", 3)) == "(3)r1c2=(3-5)r1c8=(5)r6c8-(5=3)r6c2 => r4c2<>3"


def test_a_group_is_one_node() -> None:
    literals = [_off("r5c9", 8), _group(5, 0, 8), _group(4, 0, 8) - 1, _on("r4c9", 8)]
    step = _chain("grouped_aic", literals, "r6c9", 8)
    assert eureka(step) == "(8)r5c9=(8)r5c123-(8)r4c123=(8)r4c9 => r6c9<>8"


def test_a_group_names_only_cells_that_hold_the_digit() -> None:
    position = Position.from_grid(engine.parse(81 * ".")).changed([], [(37, 8), (27, 8)])
    literals = [_off("r5c9", 8), _group(5, 0, 8), _group(4, 0, 8) - 1, _on("r4c9", 8)]
    step = _chain("grouped_aic", literals, "r6c9", 8)
    assert eureka(step, position) == "(8)r5c9=(8)r5c13-(8)r4c23=(8)r4c9 => r6c9<>8"


def test_a_discontinuous_loop_ends_where_it_starts() -> None:
    literals = [
        _on("r1c9", 1),
        _off("r2c7", 1),
        _on("r2c1", 1),
        _off("r1c1", 1),
        _on("r1c5", 1),
        _off("r1c9", 1),
    ]
    step = _chain("discontinuous_nice_loop", literals, "r1c9", 1)
    assert eureka(step) == "(1)r1c9-(1)r2c7=(1)r2c1-(1)r1c1=(1)r1c5-(1)r1c9 => r1c9<>1"


def test_an_almost_locked_set_stands_with_the_digits_it_joins() -> None:
    cells = tuple(PatternCell(Role.ALS, cell, (1, 4, 8)) for cell in (41, 43))
    links = (
        Link(-1, _on("r5c2", 8), ASSUMED),
        Link(_on("r5c2", 8), _off("r5c4", 1), BY_ALS),
        Link(_off("r5c4", 1), _on("r8c4", 1), 12),
        Link(_on("r8c4", 1), _off("r5c2", 8), 0),
    )
    step = Step(
        "grouped_discontinuous_nice_loop", frozenset(), frozenset({(37, 8)}), (), cells, (), links, 0, 4
    )
    assert eureka(step) == "(8)r5c2-(8=1)r5c68-(1)r5c4=(1)r8c4-(8)r5c2 => r5c2<>8"


# 5 in row 1 at columns 4 and 9, in row 5 at columns 5 and 9: towers over column 9.
TOWERS = {0: (3, 8), 4: (40, 44)}


@pytest.mark.parametrize("key", ["skyscraper", "strong_links_2", "x_chain"])
def test_a_skyscraper_is_found_and_written(key: str) -> None:
    lines = {eureka(step) for step in engine.find(of_fives(TOWERS), key)}
    there = "(5)r1c4=(5)r1c9-(5)r5c9=(5)r5c5"
    back = "(5)r5c5=(5)r5c9-(5)r1c9=(5)r1c4"
    assert lines & {f"{way} => r2c5,r3c5,r4c4,r6c4<>5" for way in (there, back)}


def test_a_ring_is_closed_by_its_weak_link() -> None:
    # The X-Wing of rows 1 and 5 in columns 2 and 7, as a ring of two strong links.
    (step,) = engine.find(of_fives({0: (1, 6), 4: (37, 42)}), "strong_links_2")
    written = eureka(step)
    line, _, effects = written.partition(" => ")
    assert line in (
        "(5)r1c2=(5)r1c7-(5)r5c7=(5)r5c2-loop",
        "(5)r1c7=(5)r1c2-(5)r5c2=(5)r5c7-loop",
    )
    assert effects.endswith("<>5") and effects.count("c2") == effects.count("c7") == 7


def test_a_continuous_loop_starts_with_a_strong_link_and_has_every_candidate_once() -> None:
    (step, *_) = engine.find(of_fives({0: (1, 6), 4: (37, 42)}), "x_cycle")
    written = eureka(step)
    line = written.partition(" => ")[0]
    assert line.endswith("-loop")
    assert line.count("=") == 2
    assert line.count("(5)") == 4


@pytest.mark.parametrize("key", ["naked_pair", "hidden_single", "forcing_net_verity"])
def test_what_is_no_chain_has_no_line(key: str) -> None:
    assert eureka(Step(key, frozenset(), frozenset({(0, 1)}), (1,), (), (), (), 0, 0)) is None


def test_placements_come_before_eliminations_and_equal_ones_together() -> None:
    links = (Link(-1, _off("r1c1", 3), ASSUMED), Link(_off("r1c1", 3), _on("r1c5", 3), 0))
    step = Step("aic", frozenset({(80, 2)}), frozenset({(9, 3), (18, 3), (20, 4)}), (), (), (), links, 0, 2)
    assert eureka(step) == "(3)r1c1=(3)r1c5 => r9c9=2; r2c1,r3c1<>3; r3c3<>4"
