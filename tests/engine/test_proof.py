"""Shortened proofs: the same effects, proved by the checker from their own links, and never longer."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

import pytest

import engine
from engine import ArgumentError, Position, Step
from engine.kernels.steps import ALL
from engine.steps.logic import _scan
from engine.steps.proof import shortened
from engine.steps.step import decode_shortest
from tests.step_checker import faults
from tests.technique_cases import OWN, read_cases

OWN_CASES = read_cases(OWN)
NETS = (
    "nishio",
    "cell_forcing_chain",
    "dynamic_forcing_chain",
    "dynamic_forcing_chain_plus",
    "nested_forcing_chain",
)
PUZZLE = "..53.....8......2..7..1.5..4....53...1..7...6..32...8..6.5....9..4....3......97.."


@cache
def _stuck() -> Position:
    """Return the position where the easiest steps of a hard puzzle end."""
    position = Position.from_grid(engine.parse(PUZZLE))
    while (step := engine.next_step(position)) and engine.TECHNIQUES[step.technique].tier < 4:
        position = position.after(step)
    return position


@cache
def _found() -> list[tuple[Step, Position]]:
    nets = {key for key, each in engine.TECHNIQUES.items() if each.template == "net"} | {"aic"}
    cases = [(case.technique, case.position) for case in OWN_CASES if case.technique in nets]
    asked = [*cases, *((key, _stuck()) for key in NETS)]
    return [
        (step, position)
        for key, position in asked
        for step in decode_shortest(_scan(position, engine.TECHNIQUES[key], ALL))[:12]
        if step.links
    ]


@pytest.mark.slow
def test_a_shortened_step_is_proved_and_does_the_same() -> None:
    assert len(_found()) > 50
    for step, position in _found():
        short = shortened(step, position)
        assert faults(position, short) == []
        assert (short.placements, short.eliminations) == (step.placements, step.eliminations)
        assert (short.technique, short.size, short.variant) == (step.technique, step.size, step.variant)


def _weight(step: Step) -> int:
    """Return the reading cost of a proof: a true digit counts as four ruled out, a lemma by its own proof."""
    total = sum(4 if claim.on else 1 for branch in step.branches() for claim in branch.claims)
    for branch in step.branches():
        for inference in branch.inferences:
            if inference.lemma is not None:
                total += 8 + 2 * _length(step.lemmas[inference.lemma])
    return total


def _length(lemma: Step) -> int:
    return len(lemma.links) + len(lemma.cells) + sum(map(_length, lemma.lemmas))


def test_no_proof_grows_and_most_of_nets_with_lemmas_shrink() -> None:
    pairs = [(step, shortened(step, position)) for step, position in _found()]
    assert all(_weight(short) <= _weight(step) for step, short in pairs)
    nested = [
        (step, short) for step, short in pairs if step.technique == "nested_forcing_chain" and step.lemmas
    ]
    assert len(nested) > 5
    before, after = (sum(map(_weight, column)) for column in zip(*nested, strict=True))
    assert after < 0.8 * before


def test_nothing_in_a_shortened_net_goes_unused() -> None:
    for step, position in _found():
        short = shortened(step, position)
        if short == step:
            continue
        for branch in short.branches():
            ends = {*(branch.clash or (branch.end,))}
            used = ends.union(*(inference.premises for inference in branch.inferences))
            assert {inference.result for inference in branch.inferences} <= used
        lemmas = {inference.lemma for branch in short.branches() for inference in branch.inferences} - {None}
        assert lemmas == set(range(len(short.lemmas)))


def test_the_shortest_of_several_branches_comes_first() -> None:
    several = [shortened(step, position) for step, position in _found() if len(step.branches(position)) > 2]
    assert len(several) > 10
    for step in several:
        lengths = [len(branch.inferences) for branch in step.branches()]
        assert lengths == sorted(lengths)


def test_nishio_keeps_to_its_digit() -> None:
    steps = [(step, position) for step, position in _found() if step.technique == "nishio"]
    assert steps
    for step, position in steps:
        claims = [claim for branch in shortened(step, position).branches() for claim in branch.claims]
        assert len({claim.digit for claim in claims}) == 1


def test_a_chain_is_returned_as_it_is() -> None:
    chains = [(step, position) for step, position in _found() if step.technique == "aic"]
    assert chains
    assert all(shortened(step, position) is step for step, position in chains)


@pytest.mark.parametrize("key", NETS)
def test_a_search_returns_the_shortened_proofs(key: str) -> None:
    raw = decode_shortest(_scan(_stuck(), engine.TECHNIQUES[key], ALL))
    assert engine.find(_stuck(), key) == [shortened(step, _stuck()) for step in raw]


def test_a_path_has_the_same_proofs_as_its_single_steps() -> None:
    position = Position.from_grid(engine.parse(PUZZLE))
    for step in engine.solve_path(position).steps:
        assert step == engine.next_step(position)
        position = position.after(step)


@pytest.mark.parametrize("made", [{"technique": "telepathy"}, {"technique": []}])
def test_a_step_made_by_hand_is_refused_with_a_sentence(made: Any) -> None:
    step = replace(_found()[0][0], **made)
    with pytest.raises(ArgumentError, match=r"^step: expected one the engine found"):
        engine.eureka(step, _stuck())
    with pytest.raises(ArgumentError, match=r"^step: expected one the engine found"):
        engine.sentence(step)
