"""Position: digits placed and candidates left, from a grid or from a player's marks. Finds no steps."""

from __future__ import annotations

import functools
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from engine.errors import PuzzleFormatError
from engine.grid import Grid
from engine.kernels import state
from engine.kernels.state import State
from engine.kernels.tables import ALL_DIGITS
from engine.search.bitboard import solution
from engine.step import Candidate, Step
from engine.transformation import Transformation
from engine.verdict import Verdict, verdict


class Position:
    """81 cells, each with a digit or with its candidates. Immutable: `after` gives the next one.

    >>> position = Position.from_grid(parse("1" + 80 * "."))  # doctest: +SKIP
    >>> position.candidates(1)  # doctest: +SKIP
    (2, 3, 4, 5, 6, 7, 8, 9)
    """

    __slots__ = ("__dict__", "_state", "givens")

    def __init__(self, state_array: State, givens: Grid) -> None:
        """`state_array`: int32[STATE_SIZE] as engine.kernels.state lays it out; taken over, not copied."""
        # Not made read-only: Numba compiles a second copy of every scan for read-only arrays.
        self._state = state_array
        self.givens = givens

    @classmethod
    def from_grid(cls, grid: Grid) -> Position:
        """All candidates the digits of `grid` leave; its digits count as printed."""
        return cls._load(grid, np.full(81, ALL_DIGITS, dtype=np.int32), grid)

    @classmethod
    def from_pencilmarks(
        cls, text729: str, placed: Grid | None = None, givens: Grid | None = None
    ) -> Position:
        """A position from nine characters a cell, '.' or '0' for an absent candidate.

        placed: the digits that stand; without it no cell is placed and a lone candidate is a naked single.
        givens: the printed digits, by default `placed`.
        A mark that a placed digit sees is dropped. PuzzleFormatError names the cell and the character.
        """
        if len(text729) != 729:
            raise PuzzleFormatError(f"expected 729 characters, found {len(text729)}")
        marks = np.zeros(81, dtype=np.int32)
        for index, character in enumerate(text729):
            digit = index % 9 + 1
            if character == str(digit):
                marks[index // 9] |= 1 << (digit - 1)
            elif character not in ".0":
                raise PuzzleFormatError(
                    f"expected {digit} or '.', found {character!r}", cell=index // 9, character=character
                )
        placed = placed if placed is not None else Grid(bytes(81))
        return cls._load(placed, marks, givens if givens is not None else placed)

    @classmethod
    def from_marks(cls, marks: Iterable[int], placed: Grid, givens: Grid) -> Position:
        """A position from 81 masks of nine bits, bit d - 1 for candidate d; else as from_pencilmarks."""
        return cls._load(placed, np.array(list(marks), dtype=np.int32), givens)

    @classmethod
    def _load(cls, placed: Grid, marks: NDArray[np.int32], givens: Grid) -> Position:
        array = np.zeros(state.STATE_SIZE, dtype=np.int32)
        state.load(placed.array(), marks, array)
        array[state.GIVENS : state.GIVENS + 81] = [digit != 0 for digit in givens.digits]
        return cls(array, givens)

    @property
    def array(self) -> State:
        """The int32 array behind the position, for kernels to read; copy it before changing it."""
        return self._state

    @functools.cached_property
    def grid(self) -> Grid:
        """The digits placed."""
        return Grid.from_digits(self._state[state.DIGITS : state.DIGITS + 81])

    @functools.cached_property
    def verdict(self) -> Verdict:
        """How many solutions the printed digits have."""
        return verdict(self.givens)

    @property
    def unique(self) -> bool:
        """Whether the puzzle is known to have one solution: what uniqueness techniques need."""
        return self.verdict is Verdict.UNIQUE

    @functools.cached_property
    def solution(self) -> Grid | None:
        """The solution of the printed digits where there is exactly one."""
        return solution(self.givens) if self.unique else None

    @property
    def solved(self) -> bool:
        """Whether every cell holds a digit."""
        return int(self._state[state.LEFT]) == 0

    @property
    def broken(self) -> bool:
        """Whether a cell has no candidate left or a house no place for a digit: no solution extends it."""
        return bool(state.broken(self._state))

    def candidates(self, cell: int) -> tuple[int, ...]:
        """The digits still possible in `cell`, ascending; empty where one is placed."""
        mask = int(self._state[state.CANDIDATES + cell])
        return tuple(digit + 1 for digit in range(9) if mask >> digit & 1)

    def wrong(self) -> frozenset[Candidate]:
        """Where the position contradicts the puzzle's only solution.

        (cell, digit) of each placed digit that differs from it, and of each digit of the solution whose
        candidate is gone. Empty where all is well, and where the printed digits have no single solution.
        """
        if self.solution is None:
            return frozenset()
        found = set()
        for cell, digit in enumerate(self.solution.digits):
            placed = self.grid[cell]
            if placed and placed != digit:
                found.add((cell, placed))
            elif not placed and digit not in self.candidates(cell):
                found.add((cell, digit))
        return frozenset(found)

    def after(self, step: Step) -> Position:
        """The position with the eliminations and placements of `step` made."""
        return self.changed(step.placements, step.eliminations)

    def changed(self, placements: Iterable[Candidate], eliminations: Iterable[Candidate]) -> Position:
        """The position with candidates (cell, digit) removed and digits placed."""
        array = self._state.copy()
        for cell, digit in eliminations:
            state.remove(array, cell, digit - 1)
        for cell, digit in placements:
            if array[state.DIGITS + cell] == 0:
                state.place(array, cell, digit - 1)
        following = Position(array, self.givens)
        for known in ("verdict", "solution"):
            if known in self.__dict__:
                following.__dict__[known] = self.__dict__[known]
        return following

    def transformed(self, transformation: Transformation) -> Position:
        """The same position in an equivalent puzzle: digits, candidates and givens in their new places."""
        t = transformation
        marks = np.zeros(81, dtype=np.int32)
        for cell in range(81):
            for digit in self.candidates(t.source(cell)):
                marks[cell] |= 1 << (t.digits[digit - 1] - 1)
        return self._load(t.apply(self.grid), marks, t.apply(self.givens))

    def pencilmarks(self) -> str:
        """The 729-character text that `from_pencilmarks` reads; a placed cell shows its digit alone."""
        return "".join(
            str(digit) if digit in self.candidates(cell) or self.grid[cell] == digit else "."
            for cell in range(81)
            for digit in range(1, 10)
        )

    def __repr__(self) -> str:
        return f"Position.from_pencilmarks({self.pencilmarks()!r}, {self.grid!r}, {self.givens!r})"

    def _repr_svg_(self) -> str:
        """The picture in a notebook; `engine.draw` can do more."""
        from engine.drawing import draw

        return draw(self)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Position) and bool(
            np.array_equal(self._state, other._state) and self.givens == other.givens
        )

    def __hash__(self) -> int:
        return hash((self._state.tobytes(), self.givens))
