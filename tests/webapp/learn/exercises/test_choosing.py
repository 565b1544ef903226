"""The positions of lessons as shipped: typical, shown once, with a near miss in one way only."""

from __future__ import annotations

from collections import Counter
from contextlib import suppress

import pytest

import engine
from engine.generation.near_misses import WITHOUT
from tests.thorough import one_in
from webapp.learn.exercises import choosing, shipped
from webapp.learn.exercises.posed import Posed
from webapp.learn.lessons import path
from webapp.learn.lessons.texts import LESSONS
from webapp.models import ExerciseKind

KEYS = list(engine.TECHNIQUES)
# Techniques whose steps a more general one, an easier one in other houses, or a smaller fish also finds.
OUTDONE = frozenset(
    {
        *("direct_claiming", "vwxyz_wing", "uvwxyz_wing", "tuvwxyz_wing", "strong_links_4", "strong_links_5"),
        *("strong_links_6", "discontinuous_nice_loop", "grouped_discontinuous_nice_loop", "als_xy_chain"),
        *("grouped_continuous_nice_loop", "x_cycle", "y_cycle", "bidirectional_cycle", "forcing_x_chain"),
        *("franken_jellyfish", "finned_franken_x_wing", "finned_franken_swordfish"),
        *("mutant_swordfish", "mutant_jellyfish", "finned_mutant_x_wing", "finned_mutant_swordfish"),
        *("finned_mutant_jellyfish", "nishio", "cell_forcing_chain", "region_forcing_chain"),
        *("double_forcing_chain", "dynamic_forcing_chain", "brute_force"),
    }
)


def shown(key: str, kind: ExerciseKind = ExerciseKind.WORKED) -> Posed:
    return shipped.positions()[key][kind]


def test_no_board_serves_two_lessons() -> None:
    boards = Counter(posed.givens for kinds in shipped.positions().values() for posed in kinds.values())
    assert [givens for givens, count in boards.items() if count > 1] == []


@pytest.mark.parametrize("key", KEYS)
def test_an_example_has_the_shape_its_technique_is_known_by(key: str) -> None:
    posed = shown(key)
    assert choosing.typical(posed.steps[0], posed.position)


@pytest.mark.slow
@pytest.mark.parametrize("key", one_in(3, KEYS))
def test_no_easier_relative_explains_an_example(key: str) -> None:
    """Relatives are those that a lesson names, and the techniques of its family."""
    posed = shown(key)
    effects = posed.steps[0].placements | posed.steps[0].eliminations
    easier = {other for other in LESSONS[key].related if KEYS.index(other) < KEYS.index(key)}
    found = [*choosing.explaining(posed)]
    for other in easier - {*found}:
        with suppress(engine.GaveUp):
            steps = engine.find(posed.position, other)
            found += [other for step in steps if effects <= step.placements | step.eliminations][:1]
    assert (found != []) == (key in OUTDONE), found


def test_the_path_has_examples_that_nothing_easier_explains() -> None:
    """But for chains of almost locked sets, all of which are grouped AICs."""
    assert OUTDONE & {*path.order()} == {"als_xy_chain"}


def test_forcing_chains_that_grow_have_examples_of_their_own() -> None:
    """A dynamic chain that no static one proves, one of patterns that no net does, one of chains."""
    for key, easier in (
        ("dynamic_forcing_chain", ("forcing_chain_contradiction", "forcing_chain_verity", "forcing_chain")),
        ("dynamic_forcing_chain_plus", ("forcing_net_contradiction", "forcing_net_verity")),
        ("nested_forcing_chain", ("dynamic_forcing_chain_plus",)),
    ):
        posed = shown(key)
        effects = posed.steps[0].placements | posed.steps[0].eliminations
        for other in easier:
            steps = engine.find(posed.position, other)
            assert not any(effects <= step.placements | step.eliminations for step in steps), (key, other)


def test_a_trial_decides_a_cell_that_no_net_does() -> None:
    for key in ("trial", "brute_force"):
        for kind in (ExerciseKind.WORKED, ExerciseKind.EXERCISE):
            posed = shown(key, kind)
            assert choosing.typical(posed.steps[0], posed.position)


def test_an_example_said_to_come_next_does() -> None:
    for key in KEYS:
        if shown(key).least:
            step = engine.next_step(shown(key).position)
            assert step is not None and step.technique == key


@pytest.mark.parametrize("key", [key for key in KEYS if key not in WITHOUT])
def test_a_near_miss_lacks_little_and_is_mistaken_for_a_step(key: str) -> None:
    posed = shown(key, ExerciseKind.NEAR_MISS)
    assert posed.missed is not None
    assert not posed.there
    assert len(posed.spoiling) <= choosing.MOST_SPOILERS or len(posed.lacking) == 1
    solution = posed.position.solution
    assert solution is not None
    for cell, digit in posed.spoiling:
        assert digit in posed.position.candidates(cell)
    assert all(solution[cell] == digit for cell, digit in posed.lacking)
