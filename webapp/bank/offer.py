"""Choose puzzles of the bank for players to play, view and print."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import sqlalchemy as sa

import engine
from webapp.models import Attempt, Peek, Puzzle, Status
from webapp.process.database import db
from webapp.process.errors import NotFound
from webapp.process.words import gettext as _

MOST_PRINTED = 60  # puzzles printed per request
# What a level is known for: the seconds it is expected to take, so far apart that the median of five puzzles
# is 1.4 times that of five of the level before, above Medium 1.25 times, and the hardest techniques that
# readers of newspapers know.
SECONDS: Final[Mapping[int, tuple[float, float]]] = {
    1: (0, 240),
    2: (290, 420),
    3: (520, 670),
    4: (820, 1300),
}
HARDEST: Final[Mapping[int, tuple[str, ...]]] = {
    4: (
        *("x_wing", "swordfish", "skyscraper", "two_string_kite", "xy_wing", "xyz_wing", "w_wing"),
        *("unique_rectangle_1", "unique_rectangle_2", "unique_rectangle_4", "bug_plus_1"),
    )
}
# The minutes that puzzles offered at a level are expected to take: medians (`python -m benchmarks levels`).
MINUTES: Final[Mapping[int, int]] = {1: 3, 2: 6, 3: 10, 4: 16, 5: 30}


def typical(level: int, seconds: float | None, hardest: str | None) -> bool:
    """Whether a puzzle is one of those that its level is known for."""
    least, most = SECONDS.get(level, (0, None))
    in_time = most is None or (seconds is not None and least <= seconds <= most)
    return in_time and (level not in HARDEST or hardest in HARDEST[level])


def typical_of(level: int) -> sa.ColumnElement[bool]:
    """Return the same as a condition."""
    wanted: list[sa.ColumnElement[bool]] = []
    if level in SECONDS:
        wanted.append(Puzzle.expected_seconds.between(*SECONDS[level]))
    if level in HARDEST:
        wanted.append(Puzzle.hardest.in_(HARDEST[level]))
    return sa.and_(Puzzle.level == level, *wanted)


def _atypical_last(level: int) -> sa.ColumnElement[int]:
    return sa.case((typical_of(level), 0), else_=1)


def draw(level: int, player_id: int | None) -> Puzzle | None:
    """Return a random approved puzzle of a level that this player has not started, a typical one first."""
    players = [] if player_id is None else [player_id]
    return _draw(Puzzle.level == level, players, _atypical_last(level))


def draw_for_all(level: int, player_ids: Sequence[int]) -> Puzzle | None:
    """Return a random approved puzzle of a level that none of these players has started or seen, or None."""
    peeked = sa.select(Peek.puzzle_id).where(Peek.player_id.in_(player_ids))
    which = sa.and_(Puzzle.level == level, Puzzle.id.not_in(peeked))
    return _draw(which, player_ids, _atypical_last(level))


def draw_by(hardest: str | None, must: str | None, player_id: int | None) -> Puzzle | None:
    """Like `draw`, among the puzzles that need no technique after `hardest` in TECHNIQUES, and need `must`.

    With a limit alone, takes the highest level available: players who choose XY-Wing don't want only singles.
    With `must`, puzzles that need nothing harder come first.
    """
    players = [] if player_id is None else [player_id]
    which = within(hardest, must)
    if must is None:
        return _draw(which, players, *[] if hardest is None else [Puzzle.level.desc()])
    return _draw(which, players, sa.case((Puzzle.hardest == must, 0), else_=1))


def within(hardest: str | None, must: str | None) -> sa.ColumnElement[bool]:
    """Return the condition that a puzzle needs `must`, and no technique after `hardest` in TECHNIQUES."""
    keys = list(engine.TECHNIQUES)
    limit = sa.true() if hardest is None else Puzzle.hardest.in_(keys[: keys.index(hardest) + 1])
    needed = sa.true() if must is None else Puzzle.breakdown.contains(f'"{must}":', autoescape=True)
    return sa.and_(limit, needed)


def _draw(
    which: sa.ColumnElement[bool], player_ids: Sequence[int], *first: sa.ColumnElement[int]
) -> Puzzle | None:
    """Return a random one of these puzzles, its row locked, so that it can't become a daily meanwhile."""
    query = sa.select(Puzzle).where(Puzzle.status == Status.APPROVED, Puzzle.offered, which)
    if player_ids:
        started = sa.select(Attempt.puzzle_id).where(Attempt.player_id.in_(player_ids))
        query = query.where(Puzzle.id.not_in(started))
    drawn = query.order_by(*first, sa.func.random()).limit(1)
    return db.session.scalar(drawn.with_for_update(skip_locked=True))


def puzzle_of(puzzle_id: int, status: Status, *, lock: bool = False) -> Puzzle:
    """Return the puzzle with this id and status, or raise NotFound. If locked, it keeps that status."""
    query = sa.select(Puzzle).where(Puzzle.id == puzzle_id, Puzzle.status == status)
    puzzle = db.session.scalar(query.with_for_update() if lock else query)
    if puzzle is None:
        raise NotFound(_("We couldn’t find that puzzle."))
    return puzzle


def withdrawn(puzzle_id: int) -> Puzzle | None:
    """Return the puzzle with this id if it was withdrawn, else None."""
    puzzle = db.session.get(Puzzle, puzzle_id)
    return puzzle if puzzle is not None and puzzle.status == Status.WITHDRAWN else None


def on_show(puzzle: Puzzle) -> bool:
    """Whether pages show its givens: a player has drawn it, or it was published. It can't become a daily
    then.
    """
    return puzzle.first_started_at is not None or puzzle.shown_at is not None


# The same as a condition.
_ON_SHOW = sa.or_(Puzzle.first_started_at.is_not(None), Puzzle.shown_at.is_not(None))


def shown(puzzle_id: int) -> Puzzle:
    """Return an approved puzzle to show with its givens. Raises NotFound for any other."""
    puzzle = puzzle_of(puzzle_id, Status.APPROVED)
    if not on_show(puzzle):
        raise NotFound(_("No one has played this puzzle yet. Start it to see it."))
    return puzzle


def printed(ids: list[int], player_id: int | None) -> list[Puzzle]:
    """Return the public puzzles and this player's own among these, in order, at most MOST_PRINTED.

    A player's own puzzle remains theirs after a curator has found it too.
    """
    wanted = ids[:MOST_PRINTED]
    open_to_all = sa.and_(Puzzle.status == Status.APPROVED, _ON_SHOW)
    theirs = Puzzle.status.in_((Status.ENTERED, Status.CANDIDATE, Status.REJECTED))
    own = sa.and_(theirs, Puzzle.id.in_(_met(wanted, player_id)))
    query = sa.select(Puzzle).where(Puzzle.id.in_(wanted), sa.or_(open_to_all, own))
    found = {puzzle.id: puzzle for puzzle in db.session.scalars(query)}
    return [found[number] for number in wanted if number in found]


def solutions(puzzles: Sequence[Puzzle], player_id: int | None) -> dict[int, str]:
    """Return the solutions that this player may print, by puzzle: all but those of games in play.

    Excludes puzzles that became a daily, open or not, since paper can be passed on.
    """
    in_play = _met([puzzle.id for puzzle in puzzles], player_id).where(Attempt.finished_at.is_(None))
    withheld = set(db.session.scalars(in_play))
    return {
        puzzle.id: str(engine.solution(engine.parse(puzzle.givens)))
        for puzzle in puzzles
        if puzzle.status != Status.DAILY and puzzle.id not in withheld
    }


def _met(ids: list[int], player_id: int | None) -> sa.Select[int]:
    """Return which of these puzzles a player has started."""
    return sa.select(Attempt.puzzle_id).where(Attempt.puzzle_id.in_(ids), Attempt.player_id == player_id)


def sample(level: int, count: int) -> list[Puzzle]:
    """Return random public puzzles of a level."""
    offered = Puzzle.status == Status.APPROVED, Puzzle.offered, Puzzle.level == level, _ON_SHOW
    return list(db.session.scalars(sa.select(Puzzle).where(*offered).order_by(sa.func.random()).limit(count)))
