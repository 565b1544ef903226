"""Solves of dailies that a curator decides on, under review or not. Owns its transactions."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

import sqlalchemy as sa
from sqlalchemy.orm import joinedload

from engine.geometry import cell_name
from webapp.competition import standing
from webapp.curation.people.players import reason_for
from webapp.game.fair_play import rules
from webapp.game.moves import Kind
from webapp.identity import audit
from webapp.identity.players import Identity
from webapp.models import Attempt, AuditEntry, Daily, Leaderboard, Standing
from webapp.play.replays.review import Review
from webapp.process.database import db, write_tx
from webapp.process.errors import BadInput, Changed, NotFound
from webapp.process.words import gettext as _
from webapp.process.words import pgettext

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
    last = next(iter(audit.of("attempt", attempt_id)), None)
    if last is None:
        message = _("The player changed this solve while you were looking. Take another look.")
    else:
        who = last.curator_name
        message = _("%(who)s changed this solve while you were looking. Take another look.", who=who)
    return Changed(message, attempt_id)


@dataclass(frozen=True, slots=True)
class MoveTime:
    """A move of a solve and when it was received, in seconds on the clock."""

    kind: str
    cell: str  # such as r4c7; empty for none, and a count for several
    digit: int | None
    at: float
    waited: float  # since the previous move


def times(replay: Review) -> list[MoveTime]:
    """Return the moves of a solve with their times, for curators to compare with human play."""
    found, before = [], 0
    for moment in replay.moments:
        cells = moment.move.cells
        cell = cell_name(cells[0]) if len(cells) == 1 else str(len(cells) or "")
        at, waited = moment.elapsed_ms / 1000, (moment.elapsed_ms - before) / 1000
        found.append(MoveTime(move_words(moment.move.kind.value), cell, moment.move.digit, at, waited))
        before = moment.elapsed_ms
    return found


def move_words(kind: str) -> str:
    """Return the display name of a kind of move."""
    return {
        Kind.DIGIT: pgettext("move", "digit"),
        Kind.CORNER: pgettext("move", "corner"),
        Kind.CENTRE: pgettext("move", "center"),
        Kind.COLOUR: pgettext("move", "color"),
        Kind.STRIKE: pgettext("move", "cross out"),
        Kind.FILL: pgettext("move", "auto candidates"),
        Kind.ERASE: pgettext("move", "erase"),
        Kind.UNDO: pgettext("move", "undo"),
        Kind.REDO: pgettext("move", "redo"),
        Kind.PAUSE: pgettext("move", "pause"),
        Kind.RESUME: pgettext("move", "resume"),
        Kind.HINT: pgettext("move", "hint"),
        Kind.CHECK: pgettext("move", "check"),
        Kind.KEEP: pgettext("move", "keep marks"),
    }[Kind(kind)]
