"""Position: placed digits and remaining candidates, from a grid or from a player's marks. Finds no steps."""

from __future__ import annotations

import functools
from collections.abc import Iterable
from typing import Final, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from .arguments import bounded, instance, shown, whole
from .arguments import candidates as checked
from .errors import ArgumentError, PuzzleFormatError
from .formats.marks import masks_of
from .geometry import Candidate
from .given import Given, grid_of
from .grid import Grid, Pictured
from .kernels import state
from .kernels.state import State
from .kernels.tables import ALL_DIGITS
from .transformation import Transformation
from .verdicts import Verdict

_ANYTHING: Final = np.full(81, ALL_DIGITS, dtype=np.int32)  # not made read-only for the reason in `_of`


@runtime_checkable
class Change(Protocol):
    """The effects of a step."""

    @property
    def placements(self) -> frozenset[Candidate]:
        """The digits it places."""

    @property
    def eliminations(self) -> frozenset[Candidate]:
        """The candidates it rules out."""


class Position(Pictured):
    """81 cells, each with a digit or with its candidates. Immutable: `after` returns the next one.

    >>> position = Position.from_grid(parse("1" + 80 * "."))  # doctest: +SKIP
    >>> position.candidates(1)  # doctest: +SKIP
    (2, 3, 4, 5, 6, 7, 8, 9)
    """

    __slots__ = ("__dict__", "_state", "givens")

    def __init__(self, state_array: State, givens: Grid) -> None:
        """`state_array`: int32[STATE_SIZE] in the layout of engine.kernels.state, such as `array`; copied."""
        instance("givens", givens, Grid)
        self._state = _checked_state(state_array, givens)
        self.givens = givens

    @classmethod
    def _of(cls, state_array: State, givens: Grid) -> Position:
        """Return the position of a valid state, without copying it."""
        # Not made read-only: Numba compiles a second copy of every scan for read-only arrays.
        position = cls.__new__(cls)
        position._state = state_array
        position.givens = givens
        return position

    @classmethod
    def from_grid(cls, grid: Given) -> Position:
        """Return the position with all candidates that the digits of `grid` allow; the digits count as
        printed.
        """
        grid = grid_of("grid", grid)
        position = cls._load(grid, _ANYTHING, grid)
        position.__dict__["_untouched"] = True
        return position

    @classmethod
    def _of_puzzle(cls, grid: Grid, solution: Grid) -> Position:
        """Return the start of a puzzle whose unique solution is known."""
        position = cls.from_grid(grid)
        position.__dict__["_answer"] = Verdict.UNIQUE, solution
        return position

    @classmethod
    def from_pencilmarks(
        cls, text729: str, placed: Given | None = None, givens: Given | None = None
    ) -> Position:
        """Return a position from nine characters a cell, '.' or '0' for an absent candidate.

        placed: the placed digits; without it no cell is placed and a lone candidate is a naked single.
        givens: the printed digits, by default `placed`. Marks that a placed digit sees are dropped.
        PuzzleFormatError names the cell and the character.
        """
        instance("text729", text729, str)
        if len(text729) != 729:
            raise PuzzleFormatError("expected 729 characters, found %(found)s", found=len(text729))
        marks = np.array(masks_of(text729), dtype=np.int32)
        placed = grid_of("placed", placed) if placed is not None else Grid(bytes(81))
        return cls._load(placed, marks, placed if givens is None else grid_of("givens", givens))

    @classmethod
    def from_marks(cls, marks: Iterable[int], placed: Given, givens: Given) -> Position:
        """Return a position from 81 masks of nine bits, bit d - 1 for candidate d; otherwise as
        from_pencilmarks.
        """
        placed, givens = grid_of("placed", placed), grid_of("givens", givens)
        masks = [whole("marks", mask, 0, ALL_DIGITS) for mask in bounded("marks", marks, 81)]
        if len(masks) != 81:
            raise ArgumentError("marks", f"expected 81 masks, found {len(masks)}")
        return cls._load(placed, np.array(masks, dtype=np.int32), givens)

    @classmethod
    def _load(cls, placed: Grid, marks: NDArray[np.int32], givens: Grid) -> Position:
        array = np.empty(state.STATE_SIZE, dtype=np.int32)
        digits = placed.array()
        state.load(digits, marks, array)
        if givens is not placed:
            array[state.GIVENS : state.GIVENS + 81] = givens.array() != 0
        return cls._of(array, givens)

    @property
    def array(self) -> State:
        """Return a new int32[STATE_SIZE] for kernels."""
        return self._state.copy()

    @functools.cached_property
    def masks(self) -> tuple[int, ...]:
        """Return 81 masks of nine bits, bit d - 1 for candidate d; a placed digit is alone in its cell."""
        digits, masks = self._state[state.DIGITS :], self._state[state.CANDIDATES :]
        pairs = zip(digits[:81].tolist(), masks[:81].tolist(), strict=True)
        return tuple(1 << (digit - 1) if digit else mask for digit, mask in pairs)

    @property
    def grid(self) -> Grid:
        """The placed digits."""
        return self._grid

    @functools.cached_property
    def _grid(self) -> Grid:
        return Grid(bytes(self._state[state.DIGITS : state.DIGITS + 81].tolist()))

    @functools.cached_property
    def _untouched(self) -> bool:
        """Whether it has exactly what its printed digits allow: the start of a puzzle."""
        return self == Position.from_grid(self.givens)

    @functools.cached_property
    def _answer(self) -> tuple[Verdict, Grid | None]:
        """Return the verdict on the printed digits, and their unique solution."""
        # Imported here, so that positions are read and drawn without a solver
        from .search.bitboard import judged

        count, first = judged(self.givens)
        found = (Verdict.NONE, Verdict.UNIQUE, Verdict.MULTIPLE)[count]
        return found, first if found is Verdict.UNIQUE else None

    @property
    def verdict(self) -> Verdict:
        """How many solutions the printed digits have."""
        return self._answer[0]

    @property
    def unique(self) -> bool:
        """Whether the puzzle is known to have one solution: the condition of uniqueness techniques."""
        return self.verdict is Verdict.UNIQUE

    @property
    def solution(self) -> Grid | None:
        """The solution of the printed digits if there is exactly one."""
        return self._answer[1]

    @property
    def solved(self) -> bool:
        """Whether every cell has a digit, and every house each of the nine."""
        return int(self._state[state.LEFT]) == 0 and not self.broken

    @property
    def broken(self) -> bool:
        """Whether a cell has no candidate left or a house no place for a digit, so that there is no
        solution.
        """
        return bool(state.broken(self._state))

    def candidates(self, cell: int) -> tuple[int, ...]:
        """Return the possible digits of `cell`, ascending; empty if one is placed."""
        mask = int(self._state[state.CANDIDATES + whole("cell", cell, 0, 80)])
        return tuple(digit + 1 for digit in range(9) if mask >> digit & 1)

    def wrong(self) -> frozenset[Candidate]:
        """Return where the position contradicts the puzzle's unique solution.

        (cell, digit) of each placed digit that differs from it, and of each digit of the solution whose
        candidate was removed. Empty if there are none, or if the printed digits don't have a unique solution.
        """
        if self.solution is None:
            return frozenset()
        digits = self.solution.array()
        placed, masks = self._state[state.DIGITS :][:81], self._state[state.CANDIDATES :][:81]
        kept = np.where(placed > 0, placed == digits, masks >> (digits - 1) & 1 > 0)
        return frozenset((cell, int(placed[cell] or digits[cell])) for cell in np.flatnonzero(~kept).tolist())

    def after(self, step: Change) -> Position:
        """Return the position after `step`."""
        if isinstance(step, type) or not isinstance(step, Change):
            raise ArgumentError("step", f"expected Step, found {shown(step)}")
        return self.changed(step.placements, step.eliminations)

    def changed(self, placements: Iterable[Candidate], eliminations: Iterable[Candidate]) -> Position:
        """Return the position with candidates (cell, digit) removed and digits placed."""
        return self._moved(checked("placements", placements), checked("eliminations", eliminations))

    def _moved(self, placements: Iterable[Candidate], eliminations: Iterable[Candidate]) -> Position:
        """Like `changed`, for candidates known to exist: the engine's own steps."""
        array = self._state.copy()
        for cell, digit in eliminations:
            state.remove(array, cell, digit - 1)
        for cell, digit in placements:
            if array[state.DIGITS + cell] == 0:
                state.place(array, cell, digit - 1)
        return self._at(array)

    def _at(self, array: State) -> Position:
        """Return the position of a later valid state of the same puzzle."""
        following = Position._of(array, self.givens)
        if "_answer" in self.__dict__:
            following.__dict__["_answer"] = self.__dict__["_answer"]
        return following

    def transformed(self, transformation: Transformation) -> Position:
        """Return the same position in an equivalent puzzle: digits, candidates and givens in their new
        places.
        """
        instance("transformation", transformation, Transformation)
        t = transformation
        marks = np.zeros(81, dtype=np.int32)
        for cell in range(81):
            for digit in self.candidates(t.source(cell)):
                marks[cell] |= 1 << (t.digits[digit - 1] - 1)
        return self._load(t.apply(self.grid), marks, t.apply(self.givens))

    def pencilmarks(self) -> str:
        """Return the 729-character text that `from_pencilmarks` reads; a placed cell has only its digit."""
        return "".join(
            str(digit) if digit in self.candidates(cell) or self.grid[cell] == digit else "."
            for cell in range(81)
            for digit in range(1, 10)
        )

    def __repr__(self) -> str:
        return f"Position.from_pencilmarks({self.pencilmarks()!r}, {self.grid!r}, {self.givens!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Position) and bool(
            np.array_equal(self._state, other._state) and self.givens == other.givens
        )

    def __hash__(self) -> int:
        return hash((self._state.tobytes(), self.givens))


def _checked_state(array: object, givens: Grid) -> State:
    """Return a copy of a consistent state; kernels use its numbers as indexes."""
    name = "state_array"
    if not isinstance(array, np.ndarray) or array.shape != (state.STATE_SIZE,) or array.dtype != np.int32:
        raise ArgumentError(name, f"expected int32[{state.STATE_SIZE}], found {shown(array)}")
    digits, masks = array[state.DIGITS :][:81], array[state.CANDIDATES :][:81]
    if digits.min() < 0 or digits.max() > 9:
        raise ArgumentError(name, f"expected digits 0..9, found {digits.min()}..{digits.max()}")
    found = Position.from_marks((masks & ALL_DIGITS).tolist(), Grid(bytes(digits.tolist())), givens)
    if not np.array_equal(found._state, array):
        raise ArgumentError(name, "expected digits, candidates and places that agree, found them to differ")
    return found._state
