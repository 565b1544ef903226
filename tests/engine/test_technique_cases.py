"""Each technique finds the steps a case states, finds none if the case says so, and proves its steps."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pytest

import engine
from tests import step_checker
from tests.technique_cases import KEY_OF_CODE, OWN, Case, read_cases
from tests.thorough import amount

PROVED = amount("PROVED", 6, 1000)  # of the steps that a case of the library finds: many are alike


def _failures(cases: Iterable[Case], proved: int = 1000) -> list[str]:
    failures = []
    for case in cases:
        steps = engine.find(case.position, case.technique)
        if not case.holds(steps):
            failures.append(f"not found: {case}")
        for step in steps[:: 1 + len(steps) // proved]:
            failures += [f"{fault}: {case}" for fault in step_checker.faults(case.position, step)]
    return failures


@pytest.mark.slow
@pytest.mark.kernel
@pytest.mark.parametrize("case", read_cases(OWN), ids=lambda case: case.technique)
def test_our_own_cases_hold_and_every_step_is_proved(case: Case) -> None:
    assert _failures([case]) == []


def test_each_technique_has_a_case_of_our_own() -> None:
    assert {case.technique for case in read_cases(OWN)} == set(engine.TECHNIQUES)


@pytest.mark.slow
@pytest.mark.data
@pytest.mark.parametrize("key", sorted(set(KEY_OF_CODE.values()) & set(engine.TECHNIQUES)))
def test_every_case_of_the_library_holds_and_its_steps_are_proved(key: str, data: Path) -> None:
    cases = [case for case in read_cases(data / "technique_cases.txt") if case.technique == key]
    assert cases
    assert _failures(cases, PROVED) == []
