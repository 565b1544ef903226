"""Parts of a step for its templates: eliminations, sets of cells, inferences, where to look."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from engine.drawing import PATTERN, Overlay, house_frame
from engine.geometry import Candidate
from engine.steps import Branch, Claim, Inference, PatternCell, PatternHouse, displayed
from webapp.game.steps.places import House


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
    digits_of: dict[int, tuple[int, ...]] = {}
    for cell, digit in candidates:
        digits_of[cell] = (*digits_of.get(cell, ()), digit)
    cells_of: dict[tuple[int, ...], list[int]] = {}
    for cell, digits in digits_of.items():
        cells_of.setdefault(digits, []).append(cell)
    return tuple(Removal(digits, tuple(cells)) for digits, cells in cells_of.items())


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
