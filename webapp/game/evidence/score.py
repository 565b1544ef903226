"""The score of a solve: what each figure weighs, in shares of a doubt. A sum of one puts it under review.

What speaks of knowing the digits weighs double in a fast solve. The weights were fitted on some of the
made-up logs and tried on others: benchmarks/fair.md.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from webapp.game.evidence.figures import Figures
from webapp.game.evidence.habits import harder_first, searched, unhalted, unlinked

ENOUGH = 1.0
# What the latest solves show together. It is not held against each of them, as it is the same for all.
HABITS = frozenset({"searched", "unlinked", "unhalted", "easiest"})
# The fast gain most, so these must be clearer. But pace and orders are no sign of knowing the digits, and
# habits are those of slow solves, too.
FAST = 0.5  # of the expected time
NOT_DOUBLED = frozenset({"pace", "order", "scattered"}) | HABITS
# These speak only against a place among the first. As a doubt a single wait would have put 3 more of 240 logs
# of guessers under review, and marks for show 27 of 60 of people who note two digits and decide at once.
NO_DOUBT = frozenset({"stalled_once", "marks_posed"})
TOLD = 0.3  # the least share that is told to the player, and the sum that keeps a time from the first places


@dataclass(frozen=True, slots=True)
class Weight:
    """What a figure adds to the score: 0 up to `harmless`, 1 at `doubtful`, more beyond, up to `most`."""

    key: str  # stored, and told in words by `plausibility`
    figure: Callable[[Figures], float | None]  # None: nothing is known
    harmless: float
    doubtful: float  # below `harmless` for a figure of which less is more doubtful
    most: float = 2.0

    def share(self, value: float) -> float:
        """How much of a doubt a value is."""
        return min(self.most, max(0.0, (value - self.harmless) / (self.doubtful - self.harmless)))


WEIGHTS = (
    # Leaps over open singles, and half as much for what easy eliminations would have led to; who tries digits
    # out leaps too, and is wrong as often. Of people 95 in 100 have up to 2.5, of `what_if` 1 in 100 5 to 6.
    Weight("leaps", lambda of: of.leaps.bold + of.leaps.bold_uncalled / 2 - of.erred, 1.0, 7.0),
    # Leaps into the open, where not even two candidates are weighed against each other.
    Weight("wild", lambda of: float(of.leaps.wild - of.leaps.tried), 0.0, 1.5),
    # Digits beyond the easy eliminations without a mark, a trial or a slip anywhere: at most one by luck.
    Weight("unmarked", lambda of: of.unmarked, 0.0, 2.5, most=0.9),
    # Leaps that took no thought.
    Weight("quick", lambda of: float(of.leaps.quick - of.leaps.tried), 0.5, 3.0),
    # Hard digits sooner than it takes to see that no single is left; a guess may be lucky once.
    Weight("prompt", lambda of: float(of.leaps.prompt - of.leaps.tried), 0.0, 1.5),
    # Where no single is left, everybody stops to think: of people 99 in 100 for 1.5 times as long as at a
    # single, if there are two such places. Digits from a program come as soon as others.
    Weight("stalled", lambda of: of.stalled if of.leaps.stalls > 1 else None, 1.4, 0.8),
    # The shortest such wait, since one digit from a program may be all: 16 of 1,215 people among the first
    # three have less than 1.22, 9 of whom try digits out, and two in three of those with such a digit.
    Weight("stalled_once", lambda of: of.shortest_stall, 1.4, 0.8, most=0.3),
    # The engine's own order through hard steps, with hardly a mark.
    Weight("path", lambda of: of.along_path if of.unprepared else None, 0.8, 0.95),
    # A sweep over what is left, before the last digits, that nothing called for: 999 in 1,000 people have at
    # most 5.
    Weight("order", lambda of: of.swept, 5.0, 9.0),
    # Singles picked from all over the board. Of people 99 in 100 have more than 0.6, and the least -0.3; who
    # picks at random has 0 in the middle.
    Weight("scattered", lambda of: of.togetherness, 0.6, -0.8),
    # The same over the latest solves, and hard digits that came as soon as singles. Of people the most are at
    # -5 and -1 over twenty.
    Weight("unlinked", lambda of: unlinked(of.latest), 1.5, 5.0),
    Weight("unhalted", lambda of: unhalted(of.latest), 1.5, 5.0),
    # Waits that are no longer where singles are harder to find. Of people the least have 0.36.
    Weight("searched", lambda of: searched(of.latest), 0.25, 0.15),
    # Nearly always the easiest single. People leave it out 26 times in 100 or more, who follow the path 3.
    Weight("easiest", lambda of: harder_first(of.latest), 0.1, 0.05),
    Weight("pace", lambda of: of.timing.pace, 0.3, 0.2),
    Weight("own_pace", lambda of: of.timing.against_own, 0.6, 0.42),
    Weight("marks_fast", lambda of: of.timing.mark_seconds, 0.4, 0.25),
    # Marks that a look at the board rules out, or beside the engine's order marks of a single digit each.
    Weight("marks_odd", lambda of: of.odd_marks, 0.2, 0.4),
    # Marks for show: in the very cell whose digit comes next. Few people have more than 0.25. Never enough
    # alone, since it can be a habit.
    Weight("marks_posed", lambda of: of.posed_marks, 0.4, 0.8, most=0.25),
    # The same order as another game of the puzzle, which began earlier.
    Weight("alike", lambda of: of.alike, 0.75, 0.88),
    # Another player of this device began the puzzle earlier: nothing by itself, as in a family.
    Weight("device", lambda of: of.timing.pace if of.shared else None, 0.6, 0.2, most=0.8),
)


def measured(of: Figures) -> dict[str, float]:
    """The values of all figures of which something is known."""
    found = {weight.key: weight.figure(of) for weight in WEIGHTS}
    return {key: round(value, 3) for key, value in found.items() if value is not None}


def shares(values: Mapping[str, float], weights: Iterable[Weight] = WEIGHTS) -> dict[str, float]:
    """How much of a doubt each value is, where it is any."""
    found = {each.key: each.share(values[each.key]) for each in weights if each.key in values}
    return {key: round(share, 3) for key, share in found.items() if share > 0}


def weighed(found: Mapping[str, float], pace: float | None) -> float:
    """All shares together.

    pace: the time over the expected one; None where nothing is expected.
    """
    total = sum(found.values())
    if pace is not None and pace <= FAST:
        total += sum(share for key, share in found.items() if key not in NOT_DOUBLED | NO_DOUBT)
    return total


def against(found: Mapping[str, float], pace: float | None) -> float:
    """What speaks against the solve by itself."""
    return weighed({key: share for key, share in found.items() if key not in HABITS}, pace)


def told(found: Mapping[str, float]) -> list[str]:
    """The keys of the shares that are told, the heaviest first."""
    heaviest = sorted(found, key=lambda key: -found[key])
    return [key for key in heaviest if found[key] >= TOLD] or heaviest[:1]


def doubted(found: Mapping[str, float], pace: float | None) -> list[str]:
    """The keys to tell where the shares add up to a doubt, the heaviest first; else none."""
    heard = {key: share for key, share in found.items() if key not in NO_DOUBT}
    return told(heard) if weighed(heard, pace) >= ENOUGH else []
