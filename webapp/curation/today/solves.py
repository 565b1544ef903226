"""Solves of dailies that a curator decides on, under review or not. Owns its transactions."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import datetime, timedelta
from statistics import median

import sqlalchemy as sa
from sqlalchemy.orm import joinedload

from webapp.competition import logs, standing
from webapp.curation.people.players import reason_for
from webapp.game.fair_play import rules
from webapp.game.fair_play.solve import Solve, Source
from webapp.identity import audit
from webapp.identity.players import Identity
from webapp.models import Attempt, AuditEntry, Daily, Leaderboard, Standing
from webapp.process.database import db, write_tx
from webapp.process.errors import BadInput, Changed, NotFound
from webapp.process.words import gettext as _

MOST_LISTED = 100
LOOKED_BACK = timedelta(days=7)
PODIUM = 3
VERDICTS = (Standing.VERIFIED, Standing.REMOVED)


def waiting(now: datetime) -> list[Attempt]:
    """Return the solves under review, oldest first, then those without a rank."""
    review = sa.select(Attempt).where(Attempt.standing == Standing.REVIEW)
    found = list(db.session.scalars(review.order_by(Attempt.finished_at).limit(MOST_LISTED)))
    return [*found, *standing.typed(now, MOST_LISTED)]


def appealed() -> Sequence[Attempt]:
    """Return the removed solves whose players have appealed."""
    said = sa.select(Attempt).where(Attempt.standing == Standing.REMOVED, Attempt.appeal.is_not(None))
    return db.session.scalars(said.order_by(Attempt.finished_at).limit(MOST_LISTED)).all()


def firsts(now: datetime) -> list[tuple[Daily, list[Attempt]]]:
    """Return the first three of each leaderboard that closed in the past week, where one lacks a verdict."""
    closed = sa.select(Daily).where(Daily.closed_at >= now - LOOKED_BACK, Daily.closed_at > Daily.created_at)
    found = []
    for daily in db.session.scalars(closed.order_by(Daily.date.desc(), Daily.level)):
        on_it = sa.select(Attempt).where(Attempt.daily_id == daily.id, Attempt.board == Leaderboard.DAY)
        order = on_it.order_by(Attempt.elapsed_ms / 1000, Attempt.finished_at, Attempt.id).limit(PODIUM)
        first = list(db.session.scalars(order.options(joinedload(Attempt.player))))
        if any(attempt.verdict is None for attempt in first):
            found.append((daily, first))
    return found


def solve(attempt_id: str) -> Attempt:
    """Return a solve of a daily, under review or not. Raises NotFound for any other."""
    found = db.session.get(Attempt, attempt_id)
    if found is None or found.standing is None:
        raise NotFound(_("We couldn’t find that solve."))
    return found


def doubts(attempt: Attempt) -> list[str]:
    """Return the descriptions of the rules that flagged a solve."""
    return [rules.words(key) for key in json.loads(attempt.doubts or "[]")]


def original(attempt: Attempt) -> Attempt | None:
    """Return the earlier game with the same order as a solve; None if it isn't a copy."""
    return None if attempt.original_id is None else db.session.get(Attempt, attempt.original_id)


def mark(attempt: Attempt) -> str:
    """Return the state of a solve for a form to send back, so that a verdict refers to what was seen."""
    appealed = "" if attempt.appeal is None else " appealed"
    return f"{attempt.standing} {attempt.updated_at.isoformat()}{appealed}"


def judge(
    curator: Identity, attempt_id: str, seen: str, verdict: str, note: str, now: datetime
) -> AuditEntry:
    """Record a curator's verdict on a solve and its reason. Raises BadInput, Changed, NotFound."""
    if verdict not in VERDICTS:
        raise BadInput(standing=_("Choose whether the solve counts."))
    note = reason_for(note)
    with write_tx():
        attempt = solve(attempt_id)
        db.session.refresh(attempt)
        if attempt.player_id == curator.id:
            raise BadInput(standing=_("This is your own solve. Another curator has to decide."))
        if mark(attempt) != seen:
            raise _changed(attempt_id)
        before = {"standing": attempt.standing, "verdict": attempt.verdict, "appeal": attempt.appeal}
        words = note
        if attempt.appeal is not None and verdict == Standing.REMOVED:  # the answer comes below the reason
            words = f"{attempt.verdict}\n{note}"
        if verdict == Standing.VERIFIED and attempt.assisted:
            verdict = Standing.ASSISTED  # restored as assisted
        standing.verdict(attempt_id, Standing(verdict), words, now)
        after = {"standing": str(verdict), "verdict": words}
        subject = ("attempt", attempt_id)
        entry = audit.record(curator, "judge", subject, at=now, before=before, after=after, note=note)
        db.session.flush()
        return entry


def undo(curator: Identity, entry: AuditEntry, now: datetime) -> None:
    """Undo a verdict: the solve is again as it was. Raises Changed, NotFound."""
    before, after = json.loads(entry.before or "{}"), json.loads(entry.after or "{}")
    with write_tx():
        attempt = solve(entry.subject_id)
        db.session.refresh(attempt)
        if (attempt.standing, attempt.verdict) != (after["standing"], after["verdict"]):
            raise _changed(attempt.id)
        standing.verdict(attempt.id, Standing(before["standing"]), before["verdict"], now)
        attempt.verdict, attempt.appeal = before["verdict"], before["appeal"]
        audit.record(
            curator,
            "undo",
            ("attempt", attempt.id),
            at=now,
            before={"standing": after["standing"]},
            after={"standing": before["standing"]},
        )


def _changed(attempt_id: str) -> Changed:
    last = next(iter(audit.history("attempt", attempt_id)), None)
    if last is None:
        message = _("The player changed this solve while you were looking. Take another look.")
    else:
        who = last.curator_name
        message = _("%(who)s changed this solve while you were looking. Take another look.", who=who)
    return Changed(message, attempt_id)


def waits(attempt: Attempt) -> list[tuple[str, int, float | None, float | None]]:
    """Return the number, the median and the longest of the pauses before digits, by how each could be known.

    People need longer for harder digits. Of digits received together, only the first has a pause.
    """
    elapsed = timedelta(milliseconds=attempt.elapsed_ms or 0)
    log = logs.part(attempt.id, 1, attempt.last_seq)
    solve = Solve(attempt.givens, attempt.puzzle.expected_seconds, attempt.started_at, elapsed, log)
    by_source: dict[Source, list[float]] = {each: [] for each in Source}
    source, before = {step.cell: step.source for step in solve.steps}, solve.started_at
    for cell, at in solve.placings.items():
        by_source[source[cell]].append((at - before).total_seconds())
        before = at
    words = {
        Source.SINGLE: _("A single"),
        Source.AHEAD: _("Leads to singles"),
        Source.MARKED: _("Own marks"),
        Source.OPEN: _("Two choices left"),
        Source.WIDE: _("More choices left"),
    }
    return [
        (words[each], len(found), median(found) if found else None, max(found, default=None))
        for each, found in by_source.items()
    ]
