"""News of the desk by mail, for curators who asked for it. Owns its transactions.

All news comes in one mail, at most every few minutes, limited to what the curator's role includes. It is
claimed before it is sent: a mail that the server refuses is lost, and none is sent twice.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from enum import StrEnum

import sqlalchemy as sa

from webapp.capability import Right, ask
from webapp.competition.daily import dailies
from webapp.curation.team.roles import RIGHTS
from webapp.models import AuditEntry, DailyDraft, DeskMail, Player, PuzzleComment
from webapp.process.database import db, rows_changed, upsert, write_tx
from webapp.process.errors import BadInput
from webapp.process.words import gettext as _

SOON = timedelta(days=3)  # a day without a daily within this time is news, once a day
DECISIONS = ("approve", "reject")  # actions of the audit log


class Kind(StrEnum):
    """A kind of news."""

    COMMENT = "comment"  # on a puzzle that the curator has decided or commented on
    DRAFT = "draft"  # that waits for another curator
    GAP = "gap"  # a coming day without a daily
    SUBMISSION = "submission"  # by a player


NEEDS: Mapping[Kind, Right] = {
    Kind.COMMENT: Right.REVIEW,
    Kind.DRAFT: Right.EDIT,
    Kind.GAP: Right.EDIT,
    Kind.SUBMISSION: Right.REVIEW,
}


@dataclass(frozen=True, slots=True)
class News:
    """The content of a mail to a curator."""

    to: str
    name: str
    language: str | None
    commented: Sequence[int] = ()  # puzzles
    drafts: int = 0
    gaps: Sequence[date] = ()
    submissions: int = 0

    @property
    def empty(self) -> bool:
        """Whether there is nothing to tell."""
        return not (self.commented or self.drafts or self.gaps or self.submissions)


def kinds_for(role: str | None) -> list[Kind]:
    """Return the kinds of news that a role can get."""
    return [kind for kind in Kind if NEEDS[kind] in RIGHTS.get(role or "", Right.SEE)]


def chosen(player_id: int) -> frozenset[str]:
    """Return the kinds of news that a curator has chosen."""
    row = db.session.get(DeskMail, player_id)
    return frozenset() if row is None else frozenset(row.kinds.split())


def choose(player_id: int, kinds: Collection[str], now: datetime) -> None:
    """Send a curator mail about these kinds from now on. Raises BadInput."""
    if not set(kinds) <= set(Kind):
        raise BadInput(kind=_("Choose from the list."))
    with write_tx():
        player = db.session.get_one(Player, player_id)
        if kinds and player.email is None:
            raise BadInput(kind=_("Confirm an email address first."))
        values = {"kinds": " ".join(sorted(set(kinds))), "told_until": now}
        row = upsert(DeskMail.__table__).values(player_id=player_id, **values)
        db.session.execute(row.on_conflict_do_update(index_elements=[DeskMail.player_id], set_=values))


def due(now: datetime, *, two_person: bool) -> Iterator[News]:
    """Claim each curator's news, and yield it if there is any."""
    asked = (
        sa.select(DeskMail, Player)
        .join(Player, Player.id == DeskMail.player_id)
        .where(DeskMail.kinds != "", Player.curator, Player.email.is_not(None))
        .order_by(Player.id)
    )
    found = [(mail.kinds.split(), mail.told_until, player) for mail, player in db.session.execute(asked)]
    for kinds, since, player in found:
        wanted = [kind for kind in kinds_for(player.role) if kind in kinds]
        news = _news(player, wanted, since, now, two_person=two_person)
        if not news.empty and _claim(player.id, since, now):
            yield news


def _news(
    player: Player, wanted: Sequence[Kind], since: datetime, now: datetime, *, two_person: bool
) -> News:
    return News(
        player.email or "",
        player.name or "",
        player.language,
        _commented(player.id, since) if Kind.COMMENT in wanted else (),
        _drafts(player.id, since) if Kind.DRAFT in wanted and two_person else 0,
        _gaps(since, now) if Kind.GAP in wanted else (),
        sum(ask("submissions since", since)) if Kind.SUBMISSION in wanted else 0,
    )


def _claim(player_id: int, since: datetime, now: datetime) -> bool:
    """Claim a curator's news; False if another worker has it."""
    as_read = sa.update(DeskMail).where(DeskMail.player_id == player_id, DeskMail.told_until == since)
    with write_tx():
        return rows_changed(as_read.values(told_until=now)) == 1


def _commented(player_id: int, since: datetime) -> list[int]:
    # A large team's comments can be far more than those that concern this curator.
    others = sa.or_(PuzzleComment.curator_id.is_(None), PuzzleComment.curator_id != player_id)
    own = sa.orm.aliased(PuzzleComment)
    commented = sa.exists().where(own.puzzle_id == PuzzleComment.puzzle_id, own.curator_id == player_id)
    decided = sa.exists().where(
        AuditEntry.subject == "puzzle",
        AuditEntry.subject_id == sa.cast(PuzzleComment.puzzle_id, sa.String),
        AuditEntry.curator_id == player_id,
        AuditEntry.action.in_(DECISIONS),
    )
    new = sa.select(PuzzleComment.puzzle_id).where(
        PuzzleComment.at > since, others, sa.or_(commented, decided)
    )
    return list(db.session.scalars(new.distinct().order_by(PuzzleComment.puzzle_id)))


def _drafts(player_id: int, since: datetime) -> int:
    others = sa.or_(DailyDraft.curator_id.is_(None), DailyDraft.curator_id != player_id)
    new = sa.select(sa.func.count()).select_from(DailyDraft).where(DailyDraft.created_at > since, others)
    return db.session.scalar(new) or 0


def _gaps(since: datetime, now: datetime) -> list[date]:
    """Return coming days without a daily; none if they have been sent today."""
    today = dailies.today(now)
    if since.date() >= today:
        return []
    missing = dailies.gaps(today + timedelta(days=1), today + SOON, now)
    return sorted({day for day, _level in missing})
