"""Two strong links get the name that players use for their geometry."""

from __future__ import annotations

import pytest

import engine
from engine.geometry import HOUSES
from engine.kernels.steps import ALL, new_steps
from engine.steps.step import decode_all
from engine.steps.strong import grouped, shape, strong_links
from engine.techniques import TECHNIQUES, limits_for
from tests.engine.struck import of_fives


def _shapes(kept: dict[int, tuple[int, ...]]) -> set[tuple[str, bool]]:
    return {(shape(step), grouped(step)) for step in engine.find(of_fives(kept), "strong_links_2")}


@pytest.mark.parametrize(
    ("kept", "name"),
    [
        ({0: (3, 8), 4: (40, 44)}, ("skyscraper", False)),  # rows 1 and 5 over column 9
        ({0: (3, 8), 16: (16, 61)}, ("two_string_kite", False)),  # row 1, column 8, box 3
        ({0: (1, 6), 4: (37, 42)}, ("x_wing", False)),
        ({18: (0, 10), 16: (16, 61)}, ("turbot_fish", False)),  # box 1 and column 8 over row 2
        ({0: (3, 4, 8), 4: (40, 44)}, ("skyscraper", True)),
    ],
)
def test_two_links_are_named(kept: dict[int, tuple[int, ...]], name: tuple[str, bool]) -> None:
    assert name in _shapes(kept)


def test_a_box_of_two_lines_with_a_pair_is_an_empty_rectangle() -> None:
    # Box 5 has 5 in row 5 and column 5 alone; column 1 joins rows 5 and 8.
    assert ("empty_rectangle", True) in _shapes({22: (39, 40, 49), 9: (36, 63)})


def test_every_skyscraper_and_kite_is_one_by_its_geometry_too() -> None:
    skyscraper, kite = {0: (3, 8), 4: (40, 44)}, {0: (3, 8), 16: (16, 61)}
    for key, kept in (("skyscraper", skyscraper), ("two_string_kite", kite)):
        position = of_fives(kept)
        own = [step.eliminations for step in engine.find(position, key)]
        named = [step.eliminations for step in engine.find(position, "strong_links_2") if shape(step) == key]
        assert own and all(effects in named for effects in own)


def test_the_ends_of_a_link_are_all_the_places_of_its_house() -> None:
    position = of_fives({0: (3, 4, 8), 4: (40, 44)})
    for step in engine.find(position, "strong_links_2"):
        for link in strong_links(step):
            places = {cell for cell in HOUSES[link.house] if 5 in position.candidates(cell)}
            assert places == {*link.ends[0], *link.ends[1]}


def test_other_steps_have_no_strong_links_and_keep_their_name() -> None:
    position = of_fives({0: (1, 6), 4: (37, 42)})
    (step, *_) = engine.find(position, "x_wing")
    assert strong_links(step) == ()
    assert shape(step) == "x_wing"


def test_a_ring_is_found_from_one_link_alone() -> None:
    out, technique = new_steps(256, 16_384), TECHNIQUES["strong_links_2"]
    technique.scan(of_fives({0: (1, 6), 4: (37, 42)}).array, limits_for(technique.key), ALL, out)
    rings = [step for step in decode_all(out) if shape(step) == "x_wing"]
    assert len(rings) == 1
