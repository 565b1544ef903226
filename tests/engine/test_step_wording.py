"""A step in one line names its technique, what proves it and all that follows."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

import engine
from engine import Step, eureka, sentence
from engine.steps.branches import Claim
from engine.steps.wording import LONGEST
from tests.technique_cases import OWN, Case, read_cases

OWN_CASES = read_cases(OWN)
STEPS_OF_A_CASE = 12  # those with most lemmas and links
PUZZLES = 12  # some 850 steps
MOST = LONGEST + 200  # characters, with the name and the effects


@cache
def _path_steps() -> list[Step]:
    puzzles = (engine.generate(engine.Recipe(level=5), seed) for seed in range(PUZZLES))
    return [step for puzzle in puzzles for step in engine.solve_path(puzzle.grid).steps]


@cache
def _steps_of(cases: tuple[Case, ...]) -> list[Step]:
    found = []
    for case in cases:
        steps = engine.find(case.position, case.technique)
        found += sorted(steps, key=lambda step: (len(step.lemmas), len(step.links)), reverse=True)[
            :STEPS_OF_A_CASE
        ]
    return found


def _claim(claim: Claim) -> str:
    lines = zip(*(divmod(cell, 9) for cell in claim.cells), strict=True)
    rows, columns = (sorted({number + 1 for number in numbers}) for numbers in lines)
    return f"r{''.join(map(str, rows))}c{''.join(map(str, columns))}{'=' if claim.on else '<>'}{claim.digit}"


def _effects(text: str) -> set[tuple[str, int]]:
    """Return the cells with the digits that a line says are placed or removed there."""
    found = set()
    for part in text.rpartition(" => ")[2].split("; "):
        cells, sign, digits = re.fullmatch(r"([rc\d,]+)(=|<>)(\d+)", part).groups()
        found |= {(f"{cell}{sign}", int(digit)) for cell in cells.split(",") for digit in digits}
    return found


def _faults(steps: list[Step]) -> list[str]:
    """Return what the lines of some steps leave out."""
    found = []
    for step in steps:
        line = sentence(step)
        wanted = {(f"r{cell // 9 + 1}c{cell % 9 + 1}=", digit) for cell, digit in step.placements}
        wanted |= {(f"r{cell // 9 + 1}c{cell % 9 + 1}<>", digit) for cell, digit in step.eliminations}
        if not line.startswith(f"{engine.TECHNIQUES[step.technique].name}: ") or _effects(line) != wanted:
            found.append(line)
        if eureka(step) is not None:
            found += [] if line.endswith(f": {eureka(step)}") else [f"no chain: {line}"]
            continue
        found += [
            f"{fact} is left out: {line}" for fact in step.cells if f"{fact}".partition("(")[0] not in line
        ]
        if len(line) < LONGEST:
            found += [f"{house} is left out: {line}" for house in step.houses if str(house) not in line]
        for branch in step.branches():
            if _claim(branch.assumption) not in line or (
                _claim(branch.end) not in line and ", then as before" not in line
            ):
                found.append(f"a branch is left out: {line}")
        if len(line) > MOST and len(step.eliminations) < 20:
            found.append(f"too long: {line}")
    return found


def test_a_line_of_a_path_leaves_nothing_out() -> None:
    assert len(_path_steps()) > 500
    assert any(step.links for step in _path_steps())
    assert _faults(_path_steps()) == []


def test_a_line_of_our_own_cases_leaves_nothing_out() -> None:
    steps = _steps_of(OWN_CASES)
    assert any(step.lemmas for step in steps)
    assert _faults(steps) == []


@pytest.mark.data
def test_a_line_of_the_library_leaves_nothing_out(data: Path) -> None:
    cases = (case for case in read_cases(data / "technique_cases.txt") if case.technique in engine.TECHNIQUES)
    assert _faults(_steps_of(tuple(cases))) == []


@pytest.mark.slow
@pytest.mark.data
def test_a_line_of_the_hardest_paths_leaves_nothing_out_but_the_middle_of_long_branches(data: Path) -> None:
    lines = (data / "hardest1905_sample.txt").read_text().split()[:3]
    steps = [step for line in lines for step in engine.solve_path(engine.parse(line)).steps]
    assert any(lemma.links for step in steps for lemma in step.lemmas)
    assert any("more)" in sentence(step) for step in steps)
    assert _faults(steps) == []


def _line(technique: str) -> str:
    (case, *_) = [case for case in OWN_CASES if case.technique == technique]
    return sentence(engine.find(case.position, technique)[0])


def test_a_chain_is_written_as_players_do() -> None:
    assert _line("aic") == "AIC: (7=3)r1c5-(3)r3c6=(3)r3c9-(3=7)r9c9 => r9c5<>7"


def test_two_chains_that_meet_are_written_one_after_the_other() -> None:
    assert _line("nishio") == (
        "Nishio: r1c9=1 -> r2c7<>1; r1c9=1 -> r2c9<>1; r2c7<>1 -> r2c9=1, "
        "a contradiction: r2c9=1 and r2c9<>1 => r1c9<>1"
    )


def test_a_trial_names_the_candidates_that_were_refuted() -> None:
    assert _line("trial") == "Trial: r8c8(5,7), where 5 leads to a contradiction => r8c8=7"


def test_a_cell_stands_once_for_each_part_it_plays() -> None:
    for step in [*_steps_of(OWN_CASES), *_path_steps()]:
        for part in sentence(step).partition(";")[0].rpartition(" => ")[0].split(", "):
            cells = re.findall(r"r\dc\d(?=\()", part)
            assert len(cells) == len({*cells}), part


def test_names_differ() -> None:
    assert len({engine.TECHNIQUES[key].name for key in engine.TECHNIQUES}) == len(engine.TECHNIQUES)
