"""The puzzle bank: add puzzles, count them, rate them. Independent of requests."""

from __future__ import annotations

import logging
import secrets
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime, timedelta
from itertools import islice
from typing import Any
from zlib import crc32

import numpy as np
import sqlalchemy as sa

import engine
from engine.generation import ANY, DIG_LEVELS, suits
from webapp.bank import breakdown, first_stock, offer
from webapp.identity import failures
from webapp.models import Puzzle, Status
from webapp.models.puzzle import UNRATED, solution_class
from webapp.process.database import db, hold_lock, write_tx

log = logging.getLogger(__name__)

LEVELS = range(1, 6)
A_DAY = timedelta(days=1)
# Techniques that players can request by name: the engine generates such a puzzle within seconds.
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
# The source of a puzzle's level: the techniques that it needs, or that its equivalent in the first stock
# needs, or its number of givens. Increment RATED whenever ratings may change, also by the order of
# techniques, so that all puzzles are rated again; then regenerate the first stock.
RATED = "tiers-3"
FIRST = "tiers-3-first"
BY_GIVENS = f"{UNRATED}1"
# The current rating confirms the level: only such a puzzle may become a daily.
CONFIRMED = sa.and_(
    Puzzle.rating_version.in_((RATED, FIRST)),
    sa.or_(Puzzle.relabelled, Puzzle.rated_level.is_(None), Puzzle.rated_level == Puzzle.level),
)
MOST_MISSES = 500  # consecutive puzzles of unneeded levels before filling stops
RATED_AT_ONCE = 1000  # puzzles loaded at once for rating, of a million after an import
BATCH = 100  # canonical forms per transaction
SHARES = 64  # canonical forms are divided among so many locks
CLAIM = 0x9F01D  # distinguishes these locks from others
KEPT_BACK = 4  # one of so many new puzzles is reserved for dailies; pages show the others
VARIED = "vary"  # the method of a variation of another puzzle


def fresh_stock() -> dict[int, int]:
    """Count the approved, typical puzzles that have never been started, by level 1..5.

    A puzzle that isn't rated yet, such as those of the first stock, counts too.
    """
    typical = sa.or_(Puzzle.expected_seconds.is_(None), *map(offer.typical_of, LEVELS))
    counts = db.session.execute(
        sa.select(Puzzle.level, sa.func.count().label("fresh"))
        .where(Puzzle.status == Status.APPROVED, Puzzle.offered, Puzzle.first_started_at.is_(None), typical)
        .group_by(Puzzle.level)
    )
    return dict.fromkeys(LEVELS, 0) | {row.level: row.fresh for row in counts}


def wanted(least: int, now: datetime) -> dict[int, int]:
    """Return how many fresh puzzles to keep at each level: `least` plus the number started in a day."""
    begun = db.session.execute(
        sa.select(Puzzle.level, sa.func.count().label("puzzles"))
        .where(Puzzle.first_started_at > now - A_DAY)
        .group_by(Puzzle.level)
    )
    return dict.fromkeys(LEVELS, least) | {row.level: least + row.puzzles for row in begun}


def stock_up(target: int | Mapping[int, int], now: datetime, *, rated: bool) -> Iterator[int]:
    """Add puzzles, the emptiest level first, until every level has `target` fresh ones.

    Yields the level of each puzzle once it is stored. `rated`: generate and rate them; otherwise take them
    from the first stock while it lasts, which needs no compiled techniques. Two concurrent fillers can
    overshoot by a few puzzles, which is harmless.
    """
    stock = fresh_stock()
    targets = dict.fromkeys(LEVELS, target) if isinstance(target, int) else target
    if not rated:
        for level in LEVELS:
            for puzzle in islice(vary_first_stock(level, now), max(0, targets[level] - stock[level])):
                puzzle.shown_at = now
                if _store(puzzle):
                    yield level
        return
    misses = 0
    while misses < MOST_MISSES:
        emptiest = min(stock, key=lambda level: stock[level] - targets[level])
        if stock[emptiest] >= targets[emptiest]:
            return
        puzzle = generated(emptiest, now)
        # Decided here, so that pages needn't write when they show a puzzle. One kept back is hidden until a
        # player draws it, so that it can become a daily.
        hidden = stock[puzzle.level] and int(puzzle.seed or 0) % KEPT_BACK == 0
        puzzle.shown_at = None if hidden else now
        typical = offer.typical(puzzle.level, puzzle.expected_seconds, puzzle.hardest)
        if typical and stock[puzzle.level] < targets[puzzle.level] and _store(puzzle):
            level = puzzle.level
            stock[level] += 1
            misses = 0
            yield level
        else:
            misses += 1
    log.warning("generated %d puzzles in a row at levels that are not needed: %s", misses, stock)


def generated(level: int, now: datetime) -> Puzzle:
    """Generate and rate a puzzle of a level without storing it."""
    db.session.rollback()  # no open transaction while the engine works
    made = engine.generate(engine.Recipe(level=level, symmetry=ANY), seed=secrets.randbits(62))
    return new(made.grid, now, method=made.method, seed=str(made.seed), **rating_columns(made.grid))


def vary_first_stock(level: int, now: datetime) -> Iterator[Puzzle]:
    """Yield variations of the first stock whose classes the bank lacks, unordered and not stored."""
    entries = [entry for entry in first_stock.entries() if entry.level == level]
    secrets.SystemRandom().shuffle(entries)
    for entry in entries:
        db.session.rollback()  # no open transaction while the engine works
        grid = entry.varied()
        like: dict[str, Any] = {"hardest": entry.hardest, "expected_seconds": entry.seconds}  # until rated
        puzzle = new(grid, now, method=VARIED, level=level, rating_version=FIRST, **like)
        known = sa.exists().where(Puzzle.canonical == puzzle.canonical)
        if not db.session.scalar(sa.select(known)):
            yield puzzle


def add_or_find(puzzle: Puzzle) -> Puzzle:
    """Inside `write_tx()`: add a puzzle to the bank, or return the one with these givens."""
    query = sa.select(Puzzle).where(Puzzle.givens == puzzle.givens)
    known = db.session.scalar(query)
    if known is not None:
        return known
    try:
        with db.session.begin_nested():
            db.session.add(puzzle)
    except sa.exc.IntegrityError:  # PostgreSQL has concurrent writers: another was faster
        return db.session.scalars(query).one()
    return puzzle


def new(grid: engine.Grid, now: datetime, status: Status = Status.APPROVED, **values: Any) -> Puzzle:
    """Return a new puzzle, not stored. values: the columns of its origin and rating."""
    return Puzzle(
        givens=str(grid),
        canonical=str(engine.canonical_form(grid)),
        status=status,
        engine_version=engine.__version__,
        created_at=now,
        **values,
    )


def _store(puzzle: Puzzle) -> bool:
    """Store a puzzle; False if the bank already has it."""
    with write_tx():
        return add_or_find(puzzle) is puzzle


def rating_columns(grid: engine.Grid) -> dict[str, Any]:
    """Return the columns of a puzzle rated by every scheme, so that no desk page has to wait for a rating.

    An older version's rating may lack some until `rate_anew` reaches it; the puzzle's page computes them.
    """
    return columns(engine.rate(grid, schemes="all"))


def columns(rating: engine.Rating) -> dict[str, Any]:
    """Return the columns that a puzzle's rating sets."""
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
    # A few locks for all forms: PostgreSQL's lock table holds only some thousands.
    for share in sorted({crc32(form.encode()) % SHARES for form in forms}):
        hold_lock(CLAIM, share)


def twin(givens: str, canonical: str | None) -> Puzzle | None:
    """Return the bank's puzzle with these givens or an equivalent grid, preferring the same givens.

    A player's own puzzle is returned only for its givens, which no other puzzle can have. Inside
    `write_tx()`: prevents others from storing a puzzle of this form until it ends.
    """
    claim([canonical or givens])
    same = Puzzle.givens == givens
    equivalent = sa.and_(Puzzle.canonical == canonical, Puzzle.status != Status.ENTERED)
    known = sa.select(Puzzle).where(sa.or_(same, equivalent))
    return db.session.scalars(known.order_by(sa.case((same, 0), else_=1), Puzzle.id).limit(1)).first()


def store(made: Puzzle, known: Puzzle | None) -> Puzzle:
    """Inside `write_tx()`: store a puzzle, or update the entered one with its givens; return the stored
    row.
    """
    if known is None:
        db.session.add(made)
    else:
        adopt(known, made)
    db.session.flush()
    return made if known is None else known


def adopt(known: Puzzle, made: Puzzle) -> None:
    """Inside `write_tx()`: give a puzzle that a player entered the columns of a new one with its givens.

    Its games stay. As a known puzzle it can't become a daily.
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
    known = db.session.scalar(sa.select(Puzzle).where(Puzzle.givens == str(grid)))
    if known is not None:
        return known
    values: dict[str, Any] = columns(rating) if rating is not None else unrated(grid)
    return add_or_find(new(grid, now, Status.ENTERED, **values))


def confirmed(puzzle: Puzzle) -> bool:
    """Whether the current rating confirms a puzzle's level; the counterpart of CONFIRMED for one object."""
    return puzzle.rating_version in (RATED, FIRST) and puzzle.moved_to is None


def unrated(grid: engine.Grid) -> dict[str, Any]:
    """Return the level columns of a puzzle that isn't rated yet, by its number of givens."""
    level = next((level for level, digs in DIG_LEVELS.items() if grid.givens >= digs.fewest), max(LEVELS))
    return {"level": level, "rating_version": BY_GIVENS}


def is_unrated() -> bool:
    """Whether a puzzle waits for its rating."""
    return bool(db.session.scalar(sa.select(sa.exists().where(Puzzle.rating_version != RATED))))


def rate_anew(*, promised_only: bool = False) -> Iterator[int]:
    """Rate puzzles with an outdated rating, and candidates without a breakdown; yields their ids.

    Attempts keep their level, and so do puzzles a curator has relabeled. Dailies with a rated level keep it,
    and their expected time. Other
    puzzles are no longer offered if their givens don't suit the level; `stock_up` replaces them.
    `promised_only`: only dailies of the first stock, which have no rating yet.
    """
    bare = sa.and_(Puzzle.status == Status.CANDIDATE, Puzzle.breakdown.is_(None))
    old = sa.select(Puzzle.id, Puzzle.givens).where(sa.or_(Puzzle.rating_version != RATED, bare))
    if promised_only:
        old = old.where(Puzzle.status == Status.DAILY, Puzzle.rating_version == FIRST)
    failed = {int(puzzle_id) for puzzle_id in failures.given_up("rating")}
    # Fresh stock last, so that `stock_up` soon replaces what is withdrawn.
    waiting = old.order_by(Puzzle.first_started_at.is_(None), Puzzle.id).limit(RATED_AT_ONCE)
    promised = sa.and_(Puzzle.status == Status.DAILY, Puzzle.rating_version.not_like(f"{UNRATED}%"))
    kept = sa.or_(Puzzle.relabelled, promised)
    by_a_curator = Puzzle.order_id.is_not(None), Puzzle.version > 0, Puzzle.method.is_(None)
    chosen = sa.or_(*by_a_curator, Puzzle.status == Status.CANDIDATE)
    while part := db.session.execute(waiting.where(Puzzle.id.not_in(failed))).all():
        db.session.rollback()  # no open transaction while the engine works
        for puzzle_id, givens in part:
            failed.add(puzzle_id)
            with failures.counted("rating", puzzle_id):
                grid = engine.parse(givens)
                values = rating_columns(grid)
                level = values.pop("level")
                minutes = sa.func.coalesce(Puzzle.expected_seconds, values["expected_seconds"])
                values["expected_seconds"] = sa.case((promised, minutes), else_=values["expected_seconds"])
                offered = sa.case((chosen, Puzzle.offered), else_=suits(grid, level))
                with write_tx():
                    update = sa.update(Puzzle).where(Puzzle.id == puzzle_id)
                    level = sa.case((kept, Puzzle.level), else_=level)
                    db.session.execute(update.values(level=level, offered=offered, **values))
                failed.discard(puzzle_id)
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
