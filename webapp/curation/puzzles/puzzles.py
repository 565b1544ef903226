"""Puzzles at the desk: decisions, levels, favorites, and who has seen what. Owns its transactions.

A decision states the version it is based on. If that has changed, nothing is done and the refusal describes
the current state. Decisions on several puzzles are all or nothing.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from datetime import datetime, timedelta
from typing import Any

import sqlalchemy as sa

import engine
from webapp.bank import bank, traits
from webapp.identity import audit, texts
from webapp.identity.players import Identity
from webapp.models import Attempt, AuditEntry, Daily, Peek, Puzzle, Status
from webapp.process.database import db, rows_changed, upsert, write_tx
from webapp.process.errors import BadInput, BadStart, Changed, NotFound
from webapp.process.words import gettext as _

MOST_DECIDED = 500  # puzzles per decision: takes a second, in which nobody else writes
LONGEST_REASON = 200
UNDO = timedelta(hours=1)
FROM = {  # the statuses each decision applies to; dailies belong to the calendar
    "approve": (Status.CANDIDATE, Status.REJECTED, Status.WITHDRAWN),
    "reject": (Status.CANDIDATE, Status.APPROVED),
    "withdraw": (Status.APPROVED,),  # from players, who see the reason
}
TO = {"approve": Status.APPROVED, "reject": Status.REJECTED, "withdraw": Status.WITHDRAWN}
RELABELLED = (Status.CANDIDATE, Status.APPROVED, Status.REJECTED)  # a daily's level is public
Choice = tuple[int, int]  # a puzzle and the version that the curator saw


def puzzle(puzzle_id: int, *, lock: bool = False) -> Puzzle:
    """Return a puzzle of any status except those entered by players. Raises NotFound."""
    found = db.session.get(Puzzle, puzzle_id, with_for_update=lock or None)
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
    """Return the next new puzzle, or the first; None if there is no other."""
    others = sa.select(sa.func.min(Puzzle.id)).where(Puzzle.status == Status.CANDIDATE)
    after = db.session.scalar(others.where(Puzzle.id > puzzle_id))
    return db.session.scalar(others.where(Puzzle.id < puzzle_id)) if after is None else after


def can(found: Puzzle) -> list[str]:
    """Return the possible decisions on a puzzle."""
    return [action for action, statuses in FROM.items() if found.status in statuses]


# Who has seen what


def saw(player_id: int, ids: Sequence[int], now: datetime) -> None:
    """Record that a curator has seen these givens, and so can't play them ranked."""
    fresh = set(ids) - seen(player_id, ids)
    if fresh:
        with write_tx():
            note_seen(player_id, fresh, now)


def seen(player_id: int, ids: Sequence[int]) -> set[int]:
    """Return those of these puzzles whose givens a curator has seen at the desk."""
    query = sa.select(Peek.puzzle_id).where(Peek.player_id == player_id, Peek.puzzle_id.in_(ids))
    return set(db.session.scalars(query))


def note_seen(player_id: int, ids: Collection[int], now: datetime) -> None:
    """Do the same as `saw`, inside the caller's transaction; keeps earlier records."""
    rows = [{"player_id": player_id, "puzzle_id": number, "seen_at": now} for number in sorted(ids)]
    if rows:
        db.session.execute(upsert(Peek.__table__).on_conflict_do_nothing(), rows)


# Decisions


def decide(
    curator: Identity, action: str, choices: Sequence[Choice], reason: str, now: datetime
) -> list[AuditEntry]:
    """Approve, reject or withdraw puzzles, all of them or none. Returns the log entries, which undo it.

    An approval checks again, in the same transaction, that the solution is unique and that players don't have
    an equivalent puzzle already. Raises BadInput, NotFound, Changed.
    """
    reason = texts.checked("reason", reason, LONGEST_REASON)
    if action not in TO:
        raise BadInput(action=_("Choose Approve, Reject or Withdraw."))
    _refuse_count(choices)
    if action == "withdraw" and not reason:
        raise BadInput(reason=_("Give a reason. Players will see it."))
    with write_tx():
        if action == "approve":  # two concurrent approvals of equivalent candidates wouldn't see each other
            bank.claim(
                one.canonical or one.givens for one in (puzzle(number) for number, _version in choices)
            )
        made = []
        for number, version in sorted(choices):  # in a fixed order, so that no two transactions deadlock
            found = puzzle(number)
            if found.version != version or found.status not in FROM[action]:
                raise changed(found)
            if action == "approve":
                _refuse_unfit(found)
            before, note = _state(found), None if action == "approve" else reason or None
            _update(found, version, status=TO[action], reason=note)
            states = {"before": before, "after": _state(found)}
            made.append(audit.record(curator, action, ("puzzle", number), at=now, note=note, **states))
        db.session.flush()
        return made


def _refuse_count(choices: Sequence[object]) -> None:
    if not choices:
        raise BadInput(puzzle=_("Select at least one puzzle."))
    if len(choices) > MOST_DECIDED:
        raise BadInput(puzzle=_("Select at most %(most)s puzzles at a time.", most=MOST_DECIDED))


def undo(curator: Identity, entry_ids: Sequence[int], now: datetime) -> list[int]:
    """Undo the curator's own decisions of the last hour, all or none. Returns the puzzles.

    Raises NotFound, Changed.
    """
    with write_tx():
        query = sa.select(AuditEntry).where(
            AuditEntry.id.in_(entry_ids[:MOST_DECIDED]),
            AuditEntry.curator_id == curator.id,
            AuditEntry.subject == "puzzle",
            AuditEntry.action.in_(TO),
            AuditEntry.at >= now - UNDO,
        )
        entries = db.session.scalars(query.order_by(AuditEntry.id)).all()
        if not entries or len(entries) != len(set(entry_ids)):
            raise NotFound(_("It’s too late to undo that."))
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
        return ids


def changed(found: Puzzle) -> Changed:
    """Return the refusal that describes the current state."""
    last = next(iter(audit.history("puzzle", found.id)), None)
    now = {
        Status.CANDIDATE: _("It’s now new."),
        Status.APPROVED: _("It’s now approved."),
        Status.REJECTED: _("It’s now rejected."),
        Status.DAILY: _("It’s now a daily."),
        Status.WITHDRAWN: _("It’s now withdrawn."),
    }.get(Status(found.status))
    message = (
        _("%(who)s changed #%(number)s while you were looking.", number=found.id, who=last.curator_name)
        if last is not None
        else _("#%(number)s changed while you were looking.", number=found.id)
    )
    reason = _("Reason: “%(reason)s”", reason=found.reason) if found.reason else None
    return Changed(" ".join(filter(None, (message, now, reason))), found.id)


def _refuse_unfit(found: Puzzle) -> None:
    """Raise BadInput if a puzzle can't be approved. One withdrawn from a day is restored by undoing that."""
    if found.status == Status.WITHDRAWN:
        here = sa.select(Daily.id).where(sa.or_(Daily.puzzle_id == found.id, Daily.former_id == found.id))
        # Of a day with two withdrawals, no daily names the first puzzle any more, but its games do.
        played = sa.select(Attempt.id).where(Attempt.puzzle_id == found.id, Attempt.daily_id.is_not(None))
        if any(db.session.scalar(query.limit(1)) is not None for query in (here, played)):
            message = _("#%(number)s was withdrawn as a daily. Undo that in the calendar.", number=found.id)
            raise BadInput(puzzle=message)
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
        message = _("#%(number)s is equivalent to #%(other)s, which players already have.")
        raise BadInput(puzzle=message % {"number": found.id, "other": other})
    found.canonical = form


def _state(found: Puzzle) -> dict[str, Any]:
    return {"status": found.status, "reason": found.reason, "version": found.version}


def _update(found: Puzzle, version: int, **values: Any) -> None:
    """Update a puzzle if it is still as it was seen. Raises Changed otherwise."""
    db.session.flush()
    here = sa.update(Puzzle).where(
        Puzzle.id == found.id, Puzzle.version == version, Puzzle.status == found.status
    )
    changed_here = rows_changed(
        here.values(version=Puzzle.version + 1, **values).execution_options(synchronize_session=False)
    )
    db.session.refresh(found)
    if changed_here != 1:
        raise changed(found)


# Levels and favorites


def relabel(curator: Identity, choice: Choice, level: int | None, now: datetime) -> None:
    """Override the level of a puzzle; later ratings don't change it.

    Raises NotFound, BadInput, Changed if it has changed since, and BadStart for a daily.
    """
    if level is None or level not in bank.LEVELS:
        raise BadInput(level=_("Choose a level from 1 to 5."))
    number, version = choice
    with write_tx():
        found = puzzle(number, lock=True)
        if found.status not in RELABELLED:
            raise BadStart(_("This puzzle is a daily. Players have already seen its level."))
        if found.version != version:
            raise changed(found)
        before = {"level": found.level, "relabelled": found.relabelled}
        found.level, found.relabelled, found.version = level, True, found.version + 1
        after = {"level": level, "relabelled": True}
        audit.record(curator, "relabel", ("puzzle", number), at=now, before=before, after=after)


def favor(curator: Identity, ids: Sequence[int], now: datetime, *, off: bool = False) -> None:
    """Mark puzzles as favorites, or end that with `off`. Raises BadInput, NotFound."""
    _refuse_count(ids)
    with write_tx():
        known = [one.id for one in puzzles(sorted(ids)) if one.status != Status.ENTERED]
        if not known:
            raise NotFound(_("We couldn’t find that puzzle."))
        traits.favor(known, off=off)
        for number in known:
            audit.record(curator, "unfavor" if off else "favor", ("puzzle", number), at=now)
