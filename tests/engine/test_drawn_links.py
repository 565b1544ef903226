"""The lines of a chain avoid candidates that they don't link, and show their direction."""

from __future__ import annotations

import re
from itertools import pairwise
from math import dist

import pytest

import engine
from engine.drawing.links import RING, Arrow, Line, Point, lines
from engine.drawing.of_step import overlay_of
from engine.drawing.overlay import middle_of, place_of
from engine.steps.branches import displayed
from engine.techniques import Role
from tests.technique_cases import OWN, read_cases
from tests.thorough import one_in

CASES = {case.technique: case for case in read_cases(OWN)}
CHAINS = ["skyscraper", "x_chain", "xy_chain", "y_cycle", "continuous_nice_loop", "aic"]


def along(*cells: int, digit: int = 5) -> list[Arrow]:
    """Return a chain through these cells on one digit."""
    return [
        Arrow(place_of(one, digit), place_of(other, digit), strong=number % 2 == 0)
        for number, (one, other) in enumerate(pairwise(cells))
    ]


def nearest(line: Line, point: Point) -> float:
    return min(dist(point, other) for other in line.curve)


def side(line: Line) -> float:
    """Return the side to which a line curves off the straight way between its ends, and how far."""
    (x1, y1), (x2, y2) = line.curve[0], line.curve[-1]
    x, y = line.curve[len(line.curve) // 2]
    return ((x - x1) * (y2 - y1) - (y - y1) * (x2 - x1)) / dist(line.curve[0], line.curve[-1])


@pytest.mark.parametrize("cells", [(0, 4, 8), (0, 27, 72), (0, 40, 80), (3, 4, 5, 12, 21)])
def test_a_line_starts_and_ends_at_the_edge_of_its_candidates(cells: tuple[int, ...]) -> None:
    arrows = along(*cells)
    for arrow, line in zip(arrows, lines(arrows, [], []), strict=True):
        assert dist(arrow.start, line.curve[0]) == pytest.approx(RING)
        assert dist(arrow.end, line.curve[-1]) == pytest.approx(RING)


def test_a_line_bows_around_the_digits_on_its_way() -> None:
    digits = [middle_of(cell) for cell in (1, 2, 3, 5, 6, 7)]
    for line in lines(along(0, 8), [], digits):
        assert min(nearest(line, digit) for digit in digits) > 2.2


def test_a_line_bows_around_the_candidates_on_its_way() -> None:
    rings = [place_of(cell, 5) for cell in (0, 10, 20, 30, 40)]
    (line,) = lines(along(0, 40), rings, [])
    assert min(nearest(line, ring) for ring in rings[1:-1]) > RING


@pytest.mark.parametrize("cells", [((0, 5), (3, 8)), ((0, 8), (2, 6)), ((4, 76), (13, 58)), ((8, 2), (0, 5))])
def test_two_lines_along_one_row_or_column_bow_to_different_sides(cells: tuple[tuple[int, int], ...]) -> None:
    one, other = lines([arrow for pair in cells for arrow in along(*pair)], [], [])
    forward = (one.curve[-1][0] - one.curve[0][0]) * (other.curve[-1][0] - other.curve[0][0])
    forward += (one.curve[-1][1] - one.curve[0][1]) * (other.curve[-1][1] - other.curve[0][1])
    assert side(one) * side(other) * forward < 0


def test_an_arrowhead_points_at_the_candidate_it_leads_to() -> None:
    (arrow,) = along(0, 8)
    (line,) = lines([arrow], [], [])
    tip, left, right = ((float(x), float(y)) for x, y in re.findall(r"([\d.]+) ([\d.]+)", line.head))
    assert dist(tip, arrow.end) == pytest.approx(RING, abs=0.02)
    assert dist(tip, arrow.end) < min(dist(left, arrow.end), dist(right, arrow.end))


def test_a_link_that_goes_either_way_has_no_arrowhead() -> None:
    (line,) = lines([Arrow((10, 10), (60, 10), strong=True, headed=False)], [], [])
    assert line.head == ""


@pytest.mark.parametrize("key", one_in(3, CHAINS))
def test_no_line_of_a_step_passes_through_a_digit_or_a_candidate_of_another(key: str) -> None:
    position = CASES[key].position
    filled = [middle_of(cell) for cell, digit in enumerate(position.grid.digits) if digit]
    for step in engine.find(position, key)[:3]:
        drawn = overlay_of(step, position)
        rings = [(ring.x, ring.y) for ring in (*drawn.rings, *drawn.removed)]
        assert drawn.lines
        for line in drawn.lines:
            ends = (line.curve[0], line.curve[-1])
            others = [ring for ring in rings if all(dist(ring, end) > RING + 0.1 for end in ends)]
            assert all(nearest(line, point) > 1 for point in (*others, *filled)), key


def test_a_skyscraper_is_a_chain_from_one_top_to_the_other() -> None:
    position = CASES["skyscraper"].position
    step = engine.find(position, "skyscraper")[0]
    drawn = overlay_of(step, position)
    assert [line.strong for line in drawn.lines] == [True, False, True]
    assert all(line.head for line in drawn.lines)
    tops = [place_of(cell, step.digits[0]) for cell in step.cells_of(Role.PINCER)]
    reached = {
        min(tops, key=lambda top: dist(top, end))
        for end in (drawn.lines[0].curve[0], drawn.lines[-1].curve[-1])
    }
    assert reached == {*tops}


def test_what_belongs_to_a_step_of_a_chain_is_marked_with_its_number() -> None:
    position = CASES["xy_chain"].position
    step = engine.find(position, "xy_chain")[0]
    drawn = overlay_of(step, position)
    count = sum(len(branch.inferences) for branch in displayed(step.branches()))
    assert count > 2
    assert {number for line in drawn.lines for number in line.steps} == {*range(1, count + 1)}
    for line in drawn.lines:
        met = [ring for ring in drawn.rings if {*line.steps} <= {*ring.steps}]
        assert len(met) >= 2 or drawn.removed
