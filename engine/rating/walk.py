"""Walk from a position to the end of a scheme's logic, and log the steps.

A scheme is an order of techniques with limits. At each step the first technique that finds anything is
applied, then the order starts again. Techniques of one class are searched together, and the cheapest step is
taken.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..kernels.dispatch import address_of
from ..kernels.state import STATE_SIZE, State
from ..kernels.steps import SPENT, Steps, new_steps
from ..position import Position
from ..steps.step import Step, decode_all
from ..steps.walking import DIGIT
from ..techniques import TECHNIQUES, limits_for
from ..techniques.entry import Family, Trait
from ..techniques.keys import KEYS, NUMBER
from ..techniques.limits import FORWARD, LEVEL, NESTED_LEVELS, Limits
from .arrivals import ARRIVALS_SIZE, Arrivals, arrive
from .compiled_walk import LOG_KEY, LOG_WIDTH, MOST_STEPS, OVER, PRICE_WIDTH, Entries, walk
from .memo import ITSELF, Memo, Origin, question

_WORDS: Final = 1 << 18
_ROOM: Final = 4096
_OF_THREAD: Final = threading.local()
_NO_MEMO: Final[Memo] = np.zeros(0, dtype=np.int64)
_NO_ARRIVALS: Final[Arrivals] = np.zeros(0, dtype=np.int32)


def _buffers() -> tuple[Steps, NDArray[np.int32]]:
    """Return this thread's buffer of steps and log."""
    if not hasattr(_OF_THREAD, "buffers"):
        _OF_THREAD.buffers = new_steps(_ROOM, _WORDS), np.zeros((MOST_STEPS, LOG_WIDTH), dtype=np.int32)
    found: tuple[Steps, NDArray[np.int32]] = _OF_THREAD.buffers
    return found


class Walk(NamedTuple):
    """The result of a walk; a tuple, since that takes a microsecond less to create than a frozen
    dataclass.
    """

    log: NDArray[np.int32]  # [steps, LOG_WIDTH]
    end: int  # SOLVED, STUCK or OVER
    over: str | None  # the technique that exceeded its limit
    head: State  # the position after the order's initial singles
    head_steps: int  # how many steps led there

    def uses(self) -> dict[int, int]:
        """Return how often each technique was used, by its number; a third faster than a Counter for so
        few.
        """
        numbers = self.log[:, LOG_KEY].tolist()
        return {number: numbers.count(number) for number in set(numbers)}


@dataclass(frozen=True)
class OrderedTechnique:
    """One technique of an order."""

    key: str
    limits: Mapping[str, int] = field(default_factory=dict)  # if they differ from those of `find`
    asked_with: int = 0  # the number of its class, 0 if it is searched alone


class Order:
    """A walkable order of techniques with a price list."""

    def __init__(
        self,
        entries: Iterable[OrderedTechnique],
        prices: Mapping[str, tuple[int, ...]],
        *,
        greedy: bool = False,
        queued: bool = False,
        passing: bool = False,
    ) -> None:
        """prices: up to PRICE_WIDTH numbers for each technique.

        greedy: among equal prices in a class take the step with most effect, else the first found.
        queued: singles come before all else, in the order in which they arose.
        passing: skip a technique that exceeds its limit, as hints do.
        """
        self._passing = passing
        self._greedy = greedy
        self._queued = queued
        self.entries = [entry for entry in entries if entry.key in TECHNIQUES]
        self._prices = np.zeros((len(KEYS), PRICE_WIDTH), dtype=np.int32)
        for key, row in prices.items():
            self._prices[NUMBER[key], : len(row)] = row
        self._classes = np.array([entry.asked_with for entry in self.entries], dtype=np.int32)

    @cached_property
    def keys(self) -> tuple[str, ...]:
        """The technique of each entry."""
        return tuple(entry.key for entry in self.entries)

    @cached_property
    def _addresses(self) -> NDArray[np.int64]:
        return np.array([address_of(TECHNIQUES[key].scan) for key in self.keys], dtype=np.int64)

    @cached_property
    def _limits(self) -> Limits:
        return np.stack([limits_for(entry.key, dict(entry.limits)) for entry in self.entries])

    @cached_property
    def _scopes(self) -> NDArray[np.int32]:
        return np.array([*(TECHNIQUES[key].scope for key in self.keys), DIGIT], dtype=np.int32)

    @cached_property
    def _singles(self) -> int:
        """Return how many of the first entries are singles."""
        return next((n for n, key in enumerate(self.keys) if TECHNIQUES[key].family is not Family.SINGLES), 0)

    @cached_property
    def _patterns(self) -> int:
        """Return the first one-digit entry after locked candidates."""
        cheap = {Family.SINGLES, Family.DIRECT, Family.LOCKED_CANDIDATES}
        costly = (n for n, key in enumerate(self.keys) if TECHNIQUES[key].family not in cheap)
        return next((n for n in costly if TECHNIQUES[self.keys[n]].scope == DIGIT), len(self.keys))

    @cached_property
    def _questions(self) -> NDArray[np.int64]:
        """Return the number of each technique with its limits; 0 for nested chains, which count their
        searches.
        """
        asked = zip(self.keys, self._limits, strict=True)
        return np.array(
            [0 if limits[LEVEL] in NESTED_LEVELS else question(key, limits) for key, limits in asked]
        )

    @cached_property
    def _equal_questions(self) -> NDArray[np.int64]:
        """Return the same; also 0 if equivalent positions may have different steps.

        This applies to chains and strong links, where of several ways to one place the first is followed, to
        sets that are taken in the order of their table, and to whatever depends on the order of the board.
        """
        families = {Family.CHAINS, Family.FORCING, Family.SINGLE_DIGIT}
        asked = zip((TECHNIQUES[key] for key in self.keys), self._limits, strict=True)
        by_way = [
            each.family in families or Trait.OF_THE_BOARD in each.traits or bool(limits[FORWARD])
            for each, limits in asked
        ]
        return np.where(by_way, 0, self._questions)

    def walk(
        self,
        position: Position,
        memo: Memo | None = None,
        origin: Origin = ITSELF,
        begun: Walk | None = None,
    ) -> Walk:
        """Solve as far as the order goes.

        memo: which scans found nothing in other walks from the same position; read and written.
        origin: int32[729], for the candidates of this position those of that one.
        begun: another walk from this position, whose first singles this one reuses. They must be those that
        this order begins with too, or the order of filling singles must not matter, as in a puzzle with one
        solution.
        """
        out, log = _buffers()
        out[SPENT] = 0
        taken = 0 if begun is None else begun.head_steps
        if begun is not None:
            log[:taken] = begun.log[:taken]
        start = position.array if begun is None else begun.head.copy()
        known = _NO_MEMO if memo is None else memo
        head = np.empty(STATE_SIZE, dtype=np.int32)
        arrivals = self._arrivals(position)
        steps, end, entry, head_steps = self._walk(
            start, arrivals, out, log, MOST_STEPS, known, origin, taken, head
        )
        return Walk(log[:steps].copy(), end, self.keys[entry] if end == OVER else None, head, head_steps)

    def follow(self, position: Position) -> Iterator[tuple[Position, Step]]:
        """Yield the steps of `walk`, each with the position before it; slower, but decoded."""
        out, log = _buffers()
        arrivals = self._arrivals(position)
        spent = 0
        steps = 1
        while steps:
            after = position.array
            out[SPENT] = spent
            steps, *_ = self._walk(after, arrivals, out, log, 1, _NO_MEMO, ITSELF, 0, position.array)
            spent = int(out[SPENT])
            if steps:
                found = ((step, position.after(step)) for step in decode_all(out))
                step, following = next(pair for pair in found if np.array_equal(pair[1].array, after))
                yield position, step
                position = following

    def _arrivals(self, position: Position) -> Arrivals:
        """Return the queues of singles at the start."""
        if not self._queued:
            return _NO_ARRIVALS
        arrivals = np.zeros(ARRIVALS_SIZE, dtype=np.int32)
        arrive(position.array, arrivals)
        return arrivals

    def _walk(
        self,
        state: State,
        arrivals: Arrivals,
        out: Steps,
        log: NDArray[np.int32],
        most: int,
        memo: Memo,
        origin: Origin,
        taken: int,
        head: State,
    ) -> tuple[int, int, int, int]:
        """Call `walk` with the entries."""
        entries = Entries(
            self._addresses,
            self._limits.copy(),  # changed by the walk, and there may be other threads
            self._scopes,
            self._classes,
            self._questions if origin is ITSELF else self._equal_questions,
            self._prices,
            self._singles,
            self._patterns,
        )
        return walk(
            state, entries, self._greedy, arrivals, memo, out, log, most, self._passing, origin, taken, head
        )
