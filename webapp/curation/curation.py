"""Reviewing puzzles: the queue and the curators' decisions. Owns its transactions.

A decision states the version it is based on. If that has changed, nothing is done and the refusal describes
the current state. Decisions on several puzzles are all or nothing.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import sqlalchemy as sa

import engine
from webapp.bank import bank, finding
from webapp.bank.selection import CURATED, Filters
from webapp.identity import audit, texts
from webapp.identity.players import Identity
from webapp.models import Attempt, AuditEntry, Daily, Peek, Puzzle, Status
from webapp.process.database import db, rows_changed, upsert, write_tx
from webapp.process.errors import BadInput, Changed, NotFound
from webapp.process.words import gettext as _

PER_PAGE = 50
MOST_DECIDED = 500  # puzzles per decision: takes a second, in which nobody else writes
MOST_COUNTED = 10_000  # puzzles of a status; a list of more says so
MOST_FOUND = 1_000  # results of a search that has to read each row
LONGEST_REASON = 200
UNDO = timedelta(seconds=10)  # as long as undo is offered
GRACE = timedelta(seconds=5)  # plus time for the request
DECIDABLE = (Status.CANDIDATE, Status.APPROVED, Status.REJECTED)  # statuses that can be decided on
FROM = {  # the statuses each decision applies to; dailies belong to the calendar
    "approve": (Status.CANDIDATE, Status.REJECTED, Status.WITHDRAWN),
    "reject": (Status.CANDIDATE, Status.APPROVED),
    "withdraw": (Status.APPROVED,),  # from players, who see the reason
}
TO = {"approve": Status.APPROVED, "reject": Status.REJECTED, "withdraw": Status.WITHDRAWN}


@dataclass(frozen=True, slots=True)
class Queue:
    """A page of the queue."""

    puzzles: Sequence[Puzzle]
    total: int  # at most `most` + 1
    number: int  # page number, from 1
    pages: int
    most: int  # limit of the count

    @property
    def more(self) -> bool:
        """Whether there are more than were counted."""
        return self.total > self.most


@dataclass(frozen=True, slots=True)
class VersionSeen:
    """A puzzle as a curator saw it."""

    id: int
    version: int


@dataclass(frozen=True, slots=True)
class Done:
    """A decision, and the log entries needed to undo it."""

    ids: list[int]
    entries: list[int]


def queue(filters: Filters, sort: str, number: int, *, down: bool = False) -> Queue:
    """Return a page of matching puzzles, sorted by a key of SORTS; too large a number means the last page.

    Without a status, it lists the puzzles of every status.
    """
    if filters == Filters(status=filters.status):
        most, found = MOST_COUNTED, None
        total = min(sum(map(_count, CURATED if filters.status is None else [filters.status])), most + 1)
    else:  # counting would find them all anyway
        most = MOST_FOUND
        found = finding.listed(filters, sort, most + 1, down=down)
        total = len(found)
    pages = max(1, -(-min(total, most) // PER_PAGE))
    number = min(max(number, 1), pages)
    if found is None:
        found = finding.listed(filters, sort, number * PER_PAGE, down=down)
    return Queue(puzzles(found[(number - 1) * PER_PAGE : number * PER_PAGE]), total, number, pages, most)


def counts() -> dict[str, int]:
    """Count the puzzles of each status that the queue can show, up to MOST_COUNTED and one."""
    return {str(status): _count(status) for status in CURATED}


def _count(status: str) -> int:
    some = sa.select(Puzzle.id).where(Puzzle.status == status).limit(MOST_COUNTED + 1)
    return db.session.scalar(sa.select(sa.func.count()).select_from(some.subquery())) or 0


def hardest_of(status: str | None) -> list[str]:
    """Return the hardest techniques of puzzles with this status, easiest first; all of them without one."""
    if status is None:
        return list(engine.TECHNIQUES)
    # Seeks the index from one technique to the next, whatever the number of puzzles.
    of_status = sa.select(sa.func.min(Puzzle.hardest).label("hardest")).where(Puzzle.status == status)
    walk = of_status.cte("walk", recursive=True)
    following = of_status.where(Puzzle.hardest > walk.c.hardest).scalar_subquery()
    walk = walk.union_all(sa.select(following).where(walk.c.hardest.is_not(None)))
    found = set(db.session.scalars(sa.select(walk.c.hardest)))
    return [key for key in engine.TECHNIQUES if key in found]


def puzzle(puzzle_id: int) -> Puzzle:
    """Return a puzzle of any status except those entered by players. Raises NotFound."""
    found = db.session.get(Puzzle, puzzle_id)
    if found is None or found.status == Status.ENTERED:
        raise NotFound(_("We couldn’t find that puzzle."))
    return found


def puzzles(ids: Sequence[int]) -> list[Puzzle]:
    """Return the existing puzzles with these ids, in this order."""
    found = {row.id: row for row in db.session.scalars(sa.select(Puzzle).where(Puzzle.id.in_(ids)))}
    return [found[number] for number in ids if number in found]


def starts(puzzle_id: int) -> int:
    """Count how often players have started a puzzle."""
    begun = sa.select(sa.func.count()).select_from(Attempt).where(Attempt.puzzle_id == puzzle_id)
    return db.session.scalar(begun) or 0


def following(puzzle_id: int) -> int | None:
    """Return the next candidate, or the first; None if there is no other."""
    others = sa.select(sa.func.min(Puzzle.id)).where(Puzzle.status == Status.CANDIDATE)
    after = db.session.scalar(others.where(Puzzle.id > puzzle_id))
    return db.session.scalar(others.where(Puzzle.id < puzzle_id)) if after is None else after


def saw(player_id: int, ids: Sequence[int], now: datetime) -> None:
    """Record that a curator has seen these givens, and so can't play them ranked."""
    seen = sa.select(Peek.puzzle_id).where(Peek.player_id == player_id, Peek.puzzle_id.in_(ids))
    fresh = set(ids) - set(db.session.scalars(seen))
    if fresh:
        with write_tx():
            note_seen(player_id, fresh, now)


def note_export(
    curator: Identity | None, kind: str, filters: Mapping[str, Any], count: int, now: datetime
) -> None:
    """Record that a curator exported so many puzzles in a format, chosen by these filters."""
    if "puzzle" in filters:  # the count says as much as a list of numbers
        filters = {name: value for name, value in filters.items() if name != "puzzle"}
    with write_tx():
        audit.record(curator, "export", ("export", kind), at=now, after={"puzzles": count, **filters})


def note_seen(player_id: int, ids: Collection[int], now: datetime) -> None:
    """Same as `saw`, inside the caller's transaction; keeps earlier records."""
    rows = [{"player_id": player_id, "puzzle_id": number, "seen_at": now} for number in sorted(ids)]
    if rows:
        db.session.execute(upsert(Peek.__table__).on_conflict_do_nothing(), rows)


def decide(
    curator: Identity, action: str, choices: Sequence[VersionSeen], reason: str, now: datetime
) -> Done:
    """Approve, reject or withdraw puzzles, all of them or none. Raises BadInput, NotFound, Changed.

    An approval checks again, in the same transaction, that the solution is unique and that players don't have
    an equivalent puzzle already.
    """
    reason = texts.checked("reason", reason, LONGEST_REASON)
    if action not in TO:
        raise BadInput(action=_("Choose Approve, Reject or Withdraw."))
    if not choices:
        raise BadInput(puzzle=_("Select at least one puzzle."))
    if len(choices) > MOST_DECIDED:
        raise BadInput(puzzle=_("Select at most %(most)s puzzles at a time.", most=MOST_DECIDED))
    if action == "reject" and not reason:
        raise BadInput(reason=_("Give a reason. It’s kept with the puzzle."))
    if action == "withdraw" and not reason:
        raise BadInput(reason=_("Give a reason. Players will see it."))
    with write_tx():
        if action == "approve":  # two concurrent approvals of equivalent candidates wouldn't see each other
            found = [puzzle(choice.id) for choice in choices]
            bank.claim(one.canonical or one.givens for one in found)
        entries = [
            _decide(curator, action, choice, None if action == "approve" else reason, now)
            # in a fixed order, so that no two transactions deadlock
            for choice in sorted(choices, key=lambda choice: choice.id)
        ]
        db.session.flush()
        return Done([choice.id for choice in choices], [entry.id for entry in entries])


def _decide(
    curator: Identity, action: str, choice: VersionSeen, reason: str | None, now: datetime
) -> AuditEntry:
    found = puzzle(choice.id)
    if found.version != choice.version or found.status not in FROM[action]:
        raise changed(found)
    if action == "approve":
        _refuse_daily(found)
        _refuse_unfit(found)
    before = _state(found)
    _update(found, choice.version, status=TO[action], reason=reason)
    return audit.record(
        curator, action, ("puzzle", choice.id), at=now, before=before, after=_state(found), note=reason
    )


def undo(curator: Identity, entry_ids: Sequence[int], now: datetime) -> Done:
    """Undo the curator's own decisions of the last seconds, all or none. Raises NotFound, Changed."""
    with write_tx():
        query = sa.select(AuditEntry).where(
            AuditEntry.id.in_(entry_ids[:MOST_DECIDED]),
            AuditEntry.curator_id == curator.id,
            AuditEntry.subject == "puzzle",
            AuditEntry.action.in_(TO),
            AuditEntry.at >= now - UNDO - GRACE,
        )
        entries = db.session.scalars(query.order_by(AuditEntry.id)).all()
        if not entries or len(entries) != len(set(entry_ids)):
            raise NotFound(_("It’s too late to undo that. Undo works for ten seconds."))
        ids = []
        for entry in sorted(entries, key=lambda entry: int(entry.subject_id)):
            found = puzzle(int(entry.subject_id))
            before, after = json.loads(entry.before or "{}"), json.loads(entry.after or "{}")
            # The schedule makes dailies without incrementing versions.
            if found.version != after["version"] or found.status != after["status"]:
                raise changed(found)
            standing = _state(found)
            _update(found, found.version, status=before["status"], reason=before["reason"])
            audit.record(curator, "undo", ("puzzle", found.id), at=now, before=standing, after=_state(found))
            ids.append(found.id)
        return Done(ids, [])


def changed(found: Puzzle) -> Changed:
    """Return the refusal that describes the current state."""
    last = next(iter(audit.of("puzzle", found.id)), None)
    now = {
        Status.CANDIDATE: _("It’s now a candidate."),
        Status.APPROVED: _("It’s now approved."),
        Status.REJECTED: _("It’s now rejected."),
        Status.DAILY: _("It’s now a daily."),
        Status.WITHDRAWN: _("It’s now withdrawn."),
    }.get(Status(found.status))
    who = "" if last is None else last.curator_name
    message = (
        _("%(who)s changed #%(number)s while you were looking.", number=found.id, who=who)
        if who
        else _("#%(number)s changed while you were looking.", number=found.id)
    )
    reason = _("Reason: “%(reason)s”", reason=found.reason) if found.reason else None
    return Changed(" ".join(filter(None, (message, now, reason))), found.id)


def _refuse_daily(found: Puzzle) -> None:
    """Raise BadInput if a puzzle was withdrawn from a day, so that only undoing that restores it."""
    if found.status != Status.WITHDRAWN:
        return
    here = sa.select(Daily.id).where(sa.or_(Daily.puzzle_id == found.id, Daily.former_id == found.id))
    # Of a day with two withdrawals, no daily names the first puzzle any more, but its games do.
    played = sa.select(Attempt.id).where(Attempt.puzzle_id == found.id, Attempt.daily_id.is_not(None))
    if any(db.session.scalar(query.limit(1)) is not None for query in (here, played)):
        message = _("#%(number)s was withdrawn as a daily. Undo that in the calendar.", number=found.id)
        raise BadInput(puzzle=message)


def _refuse_unfit(found: Puzzle) -> None:
    """Raise BadInput if a puzzle can't be approved."""
    if not found.rated:
        raise BadInput(puzzle=_("#%(number)s isn’t rated yet. Try again in a minute.", number=found.id))
    grid = engine.parse(found.givens)
    if engine.verdict(grid) is not engine.Verdict.UNIQUE:
        raise BadInput(puzzle=_("#%(number)s doesn’t have exactly one solution.", number=found.id))
    form = found.canonical or str(engine.canonical_form(grid))
    met = sa.select(Puzzle.id).where(
        Puzzle.canonical == form,
        Puzzle.id != found.id,
        Puzzle.status.in_((Status.APPROVED, Status.DAILY)),
    )
    other = db.session.scalar(met.order_by(Puzzle.id).limit(1))
    if other is not None:
        raise BadInput(
            puzzle=_(
                "#%(number)s is equivalent to #%(other)s, which players already have.",
                number=found.id,
                other=other,
            )
        )
    found.canonical = form


def _state(found: Puzzle) -> dict[str, Any]:
    return {"status": found.status, "reason": found.reason, "version": found.version}


def _update(found: Puzzle, seen: int, **values: Any) -> None:
    """Update a puzzle if it is still as it was seen. Raises Changed otherwise."""
    db.session.flush()
    here = sa.update(Puzzle).where(
        Puzzle.id == found.id, Puzzle.version == seen, Puzzle.status == found.status
    )
    changed_here = rows_changed(
        here.values(version=Puzzle.version + 1, **values).execution_options(synchronize_session=False)
    )
    db.session.refresh(found)
    if changed_here != 1:
        raise changed(found)
