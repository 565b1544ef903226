"""Parts of a step for its templates: houses, eliminations, sets of cells, inferences, where to look."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from engine.drawing import PATTERN, Overlay, house_frame
from engine.geometry import BOX_OF, COL_OF, HOUSES, HOUSES_OF, ROW_OF, Candidate
from engine.steps import Branch, Claim, Inference, PatternCell, PatternHouse, by_digits, displayed


@dataclass(frozen=True, slots=True)
class House:
    """A row, column or box."""

    index: int  # 0..26

    @property
    def kind(self) -> str:
        """row, column or box."""
        return ("row", "column", "box")[self.index // 9]

    @property
    def number(self) -> int:
        """1..9."""
        return self.index % 9 + 1

    @property
    def cells(self) -> tuple[int, ...]:
        """Its nine cells."""
        return HOUSES[self.index]


def box_of(cell: int) -> House:
    """Return the box of a cell."""
    return House(18 + BOX_OF[cell])


def common_houses(cells: Iterable[int]) -> tuple[House, ...]:
    """Return the houses that contain all the cells, boxes first."""
    shared = set.intersection(*({*HOUSES_OF[cell]} for cell in cells))
    return tuple(House(index) for index in sorted(shared, reverse=True))


def common_lines(cells: Iterable[int]) -> tuple[House, ...]:
    """Return the three rows or columns of a band or stack that contain all the cells; empty if none do."""
    found = tuple(cells)
    for first, lines in ((0, ROW_OF), (9, COL_OF)):
        bands = {lines[cell] // 3 for cell in found}
        if len(bands) == 1:
            band = bands.pop()
            return tuple(House(first + 3 * band + at) for at in range(3))
    return ()


def boxes_of(cells: Iterable[int]) -> tuple[House, ...]:
    """Return the boxes of the cells."""
    return tuple(House(18 + box) for box in sorted({BOX_OF[cell] for cell in cells}))


@dataclass(frozen=True, slots=True)
class Removal:
    """The same digits eliminated from some cells."""

    digits: tuple[int, ...]
    cells: tuple[int, ...]

    @property
    def single(self) -> bool:
        """Whether it is one digit of one cell."""
        return len(self.digits) == len(self.cells) == 1


def removals_of(candidates: Iterable[Candidate]) -> tuple[Removal, ...]:
    """Group eliminated candidates by cells that lose the same digits, keeping their ascending order."""
    return tuple(Removal(digits, cells) for digits, cells in by_digits(candidates).items())


@dataclass(frozen=True, slots=True)
class CellSet:
    """Some cells of the proof and all their digits."""

    cells: tuple[int, ...]
    digits: tuple[int, ...]
    role: int  # in the overlay

    @property
    def css(self) -> str:
        """The hot-spot's role that matches the drawing."""
        return "pattern" if self.role == PATTERN else "third"


@dataclass(frozen=True, slots=True)
class Common:
    """The digits that only one of two almost locked sets can hold, and their cells."""

    house: House
    digits: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class ProofStep:
    """One inference of a proof, as a page of its own."""

    number: int  # from 1, through all branches
    supposed: Claim | None  # what a branch assumes, with its first inference
    inference: Inference
    as_before: bool  # whether the branch continues like an earlier one


@dataclass(frozen=True, slots=True)
class Proof:
    """The branches of a chain or net as numbered steps."""

    steps: tuple[ProofStep, ...]
    at_once: tuple[Claim, ...]  # assumptions whose outcome needs no inference

    @classmethod
    def of(cls, branches: Iterable[Branch]) -> Proof:
        """Number the inferences of all branches consecutively."""
        steps: list[ProofStep] = []
        at_once = []
        for branch in displayed(branches):
            supposed: Claim | None = branch.assumption
            for inference in branch.inferences:
                last = inference is branch.inferences[-1]
                steps.append(ProofStep(len(steps) + 1, supposed, inference, last and branch.as_before))
                supposed = None
            if supposed is not None:
                at_once.append(supposed)
        return cls(tuple(steps), tuple(at_once))


@dataclass(frozen=True, slots=True)
class Where:
    """Where to look, without revealing the technique."""

    houses: tuple[House, ...]
    lines: bool = False  # the houses are three neighboring rows or columns
    wide: bool = False  # whether the proof spans the grid; the house is then that of its start or outcome
    digit: int = 0  # of a wide chain: the one to follow

    @property
    def cells(self) -> tuple[int, ...]:
        """Every cell of the houses."""
        return tuple(sorted({cell for house in self.houses for cell in house.cells}))

    @property
    def overlay(self) -> Overlay:
        """An overlay that frames the houses."""
        return Overlay(houses=tuple(house_frame(house.index, PATTERN) for house in self.houses))


def digits_in(facts: Iterable[PatternCell | PatternHouse]) -> tuple[int, ...]:
    return tuple(sorted({digit for fact in facts for digit in fact.digits}))
