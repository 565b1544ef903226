"""Traits: a row for each searchable property of a puzzle.

They are the techniques on its solution path, the symmetries of its givens, the author and source in its file,
whether other puzzles share its solution, and the curators' mark of a favorite. All but the mark are computed
from the puzzle: the worker writes them, and again whenever the rating changes.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence

import sqlalchemy as sa

from webapp.bank import breakdown
from webapp.models import Puzzle, PuzzleTrait
from webapp.process.database import db, upsert, write_tx

USES, SYMMETRY, TOLD = "uses:", "symmetry:", "told:"
FAVORITE = "tag:favorite"  # the curators' mark
SHARED = "solution:shared"  # another puzzle has had an equivalent solution; narrows the search for twins
LONGEST = 120  # characters after the kind
AT_ONCE = 250  # puzzles per transaction
PER_RUN = 20_000

_of = PuzzleTrait.__table__


def having(trait: str) -> sa.ColumnElement[bool]:
    """Return the condition that a puzzle has a trait, for a search that may start from all that have it."""
    found = sa.select(PuzzleTrait.puzzle_id).where(PuzzleTrait.trait == trait)
    return Puzzle.id.in_(found)


def sharing() -> sa.Select[int]:
    """Select the puzzles that may share a solution: those with the same solution, and those not traced
    yet.
    """
    found = sa.select(PuzzleTrait.puzzle_id.label("id")).where(PuzzleTrait.trait == SHARED)
    either = found.union_all(sa.select(Puzzle.id).where(~Puzzle.traced)).subquery()
    return sa.select(either.c.id)


def having_too(trait: str) -> sa.ColumnElement[bool]:
    """Return the same condition to check by puzzle, for a trait that many have."""
    return sa.exists().where(PuzzleTrait.trait == trait, PuzzleTrait.puzzle_id == Puzzle.id)


def more_than(most: int, trait: str) -> bool:
    """Whether more puzzles than this have a trait."""
    some = sa.select(PuzzleTrait.puzzle_id).where(PuzzleTrait.trait == trait).limit(most + 1)
    return (db.session.scalar(sa.select(sa.func.count()).select_from(some.subquery())) or 0) > most


def folded(text: str) -> str:
    """Return an author or source as stored in a trait."""
    return " ".join(text.split()).casefold()[:LONGEST]


def trace() -> Iterator[int]:
    """Write the traits of puzzles that lack them; yields their ids."""
    for _part in range(PER_RUN // AT_ONCE):
        query = sa.select(
            *(Puzzle.id, Puzzle.givens, Puzzle.breakdown, Puzzle.author, Puzzle.source),
            *(Puzzle.rating_version, Puzzle.solution_class),
        ).where(~Puzzle.traced)
        part = db.session.execute(query.order_by(Puzzle.id).limit(AT_ONCE)).all()
        db.session.rollback()  # no open transaction while the patterns are compared
        if not part:
            return
        rows = [
            {"trait": trait, "puzzle_id": row.id}
            for row in part
            for trait in _derived(row.givens, row.breakdown, (row.author, row.source))
        ]
        ids = [row.id for row in part]
        # If the rating has changed meanwhile, the next run writes the traits.
        rated = {row.rating_version for row in part}
        with write_tx():
            old = sa.delete(PuzzleTrait).where(PuzzleTrait.puzzle_id.in_(ids))
            db.session.execute(old.where(PuzzleTrait.trait != FAVORITE))
            if rows:
                db.session.execute(sa.insert(_of), rows)
            _note_shared({row.solution_class for row in part} - {None})
            for version in rated:
                same = [row.id for row in part if row.rating_version == version]
                done = sa.update(Puzzle).where(Puzzle.id.in_(same), Puzzle.rating_version == version)
                db.session.execute(done.values(traced=True).execution_options(synchronize_session=False))
        yield from ids


def _derived(givens: str, rating: str | None, told: Iterable[str | None]) -> set[str]:
    found = {SYMMETRY + symmetry.value for symmetry in breakdown.symmetries(givens)}
    known = breakdown.read(rating)
    if known is not None:
        found |= {USES + key for key, count in known.counts.items() if count}
    return found | {TOLD + folded(text) for text in told if text and folded(text)}


def _note_shared(classes: Collection[int]) -> None:
    """Inside `write_tx()`: mark all puzzles that share one of these solutions with another.

    Of two puzzles, the later one to be traced finds the other, so none is missed.
    """
    same = sa.select(Puzzle.id, Puzzle.solution_class).where(Puzzle.solution_class.in_(classes))
    alike: dict[int | None, list[int]] = {}
    for row in db.session.execute(same):
        alike.setdefault(row.solution_class, []).append(row.id)
    rows = [
        {"trait": SHARED, "puzzle_id": number} for ids in alike.values() if len(ids) > 1 for number in ids
    ]
    if rows:
        db.session.execute(upsert(_of).on_conflict_do_nothing(), rows)


def favorites(ids: Sequence[int]) -> set[int]:
    """Return those of these puzzles that curators have marked as favorites."""
    marked = sa.select(PuzzleTrait.puzzle_id).where(PuzzleTrait.trait == FAVORITE)
    return set(db.session.scalars(marked.where(PuzzleTrait.puzzle_id.in_(ids))))


def favor(ids: Sequence[int], *, off: bool = False) -> None:
    """Inside `write_tx()`: mark these puzzles as favorites, or end that with `off`."""
    if off:
        marks = sa.delete(PuzzleTrait).where(PuzzleTrait.trait == FAVORITE)
        db.session.execute(marks.where(PuzzleTrait.puzzle_id.in_(ids)))
    elif rows := [{"trait": FAVORITE, "puzzle_id": number} for number in ids]:
        db.session.execute(upsert(_of).on_conflict_do_nothing(), rows)
