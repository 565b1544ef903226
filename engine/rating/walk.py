"""Walk from a position to the end of a scheme's logic inside compiled code, and log the steps.

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

from engine.kernels._jit import kernel
from engine.kernels.dispatch import address_of, call_scan
from engine.kernels.patterns import new_ways
from engine.kernels.state import CANDIDATES, LEFT, STATE_SIZE, State, copy_to
from engine.kernels.steps import (
    ALL,
    COUNT,
    FIRST,
    FIRST_HEADER,
    FULL,
    KEY,
    PATTERN,
    PLACED,
    REMOVED,
    SIZE,
    SPENT,
    VARIANT,
    WIDTH,
    Steps,
    clear,
    new_steps,
)
from engine.position import Position
from engine.rating.arrivals import ARRIVALS_SIZE, Arrivals, apply_and_join, arrive, put_first_single
from engine.rating.memo import ITSELF, Memo, Origin, code_after, code_of, is_known, note, question
from engine.step import Step, decode_all
from engine.techniques import TECHNIQUES, limits_for
from engine.techniques.entry import Family, Trait
from engine.techniques.implications import length_rating
from engine.techniques.keys import KEYS, NUMBER
from engine.techniques.limits import FORWARD, LEVEL, NESTED_LEVELS, Limits
from engine.walking import DIGIT, PARTS, Barren, apply, ask, forget, settle

# Columns of a log.
LOG_KEY: Final = 0  # number of the technique
LOG_VARIANT: Final = 1
LOG_SIZE: Final = 2
LOG_PLACED: Final = 3  # how many candidates the step placed
LOG_REMOVED: Final = 4  # how many it removed
LOG_PRICE: Final = 5  # what the scheme charges for it
LOG_WIDTH: Final = 6

# Columns of a price list: a step costs BASE + BY_VARIANT * variant + BY_TENTHS * (variant // 10) + what its
# length adds, where BY_LENGTH is 1 for the Explainer's chains and 2 for its unique loops. Of a class with
# BY_TYPE, of equal prices the lowest type (variant % 10) is taken, then the loop from the lowest cell.
BASE: Final = 0
BY_VARIANT: Final = 1
BY_TENTHS: Final = 2
BY_LENGTH: Final = 3
BY_TYPE: Final = 4
PRICE_WIDTH: Final = 5

MOST_STEPS: Final = 81 * 9  # each step places or removes a candidate

SOLVED: Final = 0
STUCK: Final = 1
OVER: Final = 2  # a scan went past its bound

_WORDS: Final = 1 << 18
_ROOM: Final = 4096


@kernel
def length_price(kind: int, size: int) -> int:
    """Return what the length of a chain (kind 1) or a unique loop (kind 2) adds to the price."""
    if kind == 1:
        return int(10 * length_rating(size) + 0.5)
    if kind == 2:
        return 0 if size < 8 else (1 if size == 8 else 4)
    return 0


@kernel
def price(prices: NDArray[np.int32], out: Steps, index: int) -> int:
    """Return the price of step `index` of `out`."""
    header = FIRST_HEADER + index * WIDTH
    return _price_of(prices, out[header + KEY], out[header + VARIANT], out[header + SIZE])


@kernel
def _price_of(prices: NDArray[np.int32], key: int, variant: int, size: int) -> int:
    """Return the price of a step of that technique, variant and size."""
    row = prices[key]
    cost = row[BASE] + row[BY_VARIANT] * variant + row[BY_TENTHS] * (variant // 10)
    return int(cost) + length_price(row[BY_LENGTH], size)


@kernel
def _does_more(out: Steps, one: int, other: int) -> bool:
    """Whether step `one` does more than step `other` by HoDoKu's count.

    A placement comes first, then most removals, then the lowest sum of their cells, each later one weighing
    more.
    """
    first = FIRST_HEADER + one * WIDTH
    second = FIRST_HEADER + other * WIDTH
    placed = out[first + PLACED + 1] - out[first + PLACED]
    if placed != out[second + PLACED + 1] - out[second + PLACED]:
        return bool(placed)
    count = out[first + REMOVED + 1] - out[first + REMOVED]
    others = out[second + REMOVED + 1] - out[second + REMOVED]
    if count != others:
        return bool(count > others)
    total = 0
    weight = 1
    for at in range(count):
        candidate = out[out[first + REMOVED] + at]
        known = out[out[second + REMOVED] + at]
        total += (candidate // 9 - known // 9) * weight + candidate % 9 - known % 9
        weight += 80
    return bool(total < 0)


@kernel
def _is_of_lower_type(prices: NDArray[np.int32], out: Steps, one: int, other: int) -> bool:
    """Whether step `one` comes before step `other` of the same price by type, then by its first cell."""
    first = FIRST_HEADER + one * WIDTH
    second = FIRST_HEADER + other * WIDTH
    if not prices[out[first + KEY], BY_TYPE]:
        return False
    if out[first + VARIANT] % 10 != out[second + VARIANT] % 10:
        return bool(out[first + VARIANT] % 10 < out[second + VARIANT] % 10)
    return bool(out[out[first + PATTERN]] & 0x7F < out[out[second + PATTERN]] & 0x7F)


@kernel
def _take(
    address: int,
    scope: int,
    asked: int,
    code: int,
    position: State,
    limits: Limits,
    mode: int,
    memo: Memo,
    barren: Barren,
    entry: int,
    out: Steps,
) -> None:
    """Run a scan unless it is known to find nothing.  asked: the question of the memo; 0 without one."""
    if scope and barren[entry] == PARTS[scope]:
        return
    if asked and is_known(memo, code, asked):
        barren[entry] = PARTS[scope]
    elif ask(address, scope, position, limits, mode, barren, entry, out) and asked:
        note(memo, code, asked)


@kernel
def walk(
    position: State,
    addresses: NDArray[np.int64],
    limits: NDArray[np.int32],
    scopes: NDArray[np.int32],
    classes: NDArray[np.int32],
    prices: NDArray[np.int32],
    greedy: bool,
    arrivals: Arrivals,
    questions: NDArray[np.int64],
    memo: Memo,
    out: Steps,
    log: NDArray[np.int32],
    most: int,
    passing: bool,
    singles: int,
    patterns: int,
    origin: Origin,
    taken: int,
    head: State,
) -> tuple[int, int, int, int]:
    """Take up to `most` steps from `position`, mutating it.

    Returns the number of steps logged, how it ended, the entry that went past its bound, or -1, and how many
    steps were singles before any other technique was asked.

    addresses: of each technique's scan, in order.  limits: int32[n, LIMITS_SIZE], theirs.
    scopes: int32[n + 1], of their techniques, then DIGIT.  singles: how many of the first entries are
    singles, which cost no more than to look up what is known.  patterns: the first entry of one digit that
    costs more than to know which digits are settled.  classes: int32[n], entries with one number above 0
    stand together and are asked together. prices: int32[techniques, PRICE_WIDTH].  greedy: of equal prices
    in a class the step that does most.  arrivals: the queues of singles, asked before all others; empty where
    there are none.  log: int32[MOST_STEPS, LOG_WIDTH], a row a step.  questions: int64[n], what `memo`
    knows the entries by.  memo: read and written; empty where nothing shall be remembered.  origin:
    int32[729], the candidates of the memo's puzzle that those of `position` come from.  out: its SPENT goes
    on from where it stands.  passing: pass over an entry that goes past its bound; it ends the walk where no
    other has a step.  taken: how many steps of `log` led to `position`; they are priced.  head: written, the
    position where the first singles ended.
    """
    for step in range(taken):
        log[step, LOG_PRICE] = _price_of(
            prices, log[step, LOG_KEY], log[step, LOG_VARIANT], log[step, LOG_SIZE]
        )
    limits = limits.copy()  # BARREN is changed
    queued = len(arrivals) > 0
    remember = len(memo) > 0
    code = -1
    barren = np.zeros(len(addresses) + 1, dtype=np.int32)
    ways = new_ways()
    before = np.empty(81, dtype=np.int32)
    for cell in range(81):
        before[cell] = position[CANDIDATES + cell]
    steps = taken
    head_steps = -1
    while position[LEFT] and steps < most:
        entry = 0
        chosen = -1
        passed = -1
        clear(out)
        if queued and put_first_single(position, arrivals, out):
            entry = len(addresses)
            chosen = 0
        while entry < singles:
            call_scan(addresses[entry], position, limits[entry], FIRST, out)
            entry += 1
            if out[COUNT]:
                chosen = 0
                break
        if chosen < 0 and head_steps < 0:
            head_steps = steps
            copy_to(position, head)
        if chosen < 0:
            if remember and code < 0:
                code = code_of(position, origin)
            elif remember:
                code = code_after(code, before, position, origin)
            forget(position, before, scopes, barren)
        while chosen < 0 and entry < len(addresses):
            clear(out)
            if scopes[entry] == DIGIT and entry >= patterns and barren[-1] != PARTS[DIGIT]:
                settle(position, scopes, barren, ways)
            if classes[entry] == 0:
                _take(
                    addresses[entry],
                    scopes[entry],
                    questions[entry] if remember else 0,
                    code,
                    position,
                    limits[entry],
                    FIRST,
                    memo,
                    barren,
                    entry,
                    out,
                )
                chosen = out[COUNT] - 1
                entry += 1
            else:
                first = entry
                while entry < len(addresses) and classes[entry] == classes[first]:
                    _take(
                        addresses[entry],
                        scopes[entry],
                        questions[entry] if remember else 0,
                        code,
                        position,
                        limits[entry],
                        ALL,
                        memo,
                        barren,
                        entry,
                        out,
                    )
                    entry += 1
                chosen = -1
                lowest = 0
                for index in range(out[COUNT]):
                    cost = price(prices, out, index)
                    if (
                        chosen < 0
                        or cost < lowest
                        or (cost == lowest and greedy and _does_more(out, index, chosen))
                        or (cost == lowest and _is_of_lower_type(prices, out, index, chosen))
                    ):
                        chosen, lowest = index, cost
            if out[FULL]:
                if not passing:
                    return steps, OVER, entry - 1, head_steps
                passed = entry - 1
                chosen = -1
        if chosen < 0:
            return steps, STUCK if passed < 0 else OVER, passed, head_steps
        header = FIRST_HEADER + chosen * WIDTH
        log[steps, LOG_KEY] = out[header + KEY]
        log[steps, LOG_VARIANT] = out[header + VARIANT]
        log[steps, LOG_SIZE] = out[header + SIZE]
        log[steps, LOG_PLACED] = out[header + PLACED + 1] - out[header + PLACED]
        log[steps, LOG_REMOVED] = out[header + REMOVED + 1] - out[header + REMOVED]
        log[steps, LOG_PRICE] = price(prices, out, chosen)
        if queued:
            apply_and_join(out, chosen, position, arrivals)
        else:
            apply(out, chosen, position)
        steps += 1
    if head_steps < 0:
        head_steps = steps
        copy_to(position, head)
    return steps, SOLVED if position[LEFT] == 0 else STUCK, -1, head_steps


_OF_THREAD: Final = threading.local()
_NO_MEMO: Final[Memo] = np.zeros(0, dtype=np.int64)
_NO_ARRIVALS: Final[Arrivals] = np.zeros(0, dtype=np.int32)


def _buffers() -> tuple[Steps, NDArray[np.int32]]:
    """The buffer of steps and the log of this thread."""
    if not hasattr(_OF_THREAD, "buffers"):
        _OF_THREAD.buffers = new_steps(_ROOM, _WORDS), np.zeros((MOST_STEPS, LOG_WIDTH), dtype=np.int32)
    found: tuple[Steps, NDArray[np.int32]] = _OF_THREAD.buffers
    return found


class Walk(NamedTuple):
    """What a walk did; a tuple, since it takes a microsecond less to make than a frozen dataclass."""

    log: NDArray[np.int32]  # [steps, LOG_WIDTH]
    end: int  # SOLVED, STUCK or OVER
    over: str | None  # the technique that went past its bound
    head: State  # the position where the singles ended that the order begins with
    head_steps: int  # how many steps led there

    def uses(self) -> dict[int, int]:
        """How often each technique was used, by its number; a third faster than a Counter for so few."""
        numbers = self.log[:, LOG_KEY].tolist()
        return {number: numbers.count(number) for number in set(numbers)}


@dataclass(frozen=True)
class OrderedTechnique:
    """One technique of an order."""

    key: str
    limits: Mapping[str, int] = field(default_factory=dict)  # where they differ from those of `find`
    asked_with: int = 0  # the number of its class, 0 where it is asked alone


class Order:
    """An order of techniques with a price list, that can be walked."""

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

        greedy: of equal prices in a class the step that does most is taken, else the first found.
        queued: singles come before all else, in the order in which they arose.
        passing: a technique that goes past its bound is passed over, as hints do.
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
        """How many of the first entries are singles."""
        return next((n for n, key in enumerate(self.keys) if TECHNIQUES[key].family is not Family.SINGLES), 0)

    @cached_property
    def _patterns(self) -> int:
        """The first entry of one digit behind locked candidates."""
        cheap = {Family.SINGLES, Family.DIRECT, Family.LOCKED_CANDIDATES}
        costly = (n for n, key in enumerate(self.keys) if TECHNIQUES[key].family not in cheap)
        return next((n for n in costly if TECHNIQUES[self.keys[n]].scope == DIGIT), len(self.keys))

    @cached_property
    def _questions(self) -> NDArray[np.int64]:
        """The number of each technique with its limits; 0 for nested chains, which count their searches."""
        asked = zip(self.keys, self._limits, strict=True)
        return np.array(
            [0 if limits[LEVEL] in NESTED_LEVELS else question(key, limits) for key, limits in asked]
        )

    @cached_property
    def _equal_questions(self) -> NDArray[np.int64]:
        """Likewise; 0 too where one of two equivalent positions may have a step that the other has not.

        So it is with chains and strong links in a row, where of several ways to one place the first is
        followed, with sets that are taken in the order of their table, and with what only an ordered board
        shows.
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
        origin: int32[729], the candidates of that position that those of this one come from.
        begun: another walk from this position, whose first singles this one takes over. They must be those
        that this order begins with too, or else it must not matter in which order singles are filled, as in a
        puzzle with one solution.
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
        """The steps of `walk` one by one, each with the position it is taken on; slower, but decoded."""
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
        """The queues of singles at the start."""
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
        return walk(
            state,
            self._addresses,
            self._limits,
            self._scopes,
            self._classes,
            self._prices,
            self._greedy,
            arrivals,
            self._questions if origin is ITSELF else self._equal_questions,
            memo,
            out,
            log,
            most,
            self._passing,
            self._singles,
            self._patterns,
            origin,
            taken,
            head,
        )
