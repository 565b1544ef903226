"""The memory of failed searches: it may forget but never invents, and does not change any path."""

from __future__ import annotations

import random

import numpy as np
import pytest

import engine
from engine import Position, Recipe
from engine.kernels.state import CANDIDATES
from engine.kernels.steps import COUNT, FIRST, clear, new_steps
from engine.rating import explainer, hodoku
from engine.rating.memo import ITSELF, SLOTS, code_after, code_of, is_known, new_memo, note, question
from engine.rating.rating import logic_order
from engine.rating.scheme import image_of
from engine.techniques import TECHNIQUES, limits_for
from engine.techniques.entry import HARDEST_TIER
from engine.transformation import Transformation
from tests.thorough import one_in

START = Position.from_grid(
    engine.parse("...7..12.........4.8316...5..2..6.37..9...8..36.8..4..1...4956.5.........34..8...")
)


@pytest.mark.kernel
def test_what_was_noted_is_known_on_its_position_alone() -> None:
    memo = new_memo()
    code, asked = code_of(START.array, ITSELF), question("x_wing", limits_for("x_wing"))
    assert not is_known(memo, code, asked)
    note(memo, code, asked)
    assert is_known(memo, code, asked)
    cell = next(cell for cell in range(81) if len(START.candidates(cell)) > 1)
    other = START.changed((), [(cell, START.candidates(cell)[0])])
    assert not is_known(memo, code_of(other.array, ITSELF), asked)


@pytest.mark.kernel
def test_a_code_follows_a_position_as_its_candidates_go() -> None:
    before, code = START, code_of(START.array, ITSELF)
    for cell in range(81):
        if not before.candidates(cell):
            continue
        after = before.changed([(cell, before.candidates(cell)[0])], ())
        masks = before.array[CANDIDATES : CANDIDATES + 81]
        code = code_after(code, masks, after.array, ITSELF)
        assert code == code_of(after.array, ITSELF)
        before = after


@pytest.mark.kernel
def test_a_full_memory_knows_no_more_than_was_stored() -> None:
    memo = new_memo()
    for code in range(1, 4 * SLOTS):
        note(memo, code, 5)
    assert np.count_nonzero(memo) > SLOTS // 2
    assert not any(is_known(memo, code, 6) for code in range(1, 4 * SLOTS))


def test_one_technique_with_other_limits_is_another_question() -> None:
    numbers = {question(key, limits_for(key)) for key in ("x_wing", "aic")}
    numbers |= {question("aic", limits_for("aic", {"links": links})) for links in range(3, 9)}
    assert len(numbers) == 8


@pytest.mark.parametrize("seed", one_in(5, range(30)))
def test_a_walk_is_the_same_with_what_other_walks_remember(seed: int) -> None:
    grid = engine.generate(Recipe(minimal=True), seed).grid
    position = Position.from_grid(grid)
    memo = new_memo()
    for order in (explainer.order(), hodoku.order(), logic_order(), explainer.order()):
        alone, together = order.walk(position), order.walk(position, memo)
        assert alone.end == together.end
        assert np.array_equal(alone.log, together.log)


def test_a_walk_remembers_what_found_nothing() -> None:
    memo = new_memo()
    explainer.order().walk(Position.from_grid(engine.generate(Recipe(level=5), 1).grid), memo)
    assert np.count_nonzero(memo)


@pytest.mark.parametrize("seed", one_in(5, range(30)))
def test_a_walk_through_the_canonical_form_is_the_same_with_what_the_puzzle_remembers(seed: int) -> None:
    position = Position.from_grid(engine.generate(Recipe(minimal=True), seed).grid)
    image = image_of(position)
    memo = new_memo()
    for order in (explainer.order(), logic_order()):
        order.walk(position, memo)
    for order in (explainer.order(), logic_order()):
        alone, together = order.walk(image.start), order.walk(image.start, memo, image.origin)
        assert alone.end == together.end
        assert np.array_equal(alone.log, together.log)


@pytest.mark.parametrize("seed", range(6))
def test_equivalent_positions_have_steps_of_the_same_techniques(seed: int) -> None:
    draw = random.Random(seed)
    out = new_steps(4_096, 1 << 18)
    order = logic_order()
    position = Position.from_grid(engine.generate(Recipe(minimal=True), seed).grid)
    for step in engine.solve_path(position).steps:
        there = position.transformed(Transformation.random(draw.randrange))
        for key, asked in zip(order.keys, order._equal_questions.tolist(), strict=True):
            if not asked or TECHNIQUES[key].tier == HARDEST_TIER:
                continue
            found = []
            for each in (position, there):
                clear(out)
                TECHNIQUES[key].scan(
                    each.array, limits_for(key, TECHNIQUES[key].on_path("logic")), FIRST, out
                )
                found.append(bool(out[COUNT]))
            assert found[0] == found[1], key
        position = position.after(step)


@pytest.mark.kernel
def test_a_puzzle_and_its_canonical_form_share_a_code() -> None:
    image = image_of(START)
    assert code_of(image.start.array, image.origin) == code_of(START.array, ITSELF)
