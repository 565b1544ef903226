"""Today: the puzzles that are out, what waits for a person, and the acts that answer it, with their undo."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import sqlalchemy as sa
from flask import url_for

import engine
from webapp.bank import votes
from webapp.capability import Right
from webapp.competition import statistics
from webapp.competition.daily import schedule
from webapp.competition.daily.views import daily_title
from webapp.curation import reports
from webapp.curation.people import players
from webapp.curation.puzzles import puzzles
from webapp.curation.reports import PuzzleReport
from webapp.curation.today import solves
from webapp.identity.players import Identity
from webapp.models import Attempt, AuditEntry, Daily, Player, Standing
from webapp.models.daily import today
from webapp.process.database import db
from webapp.process.errors import BadInput, NotFound
from webapp.process.words import comma, format_date, ngettext
from webapp.process.words import gettext as _
from webapp.web.i18n import clock_text, level_name
from webapp.web.inputs import row_number


def cards(curator: Identity, now: datetime) -> list[dict[str, Any]]:
    """Return today's puzzles with their figures: times in milliseconds, likes of all votes, open reports.

    Their givens are shown to a curator who has started or seen them.
    """
    day = today(now)
    found = [daily for _slot, daily in sorted(schedule.between(day, day).items())]
    ids = [daily.puzzle_id for daily in found]
    theirs = sa.select(Attempt.puzzle_id).where(Attempt.player_id == curator.id, Attempt.puzzle_id.in_(ids))
    known = set(db.session.scalars(theirs)) | puzzles.seen(curator.id, ids)
    liked = votes.counts(ids)
    counted = sa.select(sa.func.count(), sa.func.count(Attempt.finished_at))
    reported = sa.select(sa.func.count()).where(PuzzleReport.closed_at.is_(None))
    cards = []
    for daily in found:
        number = daily.puzzle_id
        started, solved = db.session.execute(counted.where(Attempt.puzzle_id == number)).one()
        cards.append(
            {
                "daily": daily,
                "started": started,
                "solved": solved,
                "median": statistics.of_puzzle(number).median,
                "liked": liked.get(number),
                "reports": db.session.scalar(reported.where(PuzzleReport.puzzle_id == number)),
                "shown": number in known,
            }
        )
    return cards


@dataclass(frozen=True, slots=True)
class Item:
    """Something that waits for a person: what happened, what the site has checked, and the two acts."""

    kind: str  # of KINDS
    key: str
    seen: str  # what a form sends back
    label: str
    title: str
    words: str
    checked: str
    act: str  # the button
    link: str  # the other act is on this page
    link_words: str
    about: str  # the page of its subject


def waiting(rights: Right, now: datetime) -> list[Item]:
    """Return what waits for a curator with these rights, by kind."""
    found: list[Item] = []
    if Right.REVIEW in rights:
        found += map(_report, reports.waiting())
    if Right.MODERATE in rights:
        found += [_solve(attempt, _("Appeal")) for attempt in solves.appealed()]
        for player in players.appeals():
            appeal, reason = player.appeal or "", (player.suspension_reason or "").split("\n")[0]
            acts = _("End suspension"), _("Keep suspension")
            found.append(_player("suspension", player, _("Appeal"), appeal, reason, *acts))
        found += [_solve(attempt, _("Under review")) for attempt in solves.waiting(now)]
        found += [_firsts(daily, first) for daily, first in solves.firsts(now)]
        for player in players.new_names(now):
            played = players.solves([player.id]).get(player.id, 0)
            words = _("This new name hides letters behind digits.")
            checked = ngettext("%(num)s solve", "%(num)s solves", played)
            found.append(_player("name", player, _("Name"), words, checked, _("Keep"), _("Rename")))
    return found


def _report(report: PuzzleReport) -> Item:
    puzzle = report.puzzle
    one = engine.verdict(engine.parse(puzzle.givens)) is engine.Verdict.UNIQUE
    daily = db.session.scalar(sa.select(Daily).where(Daily.puzzle_id == puzzle.id))
    page = url_for("admin.puzzles.puzzle", puzzle_id=puzzle.id)
    out = daily is not None and daily.withdrawn_at is None
    who = report.player.name if report.player is not None and report.player.name else _("a guest")
    return Item(
        "report",
        str(report.id),
        "",
        _("Report"),
        f"#{puzzle.id}" if daily is None else f"{daily_title(daily)} · #{puzzle.id}",
        _("“%(text)s” %(name)s", text=report.text, name=who),
        _("We checked: one solution.") if one else _("We checked: more than one solution."),
        _("Close report"),
        url_for("admin.withdrawals.show", text=daily.date.isoformat(), level=daily.level)
        if daily is not None and out
        else page,
        _("Withdraw puzzle"),
        page,
    )


def _solve(attempt: Attempt, label: str) -> Item:
    page = url_for("admin.solves.show", attempt_id=attempt.id)
    daily, name = attempt.daily, attempt.player.name or _("a guest")
    median = statistics.of_puzzle(attempt.puzzle_id).median
    title = f"#{attempt.puzzle_id}" if daily is None else daily_title(daily)
    words = attempt.appeal if label == _("Appeal") else " ".join(solves.doubts(attempt))
    return Item(
        "solve",
        attempt.id,
        solves.mark(attempt),
        label,
        _("%(name)s, %(what)s in %(time)s", name=name, what=title, time=clock_text(attempt.elapsed_ms)),
        words or "",
        "" if median is None else _("The median is %(time)s.", time=clock_text(median)),
        _("Count it"),
        f"{page}#verdict",
        _("Leave out"),
        page,
    )


def _player(kind: str, player: Player, label: str, words: str, checked: str, act: str, other: str) -> Item:
    page = url_for("admin.people.show", player=player.id, _anchor="players")
    key, seen = str(player.id), players.state(player)
    return Item(kind, key, seen, label, player.name or "", words, checked, act, page, other, page)


def _firsts(daily: Daily, first: Sequence[Attempt]) -> Item:
    doubted = [attempt for attempt in first if attempt.doubts not in (None, "[]")]
    page = url_for("admin.solves.show", attempt_id=first[0].id)
    return Item(
        "firsts",
        str(daily.id),
        " ".join(solves.mark(attempt) for attempt in first),
        _("Closed day"),
        _(
            "First three of %(day)s, %(level)s",
            day=format_date(daily.date, "EEEE, MMMM d"),
            level=level_name(daily.level),
        ),
        comma().join(f"{each.player.name or _('a guest')} {clock_text(each.elapsed_ms)}" for each in first),
        _("Look at them first.") if doubted else _("Nothing unusual."),
        _("Confirm"),
        page,
        _("Watch"),
        page,
    )


# Acts


def act(curator: Identity, kind: str, key: str, seen: str, now: datetime) -> list[AuditEntry]:
    """Do what the first button of an item does. Returns the log entries, which undo it.

    Raises BadInput, Changed, NotFound.
    """
    checked = _("A curator has checked this solve.")
    if kind == "solve":
        return [solves.judge(curator, key, seen, Standing.VERIFIED, checked, now)]
    number = row_number(key)
    if kind not in RIGHTS or number is None:
        raise NotFound(_("We couldn’t find that."))
    match kind:
        case "report":
            return [reports.close(curator, number, now)]
        case "suspension":
            return [players.lift(curator, number, seen, now)]
        case "name":
            return [players.keep_name(curator, number, seen, now)]
    first = next((first for daily, first in solves.firsts(now) if daily.id == number), [])
    if not first or " ".join(map(solves.mark, first)) != seen:
        raise BadInput(firsts=_("These solves have changed meanwhile. Take another look."))
    return [
        solves.judge(curator, attempt_id, mark, Standing.VERIFIED, checked, now)
        for attempt_id, mark in [(one.id, solves.mark(one)) for one in first if one.player_id != curator.id]
    ]


RIGHTS: Mapping[str, Right] = {
    "report": Right.REVIEW,
    **dict.fromkeys(("solve", "suspension", "firsts", "name"), Right.MODERATE),
}


Undo = Callable[[Identity, AuditEntry, datetime], object]
UNDOS: Mapping[tuple[str, str], Undo] = {
    ("close", "report"): lambda curator, entry, now: reports.close(
        curator, int(entry.subject_id), now, off=True
    ),
    ("judge", "attempt"): solves.undo,
    ("lift", "player"): players.undo_lift,
    ("keep", "name"): lambda curator, entry, now: players.keep_name(
        curator,
        int(entry.subject_id),
        players.state(players.player(int(entry.subject_id))),
        now,
        off=True,
    ),
}


def done(curator: Identity, ids: Sequence[int], now: datetime) -> list[AuditEntry]:
    """Return the curator's own acts among these log entries that can still be undone."""
    query = sa.select(AuditEntry).where(
        AuditEntry.id.in_(ids[:10]),
        AuditEntry.curator_id == curator.id,
        AuditEntry.at >= now - puzzles.UNDO,
    )
    entries = db.session.scalars(query.order_by(AuditEntry.id)).all()
    return [entry for entry in entries if (entry.action, entry.subject) in UNDOS]


def undo(curator: Identity, ids: Sequence[int], now: datetime) -> None:
    """Undo acts of the last hour. Raises NotFound, Changed."""
    entries = done(curator, ids, now)
    if not entries or len(entries) != len(set(ids)):
        raise NotFound(_("It’s too late to undo that."))
    for entry in entries:
        UNDOS[entry.action, entry.subject](curator, entry, now)


def said(entries: Sequence[AuditEntry]) -> str:
    """Say what was just done; empty for nothing."""
    if not entries:
        return ""
    return {
        "close": _("Report closed."),
        "judge": _("The solve counts."),
        "lift": _("Suspension ended."),
        "keep": _("Name kept."),
    }[entries[0].action]
