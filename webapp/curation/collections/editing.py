"""Editing collections. Owns its transactions.

A change states the version it is based on. A collection's puzzles are reserved for it: they aren't offered
elsewhere and don't become dailies.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime

import sqlalchemy as sa

from webapp.curation.calendar import withdrawing
from webapp.identity import audit, texts
from webapp.identity.players import Identity
from webapp.models import Collection, CollectionPuzzle, DailyDraft, Group, Puzzle, Status
from webapp.process.database import db, rows_changed, write_tx
from webapp.process.errors import BadInput, Changed, NotFound
from webapp.process.words import format_date
from webapp.process.words import gettext as _

LONGEST_TITLE, LONGEST_TEXT, LONGEST_AUTHOR = 80, 1000, 60
MOST = 500  # puzzles in a collection
NUMBERS = re.compile(r"#?([0-9]{1,10})(?:-#?([0-9]{1,10}))?")


@dataclass(frozen=True, slots=True)
class Fields:
    """The fields that a curator edits."""

    title: str
    text: str = ""
    author: str = ""
    publish_on: date | None = None
    group_id: int | None = None
    cover_id: int | None = None


def everything() -> Sequence[tuple[Collection, int]]:
    """Return all collections with how many puzzles they have, newest first."""
    count = sa.func.count(CollectionPuzzle.puzzle_id)
    query = (
        sa.select(Collection, count)
        .outerjoin(CollectionPuzzle, CollectionPuzzle.collection_id == Collection.id)
        .group_by(Collection.id)
        .order_by(Collection.id.desc())
        .limit(200)
    )
    return [(row[0], row[1]) for row in db.session.execute(query)]


def collection(collection_id: int) -> Collection:
    """Return a collection. Raises NotFound."""
    found = db.session.get(Collection, collection_id, populate_existing=True)
    if found is None:
        raise NotFound(_("We couldn’t find that collection."))
    return found


def puzzles(collection_id: int) -> Sequence[Puzzle]:
    """Return the puzzles of a collection in order, of whatever status."""
    within = sa.select(Puzzle).join(CollectionPuzzle, CollectionPuzzle.puzzle_id == Puzzle.id)
    return db.session.scalars(
        within.where(CollectionPuzzle.collection_id == collection_id).order_by(CollectionPuzzle.place)
    ).all()


def create(curator: Identity, title: str, now: datetime) -> int:
    """Create a collection; returns its id. Raises BadInput."""
    made = Collection(title=_title(title), author=curator.name or "", created_at=now)
    with write_tx():
        db.session.add(made)
        db.session.flush()
        audit.record(curator, "create", ("collection", made.id), at=now, after={"title": made.title})
        return made.id


def change(curator: Identity, collection_id: int, seen: int, fields: Fields, now: datetime) -> None:
    """Change a collection's fields. Raises BadInput, Changed, NotFound."""
    title = _title(fields.title)
    text = texts.checked("text", fields.text, LONGEST_TEXT, lines=True)
    author = texts.checked("author", fields.author, LONGEST_AUTHOR)
    with write_tx():
        found = _as_seen(collection_id, seen)
        if fields.group_id is not None and db.session.get(Group, fields.group_id) is None:
            raise BadInput(group=_("There’s no group with this number."))
        numbers = {puzzle.id for puzzle in puzzles(collection_id)}
        if fields.cover_id is not None and fields.cover_id not in numbers:
            raise BadInput(cover=_("Choose a puzzle of the collection."))
        if fields.publish_on is not None and not numbers:
            raise BadInput(publish_on=_("Add a puzzle before you publish it."))
        before = _state(found)
        found.title, found.text, found.author = title, text, author
        found.publish_on, found.group_id = fields.publish_on, fields.group_id
        found.cover_id = fields.cover_id
        db.session.flush()
        audit.record(
            curator, "change", ("collection", collection_id), at=now, before=before, after=_state(found)
        )


def withdraw(curator: Identity, collection_id: int, seen: int, reason: str, now: datetime) -> None:
    """Stop offering a collection that players can get. They see the reason, and finish what they have begun.

    Raises BadInput, Changed, NotFound.
    """
    reason = withdrawing.reason_for(reason)
    with write_tx():
        found = _as_seen(collection_id, seen)
        if found.withdrawn is not None or found.publish_on is None or found.publish_on > now.date():
            raise BadInput(reason=_("Only a collection that players can get can be withdrawn."))
        found.withdrawn = reason
        after = {"title": found.title}
        audit.record(curator, "withdraw", ("collection", collection_id), at=now, after=after, note=reason)


def restore(curator: Identity, collection_id: int, seen: int, now: datetime) -> None:
    """Offer a withdrawn collection again. Raises BadInput, Changed, NotFound."""
    with write_tx():
        found = _as_seen(collection_id, seen)
        if found.withdrawn is None:
            raise BadInput(reason=_("This collection isn’t withdrawn."))
        found.withdrawn = None
        after = {"title": found.title}
        audit.record(curator, "restore", ("collection", collection_id), at=now, after=after)


def add(curator: Identity, collection_id: int, ids: Sequence[int], now: datetime) -> int:
    """Append approved puzzles in this order, all or none; returns how many.

    Raises BadInput, NotFound.
    """
    if not ids:
        raise BadInput(puzzles=_("Enter numbers such as 12, 15-20."))
    with write_tx():
        found = collection(collection_id)
        inside = len(puzzles(collection_id))
        if inside + len(ids) > MOST:
            raise BadInput(puzzles=_("A collection has up to %(most)s puzzles.", most=MOST))
        taken = sa.select(CollectionPuzzle.puzzle_id).where(CollectionPuzzle.puzzle_id.in_(ids))
        if taken_ids := sorted(db.session.scalars(taken)):
            raise BadInput(puzzles=_("#%(number)s is in a collection already.", number=taken_ids[0]))
        fit = sa.select(Puzzle).where(Puzzle.id.in_(ids), Puzzle.status == Status.APPROVED, Puzzle.offered)
        known = {puzzle.id: puzzle for puzzle in db.session.scalars(fit.with_for_update())}
        for number in ids:
            if number not in known:
                raise BadInput(puzzles=_why_not(number))
        last = sa.select(sa.func.max(CollectionPuzzle.place))
        place = db.session.scalar(last.where(CollectionPuzzle.collection_id == collection_id)) or 0
        for offset, number in enumerate(ids, 1):
            known[number].offered = False
            known[number].version += 1
            row = CollectionPuzzle(puzzle_id=number, collection_id=collection_id, place=place + offset)
            db.session.add(row)
        found.version += 1
        after = {"puzzles": len(ids), "title": found.title}
        audit.record(curator, "collect", ("collection", collection_id), at=now, after=after)
    return len(ids)


def _why_not(number: int) -> str:
    """Say why a puzzle can't be in a collection."""
    puzzle = db.session.get(Puzzle, number)
    if puzzle is None or puzzle.status == Status.ENTERED:
        return _("There’s no puzzle #%(number)s.", number=number)
    if puzzle.status == Status.DAILY:
        return _("#%(number)s is already a daily.", number=number)
    if puzzle.status == Status.REJECTED:
        return _("#%(number)s is rejected.", number=number)
    if puzzle.status == Status.CANDIDATE:
        return _("#%(number)s isn’t approved yet.", number=number)
    draft = db.session.scalar(sa.select(DailyDraft).where(DailyDraft.puzzle_id == number))
    if draft is not None:
        day = format_date(draft.date, "EEE, MMMM d")
        return _("#%(number)s is drafted for %(day)s.", number=number, day=day)
    return _("#%(number)s isn’t offered to players.", number=number)


def remove(curator: Identity, collection_id: int, puzzle_id: int, now: datetime) -> None:
    """Remove a puzzle, which returns to the bank. Raises NotFound."""
    here = CollectionPuzzle.collection_id == collection_id, CollectionPuzzle.puzzle_id == puzzle_id
    with write_tx():
        found = collection(collection_id)
        if not rows_changed(sa.delete(CollectionPuzzle).where(*here)):
            raise NotFound(_("We couldn’t find that puzzle."))
        if found.cover_id == puzzle_id:
            found.cover_id = None
        _give_back(found, [puzzle_id], now)
        found.version += 1
        before = {"puzzle": puzzle_id, "title": found.title}
        audit.record(curator, "uncollect", ("collection", collection_id), at=now, before=before)


def move(curator: Identity, collection_id: int, puzzle_id: int, seen: int, by: int, now: datetime) -> None:
    """Move a puzzle by so many places, up or down. Raises Changed, NotFound."""
    with write_tx():
        found = _as_seen(collection_id, seen)
        query = sa.select(CollectionPuzzle).where(CollectionPuzzle.collection_id == collection_id)
        rows = list(db.session.scalars(query.order_by(CollectionPuzzle.place)))
        at = next((number for number, row in enumerate(rows) if row.puzzle_id == puzzle_id), None)
        if at is None:
            raise NotFound(_("We couldn’t find that puzzle."))
        rows.insert(min(max(at + by, 0), len(rows) - 1), rows.pop(at))
        for place, row in enumerate(rows, 1):
            row.place = place
        after = {"puzzle": puzzle_id, "title": found.title}
        audit.record(curator, "arrange", ("collection", collection_id), at=now, after=after)


def delete(curator: Identity, collection_id: int, seen: int, now: datetime) -> None:
    """Delete a collection; its puzzles return to the bank. Raises Changed, NotFound."""
    with write_tx():
        found = _as_seen(collection_id, seen)
        _give_back(found, [puzzle.id for puzzle in puzzles(collection_id)], now)
        audit.record(curator, "delete", ("collection", collection_id), at=now, before={"title": found.title})
        db.session.delete(found)


def numbers_of(text: str) -> list[int]:
    """Return the puzzle numbers of a text such as `12, 15-20`. Raises BadInput."""
    found: list[int] = []
    joined = re.sub(r"\s*[-–]\s*", "-", text)
    for part in filter(None, re.split(r"[\s,;]+", joined)):
        match = NUMBERS.fullmatch(part)
        if match is None:
            raise BadInput(puzzles=_("Enter numbers such as 12, 15-20."))
        first, last = int(match[1]), int(match[2] or match[1])
        if not first <= last < first + MOST or last > 2**31 - 1:
            raise BadInput(puzzles=_("Enter numbers such as 12, 15-20."))
        found += range(first, last + 1)
    return list(dict.fromkeys(found))


def _as_seen(collection_id: int, seen: int) -> Collection:
    """Return a collection for a change of the version seen. Raises Changed."""
    found = collection(collection_id)
    here = sa.update(Collection).where(Collection.id == collection_id, Collection.version == seen)
    changed = here.values(version=seen + 1).execution_options(synchronize_session=False)
    if rows_changed(changed) != 1:
        raise Changed(_("This collection changed while you were looking. Take another look."), collection_id)
    db.session.refresh(found)
    return found


def _give_back(found: Collection, ids: Sequence[int], now: datetime) -> None:
    """Return puzzles to the bank; one that players may have seen on a cover can't become a daily."""
    values = {"offered": True, "version": Puzzle.version + 1}
    if found.publish_on is not None and found.publish_on <= now.date():
        values["shown_at"] = sa.func.coalesce(Puzzle.shown_at, now)
    back = sa.update(Puzzle).where(Puzzle.id.in_(ids), Puzzle.status == Status.APPROVED)
    db.session.execute(back.values(**values).execution_options(synchronize_session=False))


def _title(text: str) -> str:
    title = texts.checked("title", text)
    if not title or len(title) > LONGEST_TITLE:
        raise BadInput(title=_("Enter a title of up to %(most)s characters.", most=LONGEST_TITLE))
    return title


def _state(found: Collection) -> dict[str, object]:
    day = None if found.publish_on is None else found.publish_on.isoformat()
    return {
        "title": found.title,
        "text": found.text,
        "author": found.author,
        "publish_on": day,
        "group": found.group_id,
        "cover": found.cover_id,
    }
