"""The puzzle bank: fill it, count it, draw from it. Independent of requests."""

from __future__ import annotations

import logging
import secrets
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from typing import Any
from zlib import crc32

import numpy as np
import sqlalchemy as sa

import engine
from engine import warm
from engine.generation.methods import LEVELS as DIG_LEVELS
from engine.generation.recipe import suits
from engine.generation.symmetry import ANY
from webapp.bank import breakdown
from webapp.bank.aside import PATIENCE, Aside
from webapp.models import Attempt, Puzzle, Status
from webapp.process.database import db, hold_lock, write_tx
from webapp.process.errors import NotFound
from webapp.process.words import gettext as _

log = logging.getLogger(__name__)

LEVELS = range(1, 6)
# The techniques that players can ask for by name: those that a puzzle of their own is made for in seconds.
ASKED_FOR = (
    "naked_single",
    "pointing",
    "claiming",
    "naked_pair",
    "hidden_pair",
    "naked_triple",
    "hidden_triple",
    "x_wing",
    "skyscraper",
    "two_string_kite",
    "turbot_fish",
    "empty_rectangle",
    "xy_wing",
    "w_wing",
    "xyz_wing",
    "remote_pair",
    "unique_rectangle_1",
    "unique_rectangle_2",
    "unique_rectangle_4",
    "hidden_rectangle",
    "bug_plus_1",
    "simple_colouring_trap",
    "swordfish",
    "wxyz_wing",
    "xy_chain",
    "als_xz",
    "sue_de_coq",
)
# The source of a puzzle's level: the digging level it was made at, or the techniques it needs. Increment
# RATED whenever ratings may change, also by the order of techniques, so that all puzzles are rated again.
DUG = "givens-dug-2"
RATED = "tiers-1"
BY_GIVENS = "givens-1"
_GIVENS = "givens-"  # what the sources begin with that are no rating
MOST_MISSES = 500  # puzzles of an unneeded level in a row before filling stops
BATCH = 100  # canonical forms per transaction
SHARES = 64  # of the canonical forms, each with its own lock
CLAIM = 0x9F01D  # distinguishes these locks from others
MOST_PRINTED = 60  # puzzles printed per request


def fresh_stock() -> dict[int, int]:
    """Count the approved puzzles that have never been started, by level 1..5."""
    counts = db.session.execute(
        sa.select(Puzzle.level, sa.func.count().label("fresh"))
        .where(Puzzle.status == Status.APPROVED, Puzzle.offered, Puzzle.first_started_at.is_(None))
        .group_by(Puzzle.level)
    )
    return dict.fromkeys(LEVELS, 0) | {row.level: row.fresh for row in counts}


def stock_up(target: int, now: datetime, *, rated: bool) -> Iterator[int]:
    """Add puzzles, the emptiest level first, until every level has `target` fresh ones.

    Yields the level of each puzzle once it is stored. `rated`: take levels from the rating; otherwise from
    the number of givens, which needs no compiled techniques. Two concurrent fillers can
    overshoot by a few puzzles, which does no harm.
    """
    stock = fresh_stock()
    misses = 0
    while misses < MOST_MISSES:
        wanted = min(stock, key=lambda level: stock[level])
        if stock[wanted] >= target:
            return
        puzzle = generated(wanted, now, rated=rated)
        if stock[puzzle.level] < target and _store(puzzle):
            level = puzzle.level
            stock[level] += 1
            misses = 0
            yield level
        else:
            misses += 1
    log.warning("generated %d puzzles in a row at levels that are not needed: %s", misses, stock)


def generated(level: int, now: datetime, *, rated: bool) -> Puzzle:
    """Generate a puzzle of a level without storing it; if not rated, with the level's number of givens."""
    db.session.rollback()  # no open transaction while the engine works
    seed = secrets.randbits(62)
    recipe = engine.Recipe(level=level, symmetry=ANY) if rated else dug_recipe(level)
    made = engine.generate(recipe, seed=seed)
    return _approved(made, now, rating_of(made.grid) if rated else {"level": level, "rating_version": DUG})


def made_for(technique: str, now: datetime, patience: float = PATIENCE) -> Puzzle | None:
    """Return a new puzzle whose hardest technique is this one, without storing it; None if none is ready yet.

    It is made in the background, so that it is there when the player asks again.
    """
    db.session.rollback()  # no open transaction while the engine works
    if not warm.ready():
        return None
    seed = _next_seeds.setdefault(technique, secrets.randbits(62))
    found = _to_order.ask((technique, seed), patience)
    if found is None:
        return None
    _next_seeds.pop(technique, None)
    made, values = found
    return None if made is None else _approved(made, now, values)


def _make_to_order(order: tuple[str, int]) -> tuple[engine.Puzzle | None, dict[str, Any]]:
    technique, seed = order
    try:
        made = engine.generate(engine.Recipe(hardest=technique, symmetry=ANY), seed=seed)
    except engine.RecipeError:  # this seed leads to none; the next request draws another
        return None, {}
    values = rating_of(made.grid)
    return made, values | {"offered": suits(made.grid, values["level"])}


_to_order: Aside[tuple[str, int], tuple[engine.Puzzle | None, dict[str, Any]]] = Aside(_make_to_order)
_next_seeds: dict[str, int] = {}  # technique -> seed of the puzzle that its next player gets


def kept(puzzle: Puzzle) -> Puzzle:
    """Inside `write_tx()`: add a puzzle to the bank, or return the one with these givens."""
    query = sa.select(Puzzle).where(Puzzle.givens == puzzle.givens)
    known = db.session.scalar(query)
    if known is not None:
        return known
    try:
        with db.session.begin_nested():
            db.session.add(puzzle)
    except sa.exc.IntegrityError:  # PostgreSQL has concurrent writers: another was first
        return db.session.scalars(query).one()
    return puzzle


def _approved(made: engine.Puzzle, now: datetime, values: dict[str, Any]) -> Puzzle:
    """values: the columns of its rating."""
    grid = made.grid
    return Puzzle(
        givens=str(grid),
        canonical=str(engine.canonical_form(grid)),
        status=Status.APPROVED,
        method=made.method,
        seed=str(made.seed),
        engine_version=engine.__version__,
        created_at=now,
        **values,
    )


def dug_recipe(level: int) -> engine.Recipe:
    """Return the substitute for a level while techniques are not compiled yet."""
    dig = DIG_LEVELS[level]
    return engine.Recipe(fewest_givens=dig.fewest, most_givens=dig.most, symmetry=ANY)


def _store(puzzle: Puzzle) -> bool:
    """Store a puzzle; False if the bank already has it."""
    with write_tx():
        known = db.session.scalar(sa.select(Puzzle.id).where(Puzzle.givens == puzzle.givens))
        if known is None:
            db.session.add(puzzle)
    return known is None


def rating_of(grid: engine.Grid) -> dict[str, Any]:
    """Return the columns of a puzzle rated by every scheme, so that no desk page has to wait for a rating.

    Until `rate_anew` reaches it, a puzzle of an older version may lack some; its page computes them.
    The search schemes cost 3 ms more on average, and a thread in a request that needs them.
    """
    return columns(engine.rate(grid, schemes="all"))


def columns(rating: engine.Rating) -> dict[str, Any]:
    """The columns that the rating of a puzzle fills."""
    return {
        "level": rating.level,
        "explainer": rating.scores.get("explainer"),
        "hardest": rating.hardest,
        "expected_seconds": rating.expected_seconds,
        "rating_version": RATED,
        "breakdown": breakdown.text_of(breakdown.of_rating(rating)),
    }


def claim(forms: Iterable[str]) -> None:
    """Inside `write_tx()`: prevent others from storing puzzles of these canonical forms until it ends."""
    # A few locks for all forms: PostgreSQL has room for some thousands.
    for share in sorted({crc32(form.encode()) % SHARES for form in forms}):
        hold_lock(CLAIM, share)


def twin(givens: str, canonical: str | None) -> Puzzle | None:
    """Return the bank's puzzle with these givens or an equivalent grid, preferring the same givens.

    Inside `write_tx()`: prevents others from storing a puzzle of this form until it ends.
    """
    claim([canonical or givens])
    same = Puzzle.givens == givens
    known = sa.select(Puzzle).where(sa.or_(same, Puzzle.canonical == canonical))
    return db.session.scalars(known.order_by(sa.case((same, 0), else_=1), Puzzle.id).limit(1)).first()


def entered(grid: engine.Grid, now: datetime, rating: engine.Rating | None) -> Puzzle:
    """Return the puzzle with these givens: the bank's, or a new one reachable only through its attempts.

    rating: its rating if known; otherwise the worker rates it later.
    """
    known = sa.select(Puzzle).where(Puzzle.givens == str(grid))
    puzzle = db.session.scalar(known)
    if puzzle is None:
        puzzle = Puzzle(
            givens=str(grid),
            canonical=str(engine.canonical_form(grid)),
            status=Status.ENTERED,
            engine_version=engine.__version__,
            created_at=now,
            **(
                columns(rating)
                if rating is not None
                else {"level": level_by_givens(grid.givens), "rating_version": BY_GIVENS}
            ),
        )
        try:
            with db.session.begin_nested():
                db.session.add(puzzle)
        except sa.exc.IntegrityError:  # PostgreSQL has concurrent writers: another was first
            puzzle = db.session.scalars(known).one()
    return puzzle


def level_by_givens(givens: int) -> int:
    """Return the level of an unrated puzzle, by its number of givens."""
    return next((level for level, digs in DIG_LEVELS.items() if givens >= digs.fewest), max(LEVELS))


def rate_anew() -> Iterator[int]:
    """Rate puzzles with an outdated rating, and candidates without a breakdown; yields their ids.

    Attempts keep their level, and so do dailies that had a rated one and puzzles a curator has relabeled.
    What nobody has chosen is no longer offered if its givens do not suit its level; `stock_up` replaces it.
    """
    bare = sa.and_(Puzzle.status == Status.CANDIDATE, Puzzle.breakdown.is_(None))
    old = sa.select(Puzzle.id, Puzzle.givens).where(sa.or_(Puzzle.rating_version != RATED, bare))
    # Fresh stock last, so that `stock_up` follows soon after it has shrunk.
    waiting = db.session.execute(old.order_by(Puzzle.first_started_at.is_(None), Puzzle.id)).all()
    db.session.rollback()  # no open transaction while the engine works
    promised = sa.and_(Puzzle.status == Status.DAILY, Puzzle.rating_version.not_like(f"{_GIVENS}%"))
    kept = sa.or_(Puzzle.relabelled, promised)
    by_a_curator = Puzzle.order_id.is_not(None), Puzzle.version > 0, Puzzle.method.is_(None)
    chosen = sa.or_(*by_a_curator, Puzzle.status == Status.CANDIDATE)
    for puzzle_id, givens in waiting:
        grid = engine.parse(givens)
        values = rating_of(grid)
        level = values.pop("level")
        offered = sa.case((chosen, Puzzle.offered), else_=suits(grid, level))
        with write_tx():
            update = sa.update(Puzzle).where(Puzzle.id == puzzle_id)
            level = sa.case((kept, Puzzle.level), else_=level)
            db.session.execute(update.values(level=level, offered=offered, **values))
        yield puzzle_id


def fill_canonical() -> Iterator[int]:
    """Compute missing canonical forms; yields the ids of the puzzles."""
    lacking = db.session.execute(
        sa.select(Puzzle.id, Puzzle.givens).where(Puzzle.canonical.is_(None)).order_by(Puzzle.id)
    ).all()
    db.session.rollback()  # no open transaction while the engine works
    for part in (lacking[first : first + BATCH] for first in range(0, len(lacking), BATCH)):
        forms = engine.canonical_forms(np.stack([engine.parse(givens).array() for _id, givens in part]))
        with write_tx():
            for (puzzle_id, _givens), form in zip(part, forms, strict=True):
                values = {"canonical": str(engine.Grid(form.tobytes()))}
                db.session.execute(sa.update(Puzzle).where(Puzzle.id == puzzle_id).values(**values))
        yield from (puzzle_id for puzzle_id, _givens in part)


def draw(level: int, player_id: int | None) -> Puzzle | None:
    """Return a random approved puzzle of a level that this player has not started, or None."""
    return _draw(Puzzle.level == level, player_id)


def draw_by(hardest: str | None, must: str | None, player_id: int | None) -> Puzzle | None:
    """Like `draw`, among the puzzles that need no technique after `hardest` in TECHNIQUES, and need `must`.

    With a limit alone, takes the highest level available: players who choose XY-Wing do not want singles
    alone. With `must`, those come first that need nothing harder.
    """
    keys = list(engine.TECHNIQUES)
    which: sa.ColumnElement[bool] = sa.true()
    if hardest is not None:
        which = Puzzle.hardest.in_(keys[: keys.index(hardest) + 1])
    if must is None:
        return _draw(which, player_id, *[] if hardest is None else [Puzzle.level.desc()])
    needed = Puzzle.breakdown.contains(f'"{must}":', autoescape=True)
    return _draw(sa.and_(which, needed), player_id, sa.case((Puzzle.hardest == must, 0), else_=1))


def _draw(
    which: sa.ColumnElement[bool], player_id: int | None, *first: sa.ColumnElement[int]
) -> Puzzle | None:
    """Return a random one of these puzzles. Its row is locked, so that it cannot become a daily meanwhile."""
    query = sa.select(Puzzle).where(Puzzle.status == Status.APPROVED, Puzzle.offered, which)
    if player_id is not None:
        started = sa.select(Attempt.puzzle_id).where(Attempt.player_id == player_id)
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


def shown(puzzle_id: int, now: datetime) -> Puzzle:
    """Return an approved puzzle to show with its givens. Raises NotFound for any other."""
    puzzle_of(puzzle_id, Status.APPROVED)
    return _shown([puzzle_id], now)[0]


def printed(ids: list[int], player_id: int | None, now: datetime) -> list[Puzzle]:
    """Return the approved and this player's own puzzles among these, in order, at most MOST_PRINTED."""
    wanted = ids[:MOST_PRINTED]
    own = sa.select(Puzzle).where(Puzzle.status == Status.ENTERED, Puzzle.id.in_(_met(wanted, player_id)))
    found = {puzzle.id: puzzle for puzzle in (*_shown(wanted, now), *db.session.scalars(own))}
    return [found[number] for number in wanted if number in found]


def solutions(puzzles: Sequence[Puzzle], player_id: int | None) -> dict[int, str]:
    """Return the solutions that this player may print, by puzzle: of all but those they are playing.

    Excludes puzzles that became a daily, open or not, since paper can be passed on.
    """
    in_play = _met([puzzle.id for puzzle in puzzles], player_id).where(Attempt.finished_at.is_(None))
    withheld = set(db.session.scalars(in_play))
    return {
        puzzle.id: str(engine.solution(engine.parse(puzzle.givens)))
        for puzzle in puzzles
        if puzzle.status in (Status.APPROVED, Status.ENTERED) and puzzle.id not in withheld
    }


def _met(ids: list[int], player_id: int | None) -> sa.Select[int]:
    """Return which of these puzzles a player has started."""
    return sa.select(Attempt.puzzle_id).where(Attempt.puzzle_id.in_(ids), Attempt.player_id == player_id)


def sample(level: int, count: int, now: datetime) -> list[Puzzle]:
    """Return random approved puzzles of a level, to show."""
    offered = Puzzle.status == Status.APPROVED, Puzzle.offered
    query = sa.select(Puzzle.id).where(*offered, Puzzle.level == level)
    return _shown(list(db.session.scalars(query.order_by(sa.func.random()).limit(count))), now)


def welcome(level: int, now: datetime) -> Puzzle | None:
    """Return the puzzle of this level that newcomers find on the home page: always the same one.

    It is one that players have met, as none of those may become a daily.
    """
    met = sa.or_(Puzzle.first_started_at.is_not(None), Puzzle.shown_at.is_not(None))
    offered = Puzzle.status == Status.APPROVED, Puzzle.offered, Puzzle.level == level
    found = db.session.scalars(sa.select(Puzzle.id).where(*offered).order_by(met.desc(), Puzzle.id).limit(1))
    return next(iter(_shown(list(found), now)), None)  # none either where it has just become a daily


def _shown(ids: list[int], now: datetime) -> list[Puzzle]:
    """Return the approved puzzles among these, in order, and mark them as shown."""
    query = sa.select(Puzzle).where(Puzzle.id.in_(ids), Puzzle.status == Status.APPROVED)
    found = {puzzle.id: puzzle for puzzle in db.session.scalars(query)}
    if any(puzzle.shown_at is None for puzzle in found.values()):  # only once per puzzle
        with write_tx():
            locked = db.session.scalars(query.with_for_update().order_by(Puzzle.id))
            found = {puzzle.id: puzzle for puzzle in locked}
            for puzzle in found.values():
                puzzle.shown_at = puzzle.shown_at or now
    return [found[number] for number in ids if number in found]
