"""A step in one line of English states every fact of the step and no other."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

import engine
from engine import Step
from engine.commands.wording import LONGEST, Much, sentence, told_as
from engine.steps.branches import Branch, Claim, Inference
from engine.techniques import HouseRole, Role
from tests.technique_cases import Case, read_cases

OWN_CASES = read_cases(Path(__file__).parents[1] / "data" / "technique_cases.txt")
STEPS_OF_A_CASE = 12  # those with most lemmas and links
PUZZLES = 12  # some 850 steps

NUMBERED = re.compile(r"(\d+): (.*)")
ARROW = re.compile(r"(?:\[(\d+)\] )?(.+?)(?: in (?:row|column|box) \d)?")

Implication = tuple[frozenset[str], str, str]  # the sources, the reason in brackets, the target


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
    rows = sorted({cell // 9 + 1 for cell in claim.cells})
    columns = sorted({cell % 9 + 1 for cell in claim.cells})
    lines = ["-".join(map(str, (line[0], line[-1])[: len(line)])) for line in (rows, columns)]
    return f"r{lines[0]}c{lines[1]}{'=' if claim.on else '<>'}{claim.digit}"


def _bracketed(text: str) -> tuple[str, list[str]]:
    """Return the text with its outermost brackets' contents replaced by numbers, and those contents."""
    kept, inside, depth = "", [""], 0
    for character in text:
        depth -= character == "]"
        if depth:
            inside[-1] += character
        else:
            kept += character
            if character == "]":
                kept = f"{kept[:-1]}{len(inside) - 1}]"
                inside.append("")
        depth += character == "["
    return kept, inside[:-1]


def _parsed(line: str) -> list[tuple[str, list[Implication]]]:
    """Parse the assumption of each branch of a line, and its arrows in order."""
    proof, reasons = _bracketed(line)
    proof = proof.rpartition(" => ")[0]
    numbered = dict(match.groups() for match in map(NUMBERED.fullmatch, reasons) if match)
    branches = []
    for branch in proof.split(" | "):
        clauses = [
            clause for clause in re.split("; |: ", branch) if re.match(r"r[\d-]+c[\d-]+(=|<>)", clause)
        ]
        assumption = re.split(r" -> |,", clauses[0])[0]
        arrows: list[Implication] = []
        for clause in clauses:
            first, *rest = re.split(", a contradiction|, then as before", clause)[0].split(" -> ")
            sources = frozenset(first.split(" and "))
            for part in rest:
                number, targets = ARROW.fullmatch(part).groups()
                reason = reasons[int(number)] if number else ""
                reason = numbered.get(reason, re.sub(r"^\d+: ", "", reason))
                arrows += [(sources, reason, target) for target in targets.split(" and ")]
                sources = frozenset(targets.split(" and "))
        branches.append((assumption, arrows))
    return branches


def _proved(step: Step) -> list[tuple[str, list[Implication]]]:
    """Return the same from the branches of the step."""
    return [
        (
            _claim(branch.assumption),
            [
                (
                    frozenset(map(_claim, premises)),
                    _reason(step, inference),
                    _claim(inference.result),
                )
                for inference, premises in _worth_telling(branch, _is_net(step))
            ],
        )
        for branch in step.branches()
    ]


def _is_net(step: Step) -> bool:
    return any(len(each.premises) > 1 for branch in step.branches() for each in branch.inferences)


def _worth_telling(branch: Branch, net: bool) -> list[tuple[Inference, set[Claim]]]:
    """Return the inferences with their premises that a line must state; a net omits what a true digit
    rules out.
    """
    every = [(each, {*each.premises}) for each in branch.inferences]
    if not net:
        return every
    ruled_out = {
        each.result: source
        for each, (source, *_) in every
        if source.on and not each.result.on and each.lemma is None and each.als is None
    }
    ends = {branch.end, branch.end.opposite}
    return [
        (each, {ruled_out.get(premise, premise) for premise in premises})
        for each, premises in every
        if each.result not in ruled_out or each.result in ends
    ]


def _reason(step: Step, inference: Inference) -> str:
    if inference.als is not None:
        return f"set {'ABCDEFGHIJKLMNOPQRSTUVWXYZ'[inference.als]}"
    if inference.lemma is not None:
        return sentence(step.lemmas[inference.lemma], whole=True).rpartition(" => ")[0]
    return ""


def _untrue_arrows(step: Step) -> list[str]:
    """Return the disagreements between a step's line and its links."""
    line = sentence(step, whole=True)
    read, proved = _parsed(line), _proved(step)
    found = [] if [start for start, _ in read] == [start for start, _ in proved] else [f"branches: {line}"]
    claimed: set[str] = set()
    for (start, arrows), (_, links), part in zip(
        read, proved, _bracketed(line)[0].split(" | "), strict=False
    ):
        as_before = ", then as before" in part
        # The last arrow of such a branch may lead to a simple conclusion, which only this line states.
        if as_before and (not set(arrows[:-1]) < set(links) or arrows[-1][2] not in claimed):
            found.append(f"as before: {line}")
        if not as_before and Counter(arrows) != Counter({*links}):
            found.append(f"arrows: {line}")
        claimed.update((start, *(target for _, _, target in arrows)))
        known = {start}
        for sources, _, target in arrows:
            if not sources <= known:
                found.append(f"{sorted(sources - known)} comes before it is derived: {line}")
            known.add(target)
    return found


def _faults(steps: list[Step]) -> list[str]:
    """Return the errors in the lines of some steps and of the lemmas they rest on."""
    found = []
    for step in steps:
        line = sentence(step, whole=True)
        pattern = _bracketed(line)[0].rpartition(" => ")[0]
        for fact in step.cells:
            read = re.findall(rf"{str(fact).partition('(')[0]}\(([\d,]+)\)", pattern)
            if not any({*map(str, fact.digits)} <= {*digits.split(",")} for digits in read):
                found.append(f"{fact} is left out: {line}")
        for house in step.houses:
            digits = "" if house.role is HouseRole.COVER else ",".join(map(str, house.digits))
            if not re.search(rf"{digits}[^,]* {house}\b", pattern):
                found.append(f"{digits} {house} is left out: {line}")
        if step.links:
            found += _untrue_arrows(step)
        found += _faults(list(step.lemmas))
    return found


def test_each_arrow_of_a_path_is_a_link_and_no_fact_is_left_out() -> None:
    assert len(_path_steps()) > 500
    assert any(step.links for step in _path_steps())
    assert _faults(_path_steps()) == []


def test_each_arrow_of_our_own_cases_is_a_link_and_no_fact_is_left_out() -> None:
    steps = _steps_of(OWN_CASES)
    assert any(step.lemmas for step in steps)
    assert any(fact.role >= Role.ALS and step.links for step in steps for fact in step.cells)
    assert _faults(steps) == []


@pytest.mark.data
def test_each_arrow_of_the_library_is_a_link_and_no_fact_is_left_out(data: Path) -> None:
    cases = (case for case in read_cases(data / "technique_cases.txt") if case.technique in engine.TECHNIQUES)
    assert _faults(_steps_of(tuple(cases))) == []


@pytest.mark.slow
@pytest.mark.data
def test_each_arrow_of_the_hardest_paths_is_a_link_and_no_line_is_too_long(
    data: Path,
) -> None:
    lines = (data / "hardest1905_sample.txt").read_text().split()[:3]
    steps = [step for line in lines for step in engine.solve_path(engine.parse(line)).steps]
    assert any(lemma.links for step in steps for lemma in step.lemmas)
    assert _faults(steps) == []
    lengths = [(len(sentence(step)), len(sentence(step, whole=True))) for step in steps]
    assert max(short for short, _ in lengths) <= LONGEST < max(whole for _, whole in lengths)


def test_the_short_line_has_the_ends_of_each_branch_and_what_it_needs() -> None:
    steps = [step for step in [*_path_steps(), *_steps_of(OWN_CASES)] if step.links]
    lines = [told_as(step, Much.ENDS) for step in steps]
    assert any("more)" in line for line in lines)
    assert any("; needs " in line for line in lines)
    for step, line in zip(steps, lines, strict=True):
        assert line.rpartition(" => ")[2] == sentence(step, whole=True).rpartition(" => ")[2]
        for branch in step.branches():
            assert _claim(branch.assumption) in line
            assert _claim(branch.end) in line or ", then as before" in line
        for lemma in step.lemmas:
            assert engine.TECHNIQUES[lemma.technique].name in line


def test_a_large_pattern_is_named_by_its_cells() -> None:
    large = [step for step in _path_steps() if len(sentence(step, whole=True)) > LONGEST]
    assert large
    for step in large:
        assert len(sentence(step)) <= LONGEST
        assert all(str(fact).partition("(")[0] in sentence(step) for fact in step.cells)


@pytest.mark.data
def test_no_line_of_the_library_is_longer_than_people_read(data: Path) -> None:
    cases = (case for case in read_cases(data / "technique_cases.txt") if case.technique in engine.TECHNIQUES)
    assert max(len(sentence(step)) for step in _steps_of(tuple(cases))) <= LONGEST


def _line(technique: str) -> str:
    (case, *_) = [case for case in OWN_CASES if case.technique == technique]
    return sentence(engine.find(case.position, technique)[0])


def test_a_chain_without_branches_reads_in_one_go() -> None:
    assert _line("aic") == (
        "AIC: r1c5<>7 -> r1c5=3 -> r3c6<>3 -> r3c9=3 -> r9c9<>3 -> r9c9=7 | r1c5=7 => r9c5 <> 7"
    )


def test_two_chains_that_meet_are_written_one_after_the_other() -> None:
    assert _line("nishio") == (
        "Nishio: r1c9=1 -> r2c7<>1 -> r2c9=1; r1c9=1 -> r2c9<>1, "
        "a contradiction: r2c9=1 and r2c9<>1 => r1c9 <> 1"
    )


def test_restricted_commons_come_with_their_digits() -> None:
    assert ", restricted commons 6 in column 1, 8 in row 9, 1 in column 4 => " in _line("als_xy_chain")


def test_a_trial_names_the_candidates_that_were_refuted() -> None:
    assert _line("trial") == "Trial: r8c8(5,7), where 5 leads to a contradiction => r8c8 = 7"


def test_a_chain_that_refutes_its_assumption_names_that_contradiction() -> None:
    steps = [step for case in OWN_CASES for step in engine.find(case.position, "forcing_x_chain")[:3]]
    assert steps
    for step in steps:
        start = sentence(step).removeprefix("Forcing X-Chain: ").partition(" ")[0]
        on, off = start.replace("<>", "="), start.replace("=", "<>")
        assert f", a contradiction: {on} and {off} => " in sentence(step)


def test_a_cell_stands_once_for_each_part_it_plays() -> None:
    assert ", r8c2(8) r9c3(8), 8 in " in _line("dual_two_string_kite")
    for step in [*_steps_of(OWN_CASES), *_path_steps()]:
        for part in sentence(step).partition(";")[0].rpartition(" => ")[0].split(", "):
            cells = re.findall(r"r\dc\d(?=\()", part)
            assert len(cells) == len({*cells}), part


def test_names_differ() -> None:
    assert len({engine.TECHNIQUES[key].name for key in engine.TECHNIQUES}) == len(engine.TECHNIQUES)
