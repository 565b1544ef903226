"""Judging puzzles: the queue, and what a curator decides. Owns its transactions; knows no request.

A decision names the version it was taken on. Where somebody was quicker nothing is done, and the refusal says
what stands. Several puzzles are decided all together or not at all.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import sqlalchemy as sa

import engine
from webapp.bank import bank
from webapp.bank.selection import Filters, conditions
from webapp.errors import BadInput, Changed, NotFound
from webapp.identity import audit
from webapp.identity.players import Identity
from webapp.models import Attempt, AuditEntry, Peek, Puzzle, Status
from webapp.process.database import db, rows_changed, upsert, write_tx
from webapp.process.words import gettext as _

PER_PAGE = 50
MOST_DECIDED = 100  # puzzles at once
LONGEST_REASON = 200
UNDO = timedelta(seconds=10)  # as long as the offer stands
GRACE = timedelta(seconds=5)  # for the way here
JUDGED = (Status.CANDIDATE, Status.APPROVED, Status.REJECTED)  # what the queue can show
FROM = {  # what each decision may be taken on; a daily is the calendar's
    "approve": (Status.CANDIDATE, Status.REJECTED),
    "reject": (Status.CANDIDATE, Status.APPROVED),
}
TO = {"approve": Status.APPROVED, "reject": Status.REJECTED}

_GIVENS = 81 - (sa.func.length(Puzzle.givens) - sa.func.length(sa.func.replace(Puzzle.givens, ".", "")))
SORTS: dict[str, Any] = {
    "number": Puzzle.id,
    "level": Puzzle.level,
    "er": Puzzle.explainer,
    "time": Puzzle.expected_seconds,
    "givens": _GIVENS,
}


@dataclass(frozen=True, slots=True)
class Queue:
    """A page of the queue."""

    puzzles: Sequence[Puzzle]
    total: int
    number: int  # of the page, from 1
    pages: int


@dataclass(frozen=True, slots=True)
class VersionSeen:
    """A puzzle as a curator saw it."""

    id: int
    version: int


@dataclass(frozen=True, slots=True)
class Done:
    """What was decided, and the entries of the log by which it can be undone."""

    ids: list[int]
    entries: list[int]


def queue(filters: Filters, sort: str, number: int, *, down: bool = False) -> Queue:
    """A page of the puzzles that fit, sorted by a key of SORTS; a number beyond the last is the last."""
    wanted = conditions(filters)
    total = db.session.scalar(sa.select(sa.func.count()).select_from(Puzzle).where(*wanted)) or 0
    pages = max(1, -(-total // PER_PAGE))
    number = min(max(number, 1), pages)
    by = SORTS[sort]
    order = by.desc().nulls_last() if down else by.asc().nulls_last()
    rows = sa.select(Puzzle).where(*wanted).order_by(order, Puzzle.id)
    return Queue(
        db.session.scalars(rows.offset((number - 1) * PER_PAGE).limit(PER_PAGE)).all(), total, number, pages
    )


def counts() -> dict[str, int]:
    """How many puzzles there are of each status that the queue can show."""
    rows = db.session.execute(
        sa.select(Puzzle.status, sa.func.count().label("found"))
        .where(Puzzle.status.in_(JUDGED))
        .group_by(Puzzle.status)
    )
    return dict.fromkeys(map(str, JUDGED), 0) | {row.status: row.found for row in rows}


def hardest_of(status: str) -> list[str]:
    """The techniques that are the hardest of some puzzle of this status, easiest first."""
    found = set(db.session.scalars(sa.select(Puzzle.hardest).where(Puzzle.status == status).distinct()))
    return [key for key in engine.TECHNIQUES if key in found]


def puzzle(puzzle_id: int) -> Puzzle:
    """A puzzle of the bank, whatever its status; raises NotFound for any other, and for a player's own."""
    found = db.session.get(Puzzle, puzzle_id)
    if found is None or found.status == Status.ENTERED:
        raise NotFound(_("We couldn’t find that puzzle."))
    return found


def puzzles(ids: Sequence[int]) -> list[Puzzle]:
    """The puzzles with these ids that there are, in this order."""
    found = {row.id: row for row in db.session.scalars(sa.select(Puzzle).where(Puzzle.id.in_(ids)))}
    return [found[number] for number in ids if number in found]


def starts(puzzle_id: int) -> int:
    """How often players have begun a puzzle."""
    begun = sa.select(sa.func.count()).select_from(Attempt).where(Attempt.puzzle_id == puzzle_id)
    return db.session.scalar(begun) or 0


def following(puzzle_id: int) -> int | None:
    """The candidate after this one, or the first; None where no other waits."""
    others = sa.select(Puzzle.id).where(Puzzle.status == Status.CANDIDATE, Puzzle.id != puzzle_id)
    return db.session.scalar(others.order_by(Puzzle.id < puzzle_id, Puzzle.id).limit(1))


def saw(player_id: int, ids: Sequence[int], now: datetime) -> None:
    """Note that a curator has seen these givens, and so cannot play them ranked."""
    seen = sa.select(Peek.puzzle_id).where(Peek.player_id == player_id, Peek.puzzle_id.in_(ids))
    fresh = set(ids) - set(db.session.scalars(seen))
    if fresh:
        with write_tx():
            note_seen(player_id, fresh, now)


def note_seen(player_id: int, ids: Collection[int], now: datetime) -> None:
    """The same inside the caller's transaction; what was seen before stays as it was."""
    rows = [{"player_id": player_id, "puzzle_id": number, "seen_at": now} for number in sorted(ids)]
    if rows:
        db.session.execute(upsert(Peek.__table__).on_conflict_do_nothing(), rows)


def decide(
    curator: Identity, action: str, choices: Sequence[VersionSeen], reason: str, now: datetime
) -> Done:
    """Approve or reject puzzles, all of them or none. Raises BadInput, NotFound, Changed.

    An approval looks again, in the same transaction, whether there is one solution and whether players meet
    an equivalent puzzle already.
    """
    reason = " ".join(reason.split())
    if action not in TO:
        raise BadInput(action=_("Choose Approve or Reject."))
    if not choices:
        raise BadInput(puzzle=_("Select at least one puzzle."))
    if len(choices) > MOST_DECIDED:
        raise BadInput(puzzle=_("Select at most %(most)s puzzles at a time.", most=MOST_DECIDED))
    if action == "reject" and not reason:
        raise BadInput(reason=_("Give a reason. It’s kept with the puzzle."))
    if len(reason) > LONGEST_REASON:
        raise BadInput(reason=_("Use at most %(most)s characters.", most=LONGEST_REASON))
    with write_tx():
        if action == "approve":  # two equivalent candidates approved at once would not see each other
            found = [puzzle(choice.id) for choice in choices]
            bank.claim(one.canonical or one.givens for one in found)
        entries = [
            _decide(curator, action, choice, reason if action == "reject" else None, now)
            for choice in sorted(choices, key=lambda choice: choice.id)  # one order, so no two wait in a ring
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
        _refuse_unfit(found)
    before = _state(found)
    _update(found, choice.version, status=TO[action], reason=reason)
    return audit.record(
        curator, action, "puzzle", choice.id, at=now, before=before, after=_state(found), note=reason
    )


def undo(curator: Identity, entry_ids: Sequence[int], now: datetime) -> Done:
    """Take one's own decisions of the last seconds back, all of them or none. Raises NotFound, Changed."""
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
            # The schedule makes dailies without counting versions up.
            if found.version != after["version"] or found.status != after["status"]:
                raise changed(found)
            standing = _state(found)
            _update(found, found.version, status=before["status"], reason=before["reason"])
            audit.record(curator, "undo", "puzzle", found.id, at=now, before=standing, after=_state(found))
            ids.append(found.id)
        return Done(ids, [])


def changed(found: Puzzle) -> Changed:
    """The refusal that names what stands now."""
    last = next(iter(audit.of("puzzle", found.id)), None)
    words = {
        Status.CANDIDATE: _("it’s a candidate"),
        Status.APPROVED: _("it’s approved"),
        Status.REJECTED: _("it’s rejected"),
        Status.DAILY: _("it’s a daily"),
    }
    stands = words.get(Status(found.status), found.status)
    if found.reason:
        stands = _("%(stands)s: “%(reason)s”", stands=stands, reason=found.reason)
    who = "" if last is None else last.curator_name
    message = (
        _(
            "%(who)s changed #%(number)s while you were looking. Now %(stands)s.",
            number=found.id,
            who=who,
            stands=stands,
        )
        if who
        else _("#%(number)s changed while you were looking. Now %(stands)s.", number=found.id, stands=stands)
    )
    return Changed(message, found.id)


def _refuse_unfit(found: Puzzle) -> None:
    """Raise BadInput where a puzzle may not be approved."""
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
    """Change a puzzle where it is still as it was seen; raises Changed."""
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
