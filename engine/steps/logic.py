"""Solve like a human: all steps of a technique, the next step, the whole path, easiest techniques first."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from math import inf
from time import monotonic
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ..arguments import MOST_SECONDS, bounded, flag, meant, number
from ..errors import EngineError, UnknownKeyError
from ..given import Given
from ..kernels._jit import kernel
from ..kernels.dispatch import address_of
from ..kernels.state import CANDIDATES, LEFT, State, broken
from ..kernels.steps import (
    ALL,
    COUNT,
    FIRST,
    FIRST_HEADER,
    FULL,
    LEMMA,
    PAST_BOUND,
    SPENT,
    WIDTH,
    Steps,
    clear,
    new_steps,
)
from ..position import Position
from ..techniques import TECHNIQUES, Technique
from ..techniques.limits import Limits
from ..text import start_of
from .proof import shortened
from .step import Effects, Step, decode_all, decode_first, decode_shortest
from .walking import Barren, apply, ask, forget, keep

HIGHEST_TIER: Final = 5
# In the highest tier, the techniques up to this one are searched for all their steps: together they take 5
# ms, while a single later one takes up to a second.
ASKED_TOGETHER: Final = "continuous_nice_loop"
# `all_steps` includes these by default besides those: techniques that the Explainer rates below 9.0, found in
# milliseconds. Each of the rest takes up to a second, and most of their effects are found without them.
ASKED_BESIDE: Final = frozenset(
    {
        "x_cycle",
        "y_cycle",
        "forcing_x_chain",
        "bidirectional_cycle",
        "strong_links_5",
        "uvwxyz_wing",
        "strong_links_6",
        "aligned_pair_exclusion",
        "forcing_chain",
        "tuvwxyz_wing",
        "aligned_triplet_exclusion",
        "nishio",
        "cell_forcing_chain",
        "region_forcing_chain",
        "dynamic_forcing_chain",
    }
)
MOST_OF_EACH: Final = 12  # steps of one technique to choose from: nets find thousands

# Buffer sizes (steps, words), tried in turn: few searches need more than the first.
_ROOMS = ((256, 16_384), (8_192, 1_048_576), (131_072, 16_777_216))


# For the steps of a path between two decodings: nearly all paths fit.
_PATH: Final = (1_024, 65_536)
_NO_PATH: Final[Steps] = np.zeros(0, dtype=np.int32)


class GaveUp(EngineError):
    """A search exceeded its stated limit, so there may be more steps than those found.

    keys: the techniques whose search it was.
    steps: what other techniques found, if they were tried too (`all_steps`).

    >>> from engine import GaveUp
    >>> GaveUp("past its bound", ("nishio",)).keys
    ('nishio',)
    """

    def __init__(self, reason: str, keys: tuple[str, ...] = (), steps: tuple[Step, ...] = ()) -> None:
        super().__init__(reason)
        self.keys = keys
        self.steps = steps


@dataclass(frozen=True, slots=True, repr=False)
class Path:
    """A solution path by logic, from a grid or a position.

    >>> from engine import parse, solve_path
    >>> grid = parse("...7..12.........4.8316...5..2..6.37..9...8..36.8..4..1...4956.5.........34..8...")
    >>> path = solve_path(grid)
    >>> path, len(path)
    (<Path of 53 steps, solved>, 53)
    """

    steps: tuple[Step, ...]
    end: Position
    solved: bool
    gave_up: tuple[
        str, ...
    ] = ()  # techniques past their limit at the end of the path; they may have another step

    def __len__(self) -> int:
        return len(self.steps)

    def __repr__(self) -> str:
        return f"<Path of {len(self)} steps, {'solved' if self.solved else 'not solved'}>"


def find(position: Given, technique_key: str) -> list[Step]:
    """Return all instances of one technique, the shortest proof for each distinct set of effects.

    Runs the technique on any position, uniqueness techniques included. UnknownKeyError, a KeyError, for an
    unknown key; GaveUp if the search exceeds its limit.

    >>> from engine import Position, find, parse
    >>> text = "...7..12.........4.8316...5..2..6.37..9...8..36.8..4..1...4956.5.........34..8..."
    >>> position = Position.from_grid(parse(text))
    >>> len(find(position, "hidden_single")), find(position, "x_wing")
    (4, [])
    """
    _check_key("technique_key", technique_key)
    start = start_of("position", position)
    found = decode_shortest(_scan(start, TECHNIQUES[technique_key], ALL))
    return [shortened(step, start) for step in found]


def all_steps(
    position: Given,
    *,
    uniqueness: bool = True,
    techniques: Iterable[str] | None = None,
    up_to: str | None = None,
    distinct: bool = True,
    seconds: float | None = None,
) -> list[Step]:
    """Return the steps of all techniques that apply and take milliseconds, in the order of TECHNIQUES.

    uniqueness: whether techniques may assume a unique solution; they never do unless position.unique.
    techniques: search only these; TECHNIQUES for all, which takes up to seconds. up_to: search none after
    this one, and by itself all others. distinct: among steps with the same effects return only the easiest,
    the shortest of its technique; False for one per technique. seconds: after this no further technique is
    searched; one takes up to a second. If techniques exceed their limits, the others are searched all the
    same, and GaveUp has their results; likewise if the time ended.

    >>> from engine import Position, all_steps, parse
    >>> text = "...7..12.........4.8316...5..2..6.37..9...8..36.8..4..1...4956.5.........34..8..."
    >>> position = Position.from_grid(parse(text))
    >>> sorted({step.technique for step in all_steps(position, up_to="naked_single")})
    ['hidden_single', 'naked_single']
    """
    position = _checked(position, uniqueness)
    flag("distinct", distinct)
    end = inf if seconds is None else monotonic() + number("seconds", seconds, 0, MOST_SECONDS)
    asked = _asked(techniques, up_to)
    steps: list[Step] = []
    seen: set[Effects] | None = set() if distinct else None
    given_up: list[GaveUp] = []
    late: list[str] = []
    for technique in _fitting(position, uniqueness):
        if technique.key not in asked:
            continue
        if monotonic() > end:
            late.append(technique.key)
            continue
        try:
            found = decode_shortest(_scan(position, technique, ALL), seen=seen)
            steps += (shortened(step, position) for step in found)
        except GaveUp as error:
            given_up.append(error)
    if late:
        given_up.append(GaveUp(f"the time ended before {len(late)} techniques were asked", tuple(late)))
    if given_up:
        raise _all_given_up(given_up, steps)
    return steps


def next_step(position: Given, *, uniqueness: bool = True) -> Step | None:
    """Return a step of the first technique that has one; None if logic finds nothing more.

    uniqueness: as for all_steps. Techniques that are only searched on request are left out. A technique that
    exceeds its limit is skipped; GaveUp if there was one and no other has a step.

    >>> from engine import Position, next_step, parse
    >>> text = "...7..12.........4.8316...5..2..6.37..9...8..36.8..4..1...4956.5.........34..8..."
    >>> position = Position.from_grid(parse(text))
    >>> next_step(position)
    <Step hidden_single: r4c1=8>
    """
    position = _checked(position, uniqueness)
    given_up: list[GaveUp] = []
    ladder = _ladder(uniqueness and position.unique)
    at = 0
    while True:
        at, out = ladder.first(position, at)
        if at == len(ladder.techniques):
            break
        if out[FULL]:  # repeated by `_scan`, which handles limits and larger buffers
            try:
                out = _scan(position, ladder.techniques[at], FIRST)
            except GaveUp as error:
                given_up.append(error)
                at += 1
                continue
        if step := decode_first(out):
            return shortened(step, position)
        at += 1
    if given_up:
        raise _all_given_up(given_up)
    return None


def easiest_steps(position: Position, *, uniqueness: bool = True) -> list[Step]:
    """Return the steps of the lowest tier that has any, in the order of TECHNIQUES; empty if there are none.

    Each technique searches as far as for `next_step` and returns its MOST_OF_EACH shortest; nothing above
    that tier is searched. In the highest tier all techniques up to ASKED_TOGETHER are searched, then one by
    one until one has a step.
    uniqueness, GaveUp: as for next_step.
    """
    given_up: list[GaveUp] = []
    asked = [each for each in _fitting(position, uniqueness) if not each.on_request]
    for tier in range(1, HIGHEST_TIER + 1):
        found: list[Step] = []
        together = True
        for technique in asked:
            if tier not in (technique.tier, technique.tier_in_box):
                continue
            try:
                out = _scan(position, technique, ALL, far=FIRST)
            except GaveUp as error:
                given_up.append(error)
                continue
            shortest = decode_shortest(out, MOST_OF_EACH)
            found += (
                shortened(step, position)
                for step in shortest
                if TECHNIQUES[step.technique].tier_of(step.variant) == tier
            )
            together = together and (tier < HIGHEST_TIER or technique.key != ASKED_TOGETHER)
            if found and not together:
                break
        if found:
            return found
    if given_up:
        raise _all_given_up(given_up)
    return []


def solve_path(start: Given, *, uniqueness: bool = True) -> Path:
    """Return the steps from `start` to the end of logic, each as returned by `next_step`.

    If that raises GaveUp the path ends too, and its `gave_up` isn't empty.

    >>> from engine import parse, solve_path
    >>> grid = parse("...7..12.........4.8316...5..2..6.37..9...8..36.8..4..1...4956.5.........34..8...")
    >>> print(solve_path(grid).steps[0])
    hidden_single: r4c1=8
    """
    flag("uniqueness", uniqueness)
    position = start_of("start", start)
    ladder = _ladder(uniqueness and position.unique)
    steps, position, more = ladder.take(position)
    while more:
        try:
            step = next_step(position, uniqueness=uniqueness)
        except GaveUp as error:
            return Path(tuple(steps), position, solved=False, gave_up=error.keys)
        if step is None:
            break
        taken, position, more = ladder.take(position._moved(step.placements, step.eliminations))
        steps += [step, *taken]
    return Path(tuple(steps), position, position.solved)


def _checked(position: Given, uniqueness: bool) -> Position:
    flag("uniqueness", uniqueness)
    return start_of("position", position)


def _check_key(argument: str, key: object) -> None:
    if not isinstance(key, str) or key not in TECHNIQUES:
        raise UnknownKeyError(argument, f"there is no technique {meant(key, TECHNIQUES)}")


def _asked(techniques: Iterable[str] | None, up_to: str | None) -> set[str]:
    """Return the keys of `techniques` as far as `up_to`; without both, the default ones."""
    keys = list(TECHNIQUES)
    last = ASKED_TOGETHER if up_to is None and techniques is None else up_to
    if last is not None:
        _check_key("up_to", last)
        keys = keys[: keys.index(last) + 1]
    if techniques is None:
        return {*keys, *(ASKED_BESIDE if up_to is None else ())}
    wanted = bounded("techniques", techniques, len(TECHNIQUES))
    for key in wanted:
        _check_key("techniques", key)
    return set(keys) & set(wanted)


def _all_given_up(errors: list[GaveUp], steps: Iterable[Step] = ()) -> GaveUp:
    """Merge several errors into one."""
    keys = tuple(key for error in errors for key in error.keys)
    return GaveUp("; ".join(map(str, errors)), keys, tuple(steps))


def _fitting(position: Position, uniqueness: bool) -> Iterator[Technique]:
    for technique in TECHNIQUES.values():
        if not technique.needs_unique or (uniqueness and position.unique):
            yield technique


@lru_cache(maxsize=256)
def _limits(technique: Technique, mode: int) -> Limits:
    """Return the limits of `find` for ALL, those of the path "logic" for FIRST."""
    return technique.limits_for(technique.paths.get("logic", {}) if mode == FIRST else {})


@kernel
def climb(
    position: State,
    addresses: NDArray[np.int64],
    limits: Limits,
    scopes: NDArray[np.int32],
    barren: Barren,
    before: NDArray[np.int32],
    at: int,
    end: int,
    out: Steps,
    path: Steps,
) -> int:
    """Take steps from `position`, mutating it, while techniques before `end` find one; store them in `path`.

    Returns the technique that filled `out`, or whose step doesn't fit in `path`; `end` if none has a step,
    and the number of all techniques if nothing is left to do. The search for the first step starts at
    technique `at`.

    addresses: int64[n], of the scans. limits: int32[n, LIMITS_SIZE], theirs; BARREN is changed. scopes:
    int32[n], of the techniques. barren, before: as in walking.py; read and written. path: empty to leave the
    first step in `out` without taking it.
    """
    while len(path) == 0 or (position[LEFT] and not broken(position)):
        stale = True
        while at < end:
            if stale and scopes[at]:
                forget(position, before, scopes, barren)
                stale = False
            clear(out)
            out[SPENT] = 0
            if not ask(addresses[at], scopes[at], position, limits[at], FIRST, barren, at, out) and (
                out[FULL] or not out[FIRST_HEADER + (out[COUNT] - 1) * WIDTH + LEMMA]
            ):
                break
            at += 1
        if at == end or out[FULL] or len(path) == 0:
            return at
        chosen = out[COUNT] - 1
        if not keep(out, chosen, path):
            return at
        apply(out, chosen, position)
        at = 0
    return len(addresses)


def _shortened(steps: list[Step], position: Position) -> list[Step]:
    """Return the steps of a path from `position` with proofs no longer than needed."""
    nets = [at for at, step in enumerate(steps) if step.links]
    for at, step in enumerate(steps[: nets[-1] + 1] if nets else ()):
        steps[at] = shortened(step, position)
        position = position._moved(step.placements, step.eliminations)
    return steps


class _Ladder:
    """The techniques of a path, searched by one compiled call.

    A scan is loaded, or compiled, when it is first reached.
    """

    def __init__(self, registered: tuple[Technique, ...], unique: bool) -> None:
        """registered: all techniques. unique: whether to include those that need one solution."""
        self.registered = registered
        self.techniques = [
            each for each in registered if not each.on_request and (unique or not each.needs_unique)
        ]
        self._limits = np.stack([_limits(technique, FIRST) for technique in self.techniques])
        self._scopes = np.array([technique.scope for technique in self.techniques], dtype=np.int32)
        self._addresses = np.zeros(len(self.techniques), dtype=np.int64)
        self._loaded = 0  # number of addresses

    def first(self, position: Position, at: int) -> tuple[int, Steps]:
        """Return the first technique from `at` on that finds a step or fills its buffer, and that buffer."""
        return self._climb(position._state, at, _NO_PATH), _buffer(*_ROOMS[0])

    def take(self, position: Position) -> tuple[list[Step], Position, bool]:
        """Return the steps from a position and its end; and whether more may follow with larger buffers."""
        array = position.array
        path = _buffer(*_PATH)
        clear(path)
        at = self._climb(array, 0, path)
        return _shortened(decode_all(path), position), position._at(array), at < len(self.techniques)

    def _climb(self, array: State, at: int, path: Steps) -> int:
        """Like `climb`, over all techniques; each is loaded, or compiled, when first reached."""
        barren = np.zeros(len(self.techniques), dtype=np.int32)
        before = array[CANDIDATES : CANDIDATES + 81].copy()
        limits = self._limits.copy()  # changed by the call, and there may be other threads
        out = _buffer(*_ROOMS[0])
        while True:
            end = self._loaded
            at = climb(array, self._addresses, limits, self._scopes, barren, before, at, end, out, path)
            if at != end or end == len(self.techniques):
                return at
            self._addresses[end] = address_of(self.techniques[end].scan)
            self._loaded = max(self._loaded, end + 1)  # another thread may have got further


_LADDERS: Final[dict[bool, _Ladder]] = {}


def _ladder(unique: bool) -> _Ladder:
    """Return the techniques of a path, with or without those that need a unique solution."""
    registered = tuple(TECHNIQUES.values())
    ladder = _LADDERS.get(unique)
    if ladder is None or ladder.registered != registered:
        ladder = _LADDERS[unique] = _Ladder(registered, unique)
    return ladder


_OF_THREAD: Final = threading.local()


def _buffer(room: int, words: int) -> Steps:
    """Return this thread's buffer of that size."""
    buffers: dict[int, Steps] | None = getattr(_OF_THREAD, "buffers", None)
    if buffers is None:
        buffers = _OF_THREAD.buffers = {}
    if room not in buffers:
        buffers[room] = new_steps(room, words)
    return buffers[room]


def _scan(position: Position, technique: Technique, mode: int, far: int | None = None) -> Steps:
    """Run one scan and return its buffer. GaveUp past the limit or if the largest buffer is too small.

    far: the mode whose limits apply, if not `mode`.
    """
    limits = _limits(technique, mode if far is None else far)
    for room, words in _ROOMS:
        out = _buffer(room, words)
        clear(out)
        out[SPENT] = 0
        technique.scan(position._state, limits, mode, out)
        if not out[FULL]:
            return out
        if out[FULL] == PAST_BOUND:
            raise GaveUp(f"{technique.key}: the search went past its bound", (technique.key,))
    raise GaveUp(f"{technique.key}: more instances than there is room for", (technique.key,))
