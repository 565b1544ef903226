"""Collections from a player's view: the list, the puzzles, the player's progress. Stores nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime

import sqlalchemy as sa

from webapp.capability import ask
from webapp.models import Attempt, Collection, CollectionPuzzle, Puzzle, Status
from webapp.process.database import db
from webapp.process.errors import NotFound
from webapp.process.words import gettext as _

MOST_LISTED = 100


@dataclass(frozen=True, slots=True)
class Progress:
    """A collection, and a player's progress in it."""

    collection: Collection
    puzzles: int
    solved: int
    levels: tuple[int, int]  # the lowest and the highest
    cover: str  # givens

    @property
    def done(self) -> bool:
        """Whether every puzzle is solved."""
        return self.puzzles > 0 and self.solved == self.puzzles


@dataclass(frozen=True, slots=True)
class Item:
    """A puzzle of a collection."""

    number: int  # from 1, in its order
    puzzle: Puzzle
    attempt_id: str | None  # the player's game of it, if one is in play or solved
    solved: bool


def listed(player_id: int | None, now: datetime) -> list[Progress]:
    """Return the collections visible to a player, newest first."""
    query = sa.select(Collection).where(*_there(player_id, now.date()), Collection.withdrawn.is_(None))
    found = db.session.scalars(query.order_by(Collection.publish_on.desc(), Collection.id.desc()))
    return _progress(list(found.all())[:MOST_LISTED], player_id)


def begun(player_id: int, viewer_id: int | None, now: datetime) -> list[Progress]:
    """Return the collections that a player has begun and that the viewer may see, too."""
    seen = {each.collection.id for each in listed(viewer_id, now)}
    return [each for each in listed(player_id, now) if each.solved and each.collection.id in seen]


def of_id(collection_id: int, player_id: int | None, now: datetime) -> Progress:
    """Return a collection visible to a player. Raises NotFound for any other."""
    query = sa.select(Collection).where(Collection.id == collection_id)
    found = db.session.scalar(query.where(*_there(player_id, now.date())))
    if found is None:
        raise NotFound(_("We couldn’t find that collection."))
    return _progress([found], player_id)[0]


def items(collection_id: int, player_id: int | None) -> list[Item]:
    """Return the playable puzzles of a collection, in order, with a player's games."""
    puzzles = db.session.scalars(
        sa.select(Puzzle)
        .join(CollectionPuzzle, CollectionPuzzle.puzzle_id == Puzzle.id)
        .where(CollectionPuzzle.collection_id == collection_id, Puzzle.status == Status.APPROVED)
        .order_by(CollectionPuzzle.place)
    ).all()
    games: dict[int, tuple[str, bool]] = {}
    if player_id is not None:
        own = sa.select(Attempt.puzzle_id, Attempt.id, Attempt.finished_at).where(
            Attempt.player_id == player_id, Attempt.puzzle_id.in_([puzzle.id for puzzle in puzzles])
        )
        for row in db.session.execute(own.order_by(Attempt.started_at)):
            known = games.get(row.puzzle_id)
            if known is None or not known[1]:  # a solved game takes precedence over later ones
                games[row.puzzle_id] = row.id, row.finished_at is not None
    return [
        Item(number, puzzle, *games.get(puzzle.id, (None, False))) for number, puzzle in enumerate(puzzles, 1)
    ]


def following(puzzle_id: int, player_id: int, now: datetime) -> tuple[Collection, Item] | None:
    """Return the collection of a puzzle, and the player's next unsolved puzzle of it; None for none."""
    place = db.session.get(CollectionPuzzle, puzzle_id)
    if place is None:
        return None
    query = sa.select(Collection).where(Collection.id == place.collection_id)
    offered = query.where(*_there(player_id, now.date()), Collection.withdrawn.is_(None))
    collection = db.session.scalar(offered)
    if collection is None:
        return None
    found = items(collection.id, player_id)
    at = next((item.number for item in found if item.puzzle.id == puzzle_id), 0)
    open_now = (item for item in [*found[at:], *found[:at]] if not item.solved)
    return next(((collection, item) for item in open_now), None)


def _there(player_id: int | None, today: date) -> list[sa.ColumnElement[bool]]:
    for_all: sa.ColumnElement[bool] = Collection.group_id.is_(None)
    if player_id is not None:
        theirs = [group_id for ids in ask("groups of a player", player_id) for group_id in ids]
        for_all = sa.or_(for_all, Collection.group_id.in_(theirs))
    return [Collection.publish_on <= today, for_all]


def _progress(collections: Sequence[Collection], player_id: int | None) -> list[Progress]:
    if not collections:
        return []
    ids = [each.id for each in collections]
    solved: sa.ColumnElement[int] = sa.literal(0)
    if player_id is not None:
        own = sa.exists().where(
            Attempt.puzzle_id == Puzzle.id,
            Attempt.player_id == player_id,
            Attempt.finished_at.is_not(None),
        )
        solved = sa.func.sum(sa.case((own, 1), else_=0))
    counted = {
        row.collection_id: row
        for row in db.session.execute(
            sa.select(
                CollectionPuzzle.collection_id,
                sa.func.count().label("puzzles"),
                sa.func.min(Puzzle.level).label("low"),
                sa.func.max(Puzzle.level).label("high"),
                solved.label("solved"),
            )
            .join(Puzzle, Puzzle.id == CollectionPuzzle.puzzle_id)
            .where(CollectionPuzzle.collection_id.in_(ids), Puzzle.status == Status.APPROVED)
            .group_by(CollectionPuzzle.collection_id)
        )
    }
    covers = _covers(collections)
    return [
        Progress(each, row.puzzles, int(row.solved or 0), (row.low, row.high), covers.get(each.id, "." * 81))
        for each in collections
        if (row := counted.get(each.id)) is not None
    ]


def _covers(collections: Sequence[Collection]) -> dict[int, str]:
    """Return the givens on each cover: of the puzzle chosen for it, else of the first."""
    rows = db.session.execute(
        sa.select(CollectionPuzzle.collection_id, Puzzle.id, Puzzle.givens)
        .join(Puzzle, Puzzle.id == CollectionPuzzle.puzzle_id)
        .where(CollectionPuzzle.collection_id.in_([each.id for each in collections]))
        .where(Puzzle.status == Status.APPROVED)
        .order_by(CollectionPuzzle.collection_id, CollectionPuzzle.place)
    ).all()
    chosen = {each.id: each.cover_id for each in collections}
    found: dict[int, str] = {}
    for row in rows:
        if row.collection_id not in found or chosen[row.collection_id] == row.id:
            found[row.collection_id] = row.givens
    return found
