"""The branches of a step hold the same inferences as its links, decoded here by independent code."""

from __future__ import annotations

import pytest

import engine
from engine import Position, Step
from engine.kernels.steps import BY_ALS, BY_LEMMA
from engine.steps.branches import Branch, Cause, Claim, Link
from engine.techniques import Role
from engine.techniques.implications import ASSUMED, BY_CELL
from tests.technique_cases import OWN, Case, read_cases

OWN_CASES = read_cases(OWN)
EMPTY = Position.from_grid(engine.parse(81 * "."))


def literal(cell: int, digit: int, on: bool) -> int:
    return 2 * (9 * cell + digit - 1) + on


def step_of(*links: Link) -> Step:
    return Step("aic", frozenset(), frozenset(), (), (), (), links, 0, len(links))


def links_of(step: Step, branches: tuple[Branch, ...]) -> list[tuple[Claim | None, Claim, int]]:
    """Convert the branches back to links: premise, result and the number of the cause."""
    found: list[tuple[Claim | None, Claim, int]] = []
    for branch in branches:
        found.append((None, branch.assumption, ASSUMED))
        for inference in branch.inferences:
            numbers = {
                Cause.HOUSE: inference.house,
                Cause.CELL: BY_CELL,
                Cause.LEMMA: None if inference.lemma is None else BY_LEMMA + inference.lemma,
                Cause.SET: None if inference.als is None else BY_ALS + inference.als,
            }
            cause = numbers[inference.cause]
            if inference.als is not None:
                assert inference.als_cells == step.cells_of(Role.ALS + inference.als) != ()
            found += [(premise, inference.result, cause) for premise in inference.premises]
    return found


def claim_of(number: int) -> Claim | None:
    if number < 0:
        return None
    node, on = number // 2, number % 2 == 1
    if node < 729:
        return Claim((node // 9,), node % 9 + 1, on)
    digit, segment = (node - 729) // 54 + 1, (node - 729) % 54
    line, part = segment % 27 // 3, segment % 3
    cells = (9 * line + 3 * part + at if segment < 27 else 9 * (3 * part + at) + line for at in range(3))
    return Claim(tuple(cells), digit, on)


@pytest.mark.parametrize("case", OWN_CASES, ids=lambda case: case.technique)
def test_no_link_is_lost_and_none_is_added(case: Case) -> None:
    for step in engine.find(case.position, case.technique)[:20]:
        expected = [(claim_of(link.source), claim_of(link.target), link.cause) for link in step.links]
        assert links_of(step, step.branches()) == expected


def test_a_pattern_has_no_branches() -> None:
    (step, *_) = engine.find(EMPTY.changed([], [(0, digit) for digit in range(2, 10)]), "naked_single")
    assert step.branches() == ()


def test_a_group_is_named_by_its_cells_with_the_digit_if_the_position_is_known() -> None:
    row_part = 2 * (729 + 54 * 4) + 1  # 5 in the first three cells of row 1
    column_part = 2 * (729 + 54 * 4 + 27 + 3 * 8 + 2)  # 5 in the last three cells of column 9
    step = step_of(Link(-1, row_part, ASSUMED), Link(row_part, column_part, 0))
    without_one = EMPTY.changed([], [(1, 5), (80, 5)])
    (branch,) = step.branches()
    assert branch.claims == (Claim((0, 1, 2), 5, True), Claim((62, 71, 80), 5, False))
    (branch,) = step.branches(without_one)
    assert branch.claims == (Claim((0, 2), 5, True), Claim((62, 71), 5, False))


def test_links_to_one_target_with_one_cause_are_premises_of_one_inference() -> None:
    start, one, other, end = (literal(cell, 1, cell == 0) for cell in (0, 1, 2, 3))
    (branch,) = step_of(
        Link(-1, start, ASSUMED),
        Link(start, one, 0),
        Link(start, other, 0),
        Link(one, end, 0),
        Link(other, end, 0),
    ).branches()
    assert [len(inference.premises) for inference in branch.inferences] == [1, 1, 2]
    assert branch.end == Claim((3,), 1, False)


def test_a_clash_names_what_was_derived_first_in_front() -> None:
    on, off = literal(8, 1, True), literal(8, 1, False)
    (branch,) = step_of(
        Link(-1, literal(0, 1, True), ASSUMED), Link(literal(0, 1, True), off, 0), Link(off, on, BY_CELL)
    ).branches()
    assert branch.clash == (Claim((8,), 1, False), Claim((8,), 1, True))
    assert branch.clash[0].opposite == branch.clash[1]
    assert branch.inferences[1].strong and not branch.inferences[0].strong
