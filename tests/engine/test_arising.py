"""The steps that arise under an assumption are those that a search would find."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from engine import Position, parse
from engine.kernels.state import CANDIDATES, State
from engine.kernels.steps import ALL, COUNT, new_steps
from engine.techniques import TECHNIQUES
from engine.techniques.closure import Closure, closure_of, links_of, parts_of
from engine.techniques.graph import build
from engine.techniques.implications import CELLS, HOUSES, LITERALS, NODE_LITERALS, STOP, Search, reset, spread
from engine.techniques.rare.arising import chain_arises, join_new_links, new_arising, verity_arises
from engine.techniques.rare.probes import new_probes, probe, probes_agree, refuted, refuted_alone

# No chain, net or verity below the nested ones finds a step here, so any step found later has arisen.
START = Position.from_grid(
    parse(".......39.....1..5..3.5.8....8.9...6.7...2...1..4.......9.8..5..2....6..4..7.....")
).array
OPEN = [
    literal
    for literal in range(LITERALS)
    if START[CANDIDATES + literal // 18] >> (literal >> 1) % 9 & 1
    and START[CANDIDATES + literal // 18].bit_count() > 1
]


def closure() -> Closure:
    return closure_of(parts_of(links_of(build(START, False), HOUSES | CELLS, False)))


def searched(position: State, literal: int, links: int = HOUSES | CELLS) -> tuple[State, bool]:
    """Return the position under an assumption, and whether that contradicts itself."""
    search = Search(
        np.zeros(NODE_LITERALS, dtype=np.int32),
        np.empty(1 << 18, dtype=np.int32),
        np.empty(NODE_LITERALS, dtype=np.int32),
        np.zeros(4, dtype=np.int32),
        np.zeros(2, dtype=np.int32),
    )
    reset(search.arena)
    now = position.copy()
    spread(position, now, literal, STOP | links, search)
    return now, bool(search.clash[0])


def assumed() -> Iterator[State]:
    """Return the position under each assumption that does not contradict itself by singles."""
    for literal in OPEN:
        now, clash = searched(START, literal)
        if not clash:
            yield now


def found(key: str, now: State) -> int:
    """Return how many steps the Explainer's class of a technique has."""
    technique = TECHNIQUES[key]
    out = new_steps(100_000, 1 << 23)
    technique.scan(now, technique.limits_for(technique.on_path("explainer")), ALL, out)
    return int(out[COUNT])


def test_a_chain_arises_where_a_search_finds_one() -> None:
    known = closure()
    arising = new_arising(known)
    answers = set()
    for now in assumed():
        arcs = join_new_links(START, now, known, arising)
        answers.add(chain_arises(arising, arcs))
        assert chain_arises(arising, arcs) == (found("forcing_chain", now) > 0)
    assert answers == {True, False}


def test_a_verity_arises_where_a_search_finds_one() -> None:
    known = closure()
    arising = new_arising(known)
    for now in assumed():
        arcs = join_new_links(START, now, known, arising)
        assert verity_arises(now, known, arising, arcs) == (found("cell_forcing_chain", now) > 0)


@pytest.mark.slow
def test_a_probe_breaks_where_a_search_contradicts_itself() -> None:
    probes = new_probes(START)
    for now in [*assumed()][::40]:
        probe(now, probes)
        for literal in OPEN:
            mask = int(now[CANDIDATES + literal // 18])
            if mask >> (literal >> 1) % 9 & 1 and mask.bit_count() > 1:
                assert refuted(probes, literal) == searched(now, literal)[1]


def test_a_digit_breaks_wherever_a_search_by_its_places_contradicts_itself() -> None:
    places, queue = np.empty(30, dtype=np.int32), np.empty(28, dtype=np.int32)
    answers = set()
    for position in [START, *assumed()][::60]:
        for literal in OPEN:
            if position[CANDIDATES + literal // 18] >> (literal >> 1) % 9 & 1:
                clash = searched(position, literal, HOUSES)[1]
                broken = refuted_alone(position, literal, places, queue)
                answers.add((clash, broken))
    # A digit that loses its last place breaks, though a search does not look at it.
    assert answers == {(False, False), (True, True), (False, True)}


def test_a_digit_breaks_nowhere_else_unless_a_last_place_goes() -> None:
    places, queue = np.empty(30, dtype=np.int32), np.empty(28, dtype=np.int32)
    for literal in OPEN:
        assert refuted_alone(START, literal, places, queue) == searched(START, literal, HOUSES)[1]


@pytest.mark.slow
def test_probes_agree_where_all_searches_take_a_candidate_away() -> None:
    probes = new_probes(START)
    starts = np.empty(9, dtype=np.int32)
    for now in [*assumed()][::40]:
        probe(now, probes)
        for cell in range(81):
            mask = int(now[CANDIDATES + cell])
            digits = [digit for digit in range(9) if mask >> digit & 1]
            if len(digits) < 2:
                continue
            starts[: len(digits)] = [2 * (9 * cell + digit) + 1 for digit in digits]
            left = np.zeros(81, dtype=np.int32)
            for start in starts[: len(digits)]:
                after, clash = searched(now, int(start))
                left |= 0 if clash else after[CANDIDATES : CANDIDATES + 81]
            agree = bool((left != now[CANDIDATES : CANDIDATES + 81]).any())
            assert probes_agree(now, probes, starts, len(digits)) == agree
