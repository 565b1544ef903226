"""The puzzle bank: fill it, count it, draw from it. Independent of requests."""

from __future__ import annotations

import logging
import secrets
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from itertools import islice
from typing import Any
from zlib import crc32

import numpy as np
import sqlalchemy as sa

import engine
from engine.generation.methods import LEVELS as DIG_LEVELS
from engine.generation.recipe import suits
from engine.generation.symmetry import ANY
from webapp.bank import breakdown, first_stock
from webapp.models import Attempt, Peek, Puzzle, Status
from webapp.models.puzzle import UNRATED, solution_class
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
# The source of a puzzle's level: the techniques it needs, or those that its equivalent of the first stock
# needs, or its number of givens. Increment RATED whenever ratings may change, also by the order of
# techniques, so that all puzzles are rated again, and make the first stock anew.
RATED = "tiers-2"
FIRST = "tiers-2-first"
BY_GIVENS = f"{UNRATED}1"
# That the current rating confirms the level: only such a puzzle may become a daily.
CONFIRMED = sa.and_(
    Puzzle.rating_version.in_((RATED, FIRST)),
    sa.or_(Puzzle.relabelled, Puzzle.rated_level.is_(None), Puzzle.rated_level == Puzzle.level),
)
MOST_MISSES = 500  # puzzles of an unneeded level in a row before filling stops
RATED_AT_ONCE = 1000  # puzzles that wait for a rating, of a million after an import
BATCH = 100  # canonical forms per transaction
SHARES = 64  # of the canonical forms, each with its own lock
CLAIM = 0x9F01D  # distinguishes these locks from others
KEPT_BACK = 4  # of so many new puzzles one is kept back for dailies; pages show the others
MOST_PRINTED = 60  # puzzles printed per request
DRAWN = "drawn"  # the method of a puzzle that a curator has made on the drawing table
VARIED = "vary"  # the method of a puzzle that is a variation of another


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

    Yields the level of each puzzle once it is stored. `rated`: make and rate them; otherwise take them from
    the first stock as far as it goes, which needs no compiled techniques. Two concurrent fillers can
    overshoot by a few puzzles, which does no harm.
    """
    stock = fresh_stock()
    if not rated:
        for level in LEVELS:
            for puzzle in islice(first(level, now), max(0, target - stock[level])):
                puzzle.shown_at = now
                if _store(puzzle):
                    yield level
        return
    misses = 0
    while misses < MOST_MISSES:
        wanted = min(stock, key=lambda level: stock[level])
        if stock[wanted] >= target:
            return
        puzzle = generated(wanted, now)
        # Decided here, so that no page has to write down what it shows.
        puzzle.shown_at = None if stock[puzzle.level] and _kept_back(puzzle) else now
        if stock[puzzle.level] < target and _store(puzzle):
            level = puzzle.level
            stock[level] += 1
            misses = 0
            yield level
        else:
            misses += 1
    log.warning("generated %d puzzles in a row at levels that are not needed: %s", misses, stock)


def _kept_back(puzzle: Puzzle) -> bool:
    """Whether no page shows this puzzle until a player has drawn it, so that it can become a daily."""
    return int(puzzle.seed or 0) % KEPT_BACK == 0


def generated(level: int, now: datetime) -> Puzzle:
    """Generate and rate a puzzle of a level without storing it."""
    db.session.rollback()  # no open transaction while the engine works
    made = engine.generate(engine.Recipe(level=level, symmetry=ANY), seed=secrets.randbits(62))
    return approved(made.grid, now, method=made.method, seed=str(made.seed), **rating_of(made.grid))


def first(level: int, now: datetime) -> Iterator[Puzzle]:
    """Yield variations of the first stock, unordered and not stored, whose classes the bank lacks."""
    entries = [entry for entry in first_stock.entries() if entry.level == level]
    secrets.SystemRandom().shuffle(entries)
    for entry in entries:
        grid = entry.varied()
        puzzle = approved(grid, now, method=VARIED, level=level, rating_version=FIRST)
        known = sa.exists().where(Puzzle.canonical == puzzle.canonical)
        found = db.session.scalar(sa.select(known))
        db.session.rollback()
        if not found:
            yield puzzle


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


def approved(grid: engine.Grid, now: datetime, **values: Any) -> Puzzle:
    """Return a new puzzle that may be played, not stored. values: the columns of its origin and rating."""
    return Puzzle(
        givens=str(grid),
        canonical=str(engine.canonical_form(grid)),
        status=Status.APPROVED,
        engine_version=engine.__version__,
        created_at=now,
        **values,
    )


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
        "rated_level": rating.level,
        "explainer": rating.scores.get("explainer"),
        "hardest": rating.hardest,
        "expected_seconds": rating.expected_seconds,
        "rating_version": RATED,
        "traced": False,
        "breakdown": breakdown.text_of(breakdown.of_rating(rating)),
    }


def claim(forms: Iterable[str]) -> None:
    """Inside `write_tx()`: prevent others from storing puzzles of these canonical forms until it ends."""
    # A few locks for all forms: PostgreSQL has room for some thousands.
    for share in sorted({crc32(form.encode()) % SHARES for form in forms}):
        hold_lock(CLAIM, share)


def twin(givens: str, canonical: str | None) -> Puzzle | None:
    """Return the bank's puzzle with these givens or an equivalent grid, preferring the same givens.

    A puzzle that a player has entered is returned only for its givens, which no other puzzle can have.
    Inside `write_tx()`: prevents others from storing a puzzle of this form until it ends.
    """
    claim([canonical or givens])
    same = Puzzle.givens == givens
    equivalent = sa.and_(Puzzle.canonical == canonical, Puzzle.status != Status.ENTERED)
    known = sa.select(Puzzle).where(sa.or_(same, equivalent))
    return db.session.scalars(known.order_by(sa.case((same, 0), else_=1), Puzzle.id).limit(1)).first()


def put(made: Puzzle, known: Puzzle | None) -> Puzzle:
    """Inside `write_tx()`: store a puzzle, or make the entered one with its givens that; what is stored."""
    if known is None:
        db.session.add(made)
    else:
        adopt(known, made)
    db.session.flush()
    return made if known is None else known


def adopt(known: Puzzle, made: Puzzle) -> None:
    """Inside `write_tx()`: make a puzzle that a player has entered what a new one with its givens would be.

    Its games stay, and that it has been met: it can become no daily.
    """
    kept = {"id", "givens", "created_at", "first_started_at", "shown_at"}
    if known.rating_version == RATED:
        kept |= {"rating_version", "level"}
    for name in set(sa.inspect(Puzzle).columns.keys()) & made.__dict__.keys() - kept:
        setattr(known, name, getattr(made, name))


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
            **(columns(rating) if rating is not None else unrated(grid)),
        )
        try:
            with db.session.begin_nested():
                db.session.add(puzzle)
        except sa.exc.IntegrityError:  # PostgreSQL has concurrent writers: another was first
            puzzle = db.session.scalars(known).one()
    return puzzle


def confirmed(puzzle: Puzzle) -> bool:
    """Whether the current rating confirms a puzzle's level, as CONFIRMED asks of rows."""
    return puzzle.rating_version in (RATED, FIRST) and puzzle.moved_to is None


def level_by_givens(givens: int) -> int:
    """Return the level of an unrated puzzle, by its number of givens."""
    return next((level for level, digs in DIG_LEVELS.items() if givens >= digs.fewest), max(LEVELS))


def unrated(grid: engine.Grid) -> dict[str, Any]:
    """Return what a puzzle's row says of its level until it is rated."""
    return {"level": level_by_givens(grid.givens), "rating_version": BY_GIVENS}


def rate_anew() -> Iterator[int]:
    """Rate puzzles with an outdated rating, and candidates without a breakdown; yields their ids.

    Attempts keep their level, and so do dailies that had a rated one and puzzles a curator has relabeled.
    What nobody has chosen is no longer offered if its givens do not suit its level; `stock_up` replaces it.
    """
    bare = sa.and_(Puzzle.status == Status.CANDIDATE, Puzzle.breakdown.is_(None))
    old = sa.select(Puzzle.id, Puzzle.givens).where(sa.or_(Puzzle.rating_version != RATED, bare))
    # Fresh stock last, so that `stock_up` follows soon after it has shrunk.
    waiting = old.order_by(Puzzle.first_started_at.is_(None), Puzzle.id).limit(RATED_AT_ONCE)
    promised = sa.and_(Puzzle.status == Status.DAILY, Puzzle.rating_version.not_like(f"{UNRATED}%"))
    kept = sa.or_(Puzzle.relabelled, promised)
    by_a_curator = Puzzle.order_id.is_not(None), Puzzle.version > 0, Puzzle.method.is_(None)
    chosen = sa.or_(*by_a_curator, Puzzle.status == Status.CANDIDATE)
    while part := db.session.execute(waiting).all():
        db.session.rollback()  # no open transaction while the engine works
        for puzzle_id, givens in part:
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
    """Compute missing canonical forms and classes of solutions; yields the ids of the puzzles."""
    incomplete = sa.or_(Puzzle.canonical.is_(None), Puzzle.solution_class.is_(None))
    lacking = db.session.execute(
        sa.select(Puzzle.id, Puzzle.givens).where(incomplete).order_by(Puzzle.id)
    ).all()
    db.session.rollback()  # no open transaction while the engine works
    for part in (lacking[first : first + BATCH] for first in range(0, len(lacking), BATCH)):
        forms = engine.canonical_forms(np.stack([engine.parse(givens).array() for _id, givens in part]))
        with write_tx():
            for (puzzle_id, _givens), form in zip(part, forms, strict=True):
                canonical = str(engine.Grid(form.tobytes()))
                its_class = solution_class(canonical)
                values = {"canonical": canonical, "solution_class": its_class, "traced": False}
                db.session.execute(sa.update(Puzzle).where(Puzzle.id == puzzle_id).values(**values))
        yield from (puzzle_id for puzzle_id, _givens in part)


def draw(level: int, player_id: int | None) -> Puzzle | None:
    """Return a random approved puzzle of a level that this player has not started, or None."""
    return _draw(Puzzle.level == level, [] if player_id is None else [player_id])


def draw_for_all(level: int, player_ids: Sequence[int]) -> Puzzle | None:
    """Return a random approved puzzle of a level that none of these players has met, or None."""
    peeked = sa.select(Peek.puzzle_id).where(Peek.player_id.in_(player_ids))
    return _draw(sa.and_(Puzzle.level == level, Puzzle.id.not_in(peeked)), player_ids)


def draw_by(hardest: str | None, must: str | None, player_id: int | None) -> Puzzle | None:
    """Like `draw`, among the puzzles that need no technique after `hardest` in TECHNIQUES, and need `must`.

    With a limit alone, takes the highest level available: players who choose XY-Wing do not want singles
    alone. With `must`, those come first that need nothing harder.
    """
    keys = list(engine.TECHNIQUES)
    which: sa.ColumnElement[bool] = sa.true()
    players = [] if player_id is None else [player_id]
    if hardest is not None:
        which = Puzzle.hardest.in_(keys[: keys.index(hardest) + 1])
    if must is None:
        return _draw(which, players, *[] if hardest is None else [Puzzle.level.desc()])
    needed = Puzzle.breakdown.contains(f'"{must}":', autoescape=True)
    return _draw(sa.and_(which, needed), players, sa.case((Puzzle.hardest == must, 0), else_=1))


def _draw(
    which: sa.ColumnElement[bool], player_ids: Sequence[int], *first: sa.ColumnElement[int]
) -> Puzzle | None:
    """Return a random one of these puzzles. Its row is locked, so that it cannot become a daily meanwhile."""
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


def on_show(puzzle: Puzzle) -> bool:
    """Whether pages show its givens: a player has drawn it, or it was put on show. It becomes no daily."""
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
    """Return the puzzles on show and this player's own among these, in order, at most MOST_PRINTED.

    One's own is one's own still where a curator has found it too.
    """
    wanted = ids[:MOST_PRINTED]
    open_to_all = sa.and_(Puzzle.status == Status.APPROVED, _ON_SHOW)
    theirs = Puzzle.status.in_((Status.ENTERED, Status.CANDIDATE, Status.REJECTED))
    own = sa.and_(theirs, Puzzle.id.in_(_met(wanted, player_id)))
    query = sa.select(Puzzle).where(Puzzle.id.in_(wanted), sa.or_(open_to_all, own))
    found = {puzzle.id: puzzle for puzzle in db.session.scalars(query)}
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
        if puzzle.status != Status.DAILY and puzzle.id not in withheld
    }


def _met(ids: list[int], player_id: int | None) -> sa.Select[int]:
    """Return which of these puzzles a player has started."""
    return sa.select(Attempt.puzzle_id).where(Attempt.puzzle_id.in_(ids), Attempt.player_id == player_id)


def sample(level: int, count: int) -> list[Puzzle]:
    """Return random puzzles of a level that are on show."""
    offered = Puzzle.status == Status.APPROVED, Puzzle.offered, Puzzle.level == level, _ON_SHOW
    return list(db.session.scalars(sa.select(Puzzle).where(*offered).order_by(sa.func.random()).limit(count)))


def welcome(level: int) -> Puzzle | None:
    """Return the puzzle of this level that newcomers find on the home page: always the same one on show."""
    offered = Puzzle.status == Status.APPROVED, Puzzle.offered, Puzzle.level == level, _ON_SHOW
    return db.session.scalars(sa.select(Puzzle).where(*offered).order_by(Puzzle.id).limit(1)).first()
