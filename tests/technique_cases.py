"""Cases of HoDoKu's regression library: a position, and the steps that one technique must find in it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path

from engine import Grid
from engine.position import Position
from engine.steps.step import Step
from engine.techniques.keys import KEYS

# Library codes of the keys of engine.TECHNIQUES.
KEY_OF_CODE = {
    "0000": "full_house",
    "0002": "hidden_single",
    "0003": "naked_single",
    "0100": "pointing",
    "0101": "claiming",
    "0110": "locked_pair",
    "0111": "locked_triple",
    "0200": "naked_pair",
    "0201": "naked_triple",
    "0202": "naked_quad",
    "0210": "hidden_pair",
    "0211": "hidden_triple",
    "0212": "hidden_quad",
    "0300": "x_wing",
    "0301": "swordfish",
    "0302": "jellyfish",
    "0310": "finned_x_wing",
    "0311": "finned_swordfish",
    "0312": "finned_jellyfish",
    "0320": "sashimi_x_wing",
    "0321": "sashimi_swordfish",
    "0322": "sashimi_jellyfish",
    "0331": "franken_swordfish",
    "0332": "franken_jellyfish",
    "0340": "finned_franken_x_wing",
    "0341": "finned_franken_swordfish",
    "0342": "finned_franken_jellyfish",
    "0362": "finned_mutant_jellyfish",
    "0400": "skyscraper",
    "0401": "two_string_kite",
    "0402": "empty_rectangle",
    "0403": "turbot_fish",
    "0404": "dual_two_string_kite",
    "0405": "dual_empty_rectangle",
    "0500": "simple_colouring_trap",
    "0501": "simple_colouring_wrap",
    "0502": "multi_colouring_1",
    "0503": "multi_colouring_2",
    "0600": "unique_rectangle_1",
    "0601": "unique_rectangle_2",
    "0602": "unique_rectangle_3",
    "0603": "unique_rectangle_4",
    "0604": "unique_rectangle_5",
    "0605": "unique_rectangle_6",
    "0606": "hidden_rectangle",
    "0607": "avoidable_rectangle_1",
    "0608": "avoidable_rectangle_2",
    "0610": "bug_plus_1",
    "0701": "x_chain",
    "0702": "xy_chain",
    "0703": "remote_pair",
    "0706": "continuous_nice_loop",
    "0707": "discontinuous_nice_loop",
    "0708": "aic",
    "0709": "grouped_continuous_nice_loop",
    "0710": "grouped_discontinuous_nice_loop",
    "0711": "grouped_aic",
    "0800": "xy_wing",
    "0801": "xyz_wing",
    "0803": "w_wing",
    "0901": "als_xz",
    "0902": "als_xy_wing",
    "0903": "als_xy_chain",
    "0904": "death_blossom",
    "1101": "sue_de_coq",
}


@dataclass(frozen=True)
class Case:
    """One line of the library. `placements` and `eliminations` are (cell, digit); one of them is empty."""

    line: str
    technique: str
    position: Position
    placements: frozenset[tuple[int, int]]
    eliminations: frozenset[tuple[int, int]]
    silent: bool  # the technique must find nothing

    def holds(self, steps: list[Step]) -> bool:
        """Tell whether one of the steps has exactly the stated effects, or none is there at all if silent."""
        if self.silent:
            return not steps
        if self.placements:
            return any(step.placements == self.placements for step in steps)
        return any(step.eliminations == self.eliminations and not step.placements for step in steps)

    def __str__(self) -> str:
        return self.line


def read_case(line: str) -> Case | None:
    """Return the case of one library line; None for unsupported codes (templates, larger mutant fish).

    Techniques that the library lacks stand by their own key in place of its code.
    """
    code, _digits, cells, deleted, eliminations, placements = line.rstrip("\n").split(":")[1:7]
    variant = code.partition("-")[2]
    technique = code if code in KEYS else KEY_OF_CODE.get(code[:4])
    if technique is None:
        return None
    return Case(
        line=line.strip(),
        technique=technique,
        position=_position(cells, deleted),
        placements=_candidates(placements),
        eliminations=_candidates(eliminations),
        silent=variant == "x",
    )


@cache
def read_cases(path: Path) -> tuple[Case, ...]:
    """Return every supported case of a file, cached, because tests are collected from it repeatedly."""
    cases = (read_case(line) for line in path.read_text().splitlines() if line.startswith(":"))
    return tuple(case for case in cases if case is not None)


def _position(cells: str, deleted: str) -> Position:
    placed: list[int] = []
    givens: list[int] = []
    by_player = False
    for character in cells:
        if character == "+":
            by_player = True
            continue
        digit = int(character) if character.isdigit() else 0
        placed.append(digit)
        givens.append(0 if by_player else digit)
        by_player = False
    gone = _candidates(deleted)
    marks = "".join(
        "." if (cell, digit) in gone else str(digit) for cell in range(81) for digit in range(1, 10)
    )
    return Position.from_pencilmarks(marks, Grid.from_digits(placed), Grid.from_digits(givens))


def _candidates(text: str) -> frozenset[tuple[int, int]]:
    """Parse candidates: '436 521' is 4 at r3c6 and 5 at r2c1."""
    return frozenset(
        (9 * (int(row) - 1) + int(column) - 1, int(digit)) for digit, row, column in map(tuple, text.split())
    )
