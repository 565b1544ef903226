"""A season of simulated players: how well ratings find the true strengths, and how cheats distort puzzles.

`python -m benchmarks strength`: 2,000 players of known strength, 5,000 puzzles, 60 days. Every rated game
goes through `webapp.learn.strength.scoring`, as on the site; puzzles are chosen as in
`webapp.learn.strength.choice`, from a sorted list instead of a table.

The model. A player of strength s solves a puzzle of difficulty d without help and in time with the odds 10 **
((s - d) / 400). Otherwise they are late, take help, or give up (FAILURES). A puzzle's true difficulty is the
engine's estimate plus an error of ENGINE_ERROR points. Cheats win, and the rules flag CAUGHT of them: an
assumed share; docs/fair-play/players.md has measured ones.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from dataclasses import dataclass, replace
from itertools import product
from typing import Final

import numpy as np

from benchmarks.expected_time import Column, spearman
from benchmarks.tables import Table, sized
from webapp.learn.strength import scoring
from webapp.learn.strength.anchoring import shift
from webapp.learn.strength.choice import CLOSE, FAR, MOST_LOOKED_AT, SHIFTS, TYPICAL
from webapp.learn.strength.glicko import Rating, opponent_for

SPREAD: Final = 300.0  # standard deviation of players' strengths around 1500
ENGINE_ERROR: Final = 120.0  # of the puzzles' true difficulties around the engine's estimate
WITHIN_LEVEL: Final = 90.0  # of the engine's estimates within a level
# Outcomes of games that are not won: late, helped (with the remaining score), given up.
FAILURES: Final = ((0.35, 0.5, False), (0.40, 0.4, True), (0.25, 0.0, False))
CAUGHT: Final = 0.95
ENOUGH_GAMES: Final = 30
FIRST_COUNTED: Final = 10  # games before the share solved is counted


@dataclass(frozen=True, slots=True)
class Season:
    """The results of a simulation; correlations are Spearman's."""

    games: int
    players: float  # estimated and true strength, after ENOUGH_GAMES games
    puzzles: float  # estimated and true difficulty at the end, of all
    engine: float  # the same for the engine's estimate alone
    puzzle_error: float  # standard deviation of the estimates around the truth, without their common shift
    engine_error: float
    solved: float  # share solved without help, from the tenth game on
    solved_by_tenth: tuple[
        float, float
    ]  # the least and the greatest share over games 10 to 19, 20 to 29, ...
    score: float  # mean score from then on
    drift: float  # points by which puzzles have moved on average


@dataclass(frozen=True, slots=True)
class Cheated:
    """How many points cheats have shifted the puzzles by."""

    games: int  # that moved a puzzle
    undetected: int
    most: float  # the greatest shift of any puzzle, against the same games without the cheats
    mean: float


# A game that moved a puzzle: which, the player's rating alone, the score, and whether it was cheated.
Moved = tuple[int, Rating, float, bool]


def simulate(
    players: int = 2000,
    puzzles: int = 5000,
    days: int = 60,
    *,
    cheating: float = 0.0,
    caught: float = CAUGHT,
    seed: int = 1,
    anchored: bool = True,
) -> tuple[Season, list[Moved], Column]:
    """Simulate a season in which every player plays one game a day on average.

    cheating: the share of games that are cheated. caught: the share of these that are put under review.
    anchored: whether the scale is re-anchored once a day, as on the site.

    Returns the results, the games that moved a puzzle in order, and the puzzles' initial ratings.
    """
    draw = np.random.default_rng(seed)
    strengths = draw.normal(1500, SPREAD, players)
    levels = draw.choice(list(TYPICAL.values()), puzzles)
    begin = levels + draw.normal(0, WITHIN_LEVEL, puzzles)
    truths = begin + draw.normal(0, ENGINE_ERROR, puzzles)
    own, alone = ([Rating() for _player in range(players)] for _which in range(2))
    rated = [Rating(float(word), scoring.START_DEVIATION) for word in begin]
    bank = sorted((rating.rating, number) for number, rating in enumerate(rated))
    met: list[set[int]] = [set() for _player in range(players)]
    after_enough = np.full(players, np.nan)
    last, last_alone = np.zeros(players), np.full(players, np.nan)
    log: list[Moved] = []
    # The game's number for its player, its score, whether it was solved
    outcomes: list[tuple[int, float, bool]] = []
    until = np.cumsum([share for share, _score, _helped in FAILURES])
    visits = draw.poisson(days, players)
    times = draw.uniform(0, days, visits.sum())
    who_comes = np.repeat(np.arange(players), visits)
    moved: set[int] = set()
    today = 0
    for visit in np.argsort(times):
        who, at = int(who_comes[visit]), float(times[visit])
        if int(at) > today:
            today = int(at)
            points = shift([rated[each].rating - begin[each] for each in moved]) if anchored else 0.0
            if points:
                for each in moved:
                    rated[each] = replace(rated[each], rating=rated[each].rating + points)
                bank = sorted((rating.rating, each) for each, rating in enumerate(rated))
        number = _next(bank, own[who], met[who], draw)
        if number is None:
            continue
        met[who].add(number)
        count = len(met[who])
        cheats = bool(draw.random() < cheating)
        score, helped = 1.0, False
        if not cheats and draw.random() > 1 / (1 + 10 ** ((truths[number] - strengths[who]) / 400)):
            _share, score, helped = FAILURES[int(np.searchsorted(until, draw.random() * until[-1]))]
        if not cheats:
            outcomes.append((count, score, score > 0 and not helped))
        elif draw.random() < caught:
            continue  # under review: not counted
        player, puzzle = own[who], rated[number]
        own[who] = scoring.player_after(player, puzzle, score, at - last[who] if count > 1 else 1.0)
        last[who] = at
        measure = alone[who]
        if not helped:
            away = at - last_alone[who]
            alone[who] = scoring.player_after(measure, puzzle, score, 1.0 if np.isnan(away) else away)
            last_alone[who] = at
        after = scoring.puzzle_after(puzzle, measure, score, assisted=helped)
        if after is not puzzle:
            log.append((number, measure, score, cheats))
            del bank[bisect_left(bank, (puzzle.rating, number))]
            insort(bank, (after.rating, number))
            rated[number] = after
            moved.add(number)
        if count == ENOUGH_GAMES:
            after_enough[who] = own[who].rating
    enough = ~np.isnan(after_enough)
    estimates = np.array([rating.rating for rating in rated])
    counts, scores, solved = (np.array(column, dtype=np.float64) for column in zip(*outcomes, strict=True))
    counted = counts >= FIRST_COUNTED
    tenths = [counted & (counts // 10 == tenth) for tenth in range(1, int(counts.max()) // 10 + 1)]
    shares = [float(solved[tenth].mean()) for tenth in tenths if tenth.sum() >= players]
    season = Season(
        games=len(outcomes),
        players=spearman(after_enough[enough], strengths[enough]),
        puzzles=spearman(estimates, truths),
        engine=spearman(begin, truths),
        puzzle_error=float(np.std(estimates - truths)),
        engine_error=float(np.std(begin - truths)),
        solved=float(solved[counted].mean()),
        solved_by_tenth=(min(shares), max(shares)),
        score=float(scores[counted].mean()),
        drift=float(np.mean(estimates - begin)),
    )
    return season, log, begin


def _next(bank: list[tuple[float, int]], own: Rating, met: set[int], draw: np.random.Generator) -> int | None:
    """Return the next puzzle for a player, as webapp.learn.strength.choice finds it in the database."""
    wish = opponent_for(own, SHIFTS[""], scoring.START_DEVIATION)
    middle = bisect_left(bank, (wish, -1))
    found: list[tuple[float, int]] = []
    for walk in (range(middle, len(bank)), range(middle - 1, -1, -1)):
        seen = 0
        for index in walk:
            rating, number = bank[index]
            if seen == MOST_LOOKED_AT or abs(rating - wish) > FAR:
                break
            if number not in met:
                found.append((abs(rating - wish), number))
                seen += 1
    close = [number for away, number in found if away <= CLOSE]
    if close:
        return close[int(draw.integers(len(close)))]
    return min(found)[1] if found else None


def shifted(log: list[Moved], begin: Column) -> Cheated:
    """Fold every puzzle over the games that moved it, with and without the undetected cheats."""
    ends = []
    for cheats in (True, False):
        ratings = [Rating(float(word), scoring.START_DEVIATION) for word in begin]
        for number, player, score, cheated in log:
            if cheats or not cheated:
                ratings[number] = scoring.puzzle_after(ratings[number], player, score, assisted=False)
        ends.append(np.array([rating.rating for rating in ratings]))
    shift = ends[0] - ends[1]
    undetected = sum(cheated for _number, _player, _score, cheated in log)
    return Cheated(len(log), undetected, float(np.abs(shift).max()), float(shift.mean()))


def main() -> None:
    """Print a season of each seed, then the effect of cheats on puzzles."""
    sizes = sized("PLAYERS", 2000, 20), sized("PUZZLES", 5000, 300), sized("DAYS", 60, 60)
    found_by = ("games", "players", "puzzles", "engine", "error", "engine’s")
    table = Table(("seed",), (*found_by, "solved", "by tens", "score", "drift"))
    for seed in (1, 2, 3):
        one, _log, _begin = simulate(*sizes, seed=seed)
        low, high = one.solved_by_tenth
        found = [f"{each:.3f}" for each in (one.players, one.puzzles, one.engine)]
        errors = f"{one.puzzle_error:.0f}", f"{one.engine_error:.0f}"
        solved = f"{one.solved:.3f}", f"{low:.3f} to {high:.3f}", f"{one.score:.3f}"
        table.row(seed, f"{one.games:,}", *found, *errors, *solved, f"{one.drift:+.0f}")
    moved = ("games that moved a puzzle", "undetected cheats", "greatest shift", "mean shift")
    table = Table(("seed", "caught"), moved)
    for seed, caught in product((1, 2, 3), (CAUGHT, 0.0)):
        _season, log, begin = simulate(*sizes, cheating=0.05, caught=caught, seed=seed)
        cheated = shifted(log, begin)
        counts = f"{cheated.games:,}", f"{cheated.undetected:,}"
        table.row(seed, f"{caught:.0%}", *counts, f"{cheated.most:.1f}", f"{cheated.mean:+.2f}")


if __name__ == "__main__":
    main()
