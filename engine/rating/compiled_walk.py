"""The compiled part of walk.py."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..kernels._jit import kernel
from ..kernels.dispatch import call_scan
from ..kernels.patterns import new_ways
from ..kernels.state import CANDIDATES, LEFT, State, copy_to
from ..kernels.steps import (
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
    VARIANT,
    WIDTH,
    Steps,
    clear,
)
from ..steps.walking import DIGIT, PARTS, Barren, apply, ask, forget, settle
from ..techniques.implications import length_rating
from .arrivals import Arrivals, apply_and_join, put_first_single
from .memo import Memo, Origin, code_after, code_of, is_known, note

# Columns of a log.
LOG_KEY: Final = 0  # number of the technique
LOG_VARIANT: Final = 1
LOG_SIZE: Final = 2
LOG_PLACED: Final = 3  # how many candidates the step placed
LOG_REMOVED: Final = 4  # how many it removed
LOG_PRICE: Final = 5  # the step's price in the scheme
LOG_WIDTH: Final = 6

# Columns of a price list: a step costs BASE + BY_VARIANT * variant + BY_TENTHS * (variant // 10) + the price
# of its length, where BY_LENGTH is 1 for the Explainer's chains and 2 for its unique loops. In a class with
# BY_TYPE, ties go to the lowest type (variant % 10), then to the loop from the lowest cell.
BASE: Final = 0
BY_VARIANT: Final = 1
BY_TENTHS: Final = 2
BY_LENGTH: Final = 3
BY_TYPE: Final = 4
PRICE_WIDTH: Final = 5

MOST_STEPS: Final = 81 * 9  # each step places or removes a candidate

SOLVED: Final = 0
STUCK: Final = 1
OVER: Final = 2  # a scan exceeded its limit


@kernel
def length_price(kind: int, size: int) -> int:
    """Return the price of the length of a chain (kind 1) or a unique loop (kind 2)."""
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
    """Whether step `one` has more effect than step `other` by HoDoKu's count.

    A placement comes first, then most removals, then the lowest sum of their cells, with increasing weights.
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


class Entries(NamedTuple):
    """The techniques of an order."""

    addresses: NDArray[np.int64]  # of each technique's scan
    limits: NDArray[np.int32]  # [n, LIMITS_SIZE]
    scopes: NDArray[np.int32]  # [n + 1]: of their techniques, then DIGIT
    classes: NDArray[np.int32]  # entries with the same number above 0 are adjacent and searched together
    questions: NDArray[np.int64]  # their keys in the memo; 0 to skip it
    prices: NDArray[np.int32]  # [techniques, PRICE_WIDTH]
    singles: int  # how many of the first are singles, which cost no more than a memo lookup
    patterns: int  # the first one-digit entry that costs more than finding the settled digits


@kernel
def _take(
    entries: Entries,
    entry: int,
    code: int,
    position: State,
    mode: int,
    memo: Memo,
    barren: Barren,
    out: Steps,
) -> None:
    """Run the scan of an entry unless it is known to find nothing."""
    scope = entries.scopes[entry]
    asked = entries.questions[entry] if len(memo) else 0
    if scope and barren[entry] == PARTS[scope]:
        return
    if asked and is_known(memo, code, asked):
        barren[entry] = PARTS[scope]
    elif (
        ask(entries.addresses[entry], scope, position, entries.limits[entry], mode, barren, entry, out)
        and asked
    ):
        note(memo, code, asked)


@kernel
def _cheapest(prices: NDArray[np.int32], greedy: bool, out: Steps) -> int:
    """Return the cheapest step of `out`; -1 if there is none."""
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
    return chosen


@kernel
def _log(prices: NDArray[np.int32], out: Steps, chosen: int, row: NDArray[np.int32]) -> None:
    """Write step `chosen` of `out` to a row of a log."""
    header = FIRST_HEADER + chosen * WIDTH
    row[LOG_KEY] = out[header + KEY]
    row[LOG_VARIANT] = out[header + VARIANT]
    row[LOG_SIZE] = out[header + SIZE]
    row[LOG_PLACED] = out[header + PLACED + 1] - out[header + PLACED]
    row[LOG_REMOVED] = out[header + REMOVED + 1] - out[header + REMOVED]
    row[LOG_PRICE] = price(prices, out, chosen)


@kernel
def walk(
    position: State,
    entries: Entries,
    greedy: bool,
    arrivals: Arrivals,
    memo: Memo,
    out: Steps,
    log: NDArray[np.int32],
    most: int,
    passing: bool,
    origin: Origin,
    taken: int,
    head: State,
) -> tuple[int, int, int, int]:
    """Take up to `most` steps from `position`, mutating it.

    Returns the number of steps logged, how it ended, the entry that exceeded its limit, or -1, and the number
    of single steps before any other technique was tried.

    entries: the BARREN of their limits is changed. greedy: among equal prices in a class, take the step with
    most effect. arrivals: the queues of singles, tried before all others; empty if unused. memo: read and
    written; empty for none. out: its SPENT continues from its value. log: int32[MOST_STEPS, LOG_WIDTH], a row
    a step. passing: skip an entry that exceeds its limit; the walk ends if no other has a step. origin:
    int32[729], for the candidates of `position` those of the memo's puzzle. taken: how many steps of `log`
    led to `position`; they are priced. head: output, the position where the first singles ended.
    """
    prices, scopes, classes = entries.prices, entries.scopes, entries.classes
    addresses = entries.addresses
    for step in range(taken):
        log[step, LOG_PRICE] = _price_of(
            prices, log[step, LOG_KEY], log[step, LOG_VARIANT], log[step, LOG_SIZE]
        )
    queued = len(arrivals) > 0
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
        while entry < entries.singles:
            call_scan(addresses[entry], position, entries.limits[entry], FIRST, out)
            entry += 1
            if out[COUNT]:
                chosen = 0
                break
        if chosen < 0 and head_steps < 0:
            head_steps = steps
            copy_to(position, head)
        if chosen < 0:
            if len(memo) and code < 0:
                code = code_of(position, origin)
            elif len(memo):
                code = code_after(code, before, position, origin)
            forget(position, before, scopes, barren)
        while chosen < 0 and entry < len(addresses):
            clear(out)
            if scopes[entry] == DIGIT and entry >= entries.patterns and barren[-1] != PARTS[DIGIT]:
                settle(position, scopes, barren, ways)
            if classes[entry] == 0:
                _take(entries, entry, code, position, FIRST, memo, barren, out)
                chosen = out[COUNT] - 1
                entry += 1
            else:
                first = entry
                while entry < len(addresses) and classes[entry] == classes[first]:
                    _take(entries, entry, code, position, ALL, memo, barren, out)
                    entry += 1
                chosen = _cheapest(prices, greedy, out)
            if out[FULL]:
                if not passing:
                    return steps, OVER, entry - 1, head_steps
                passed = entry - 1
                chosen = -1
        if chosen < 0:
            return steps, STUCK if passed < 0 else OVER, passed, head_steps
        _log(prices, out, chosen, log[steps])
        if queued:
            apply_and_join(out, chosen, position, arrivals)
        else:
            apply(out, chosen, position)
        steps += 1
    if head_steps < 0:
        head_steps = steps
        copy_to(position, head)
    return steps, SOLVED if position[LEFT] == 0 else STUCK, -1, head_steps
