"""Trials of rules: how often each was right so far, by verdicts, and what another weight would have changed.

A weight is tried on the solves of the past month before it is used; their figures were stored when they were
judged. Owns its transactions.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from math import isfinite
from typing import Any

import sqlalchemy as sa

from webapp.competition.fair_play import rules
from webapp.game import plausibility
from webapp.game.evidence import score
from webapp.game.evidence.score import WEIGHTS, Weight
from webapp.identity import audit
from webapp.identity.players import Identity
from webapp.models import Attempt, RuleTrial, Standing
from webapp.process.database import db, hold_lock, write_tx
from webapp.process.errors import BadInput, NotFound
from webapp.process.words import gettext as _

USING = 2026_0037  # PostgreSQL advisory lock: a weight takes the place of the one that is used then
PAST = timedelta(days=30)
MOST_TRIED = 20_000  # solves, the latest
MOST_JUDGED = 5_000  # verdicts, the latest
MOST_LISTED = 20
HEAVIEST = 5.0  # that a figure may weigh alone
JUDGED = (Standing.VERIFIED, Standing.ASSISTED, Standing.REMOVED)
ALONE = (*plausibility.RULES, plausibility.PAPER)  # doubts that need no weight


@dataclass(frozen=True, slots=True)
class Record:
    """How often a rule was right: the verdicts on solves that it spoke against."""

    key: str
    weight: Weight | None  # as it is used; None for a rule that doubts alone
    upheld: int
    cleared: int

    @property
    def precision(self) -> int | None:
        """The percentage that was upheld; None before the first verdict."""
        judged = self.upheld + self.cleared
        return round(100 * self.upheld / judged) if judged else None


def records() -> list[Record]:
    """The record of each rule, as verdicts have it so far."""
    upheld, cleared = Counter[str](), Counter[str]()
    judged = (
        sa.select(Attempt.standing, Attempt.doubts, Attempt.evidence)
        .where(Attempt.verdict.is_not(None), Attempt.standing.in_(JUDGED))
        .order_by(Attempt.updated_at.desc())
        .limit(MOST_JUDGED)
    )
    for row in db.session.execute(judged):
        told = {*json.loads(row.doubts or "[]"), *_shares(row.evidence)}
        (upheld if row.standing == Standing.REMOVED else cleared).update(told)
    weights = {weight.key: weight for weight in rules.weights()}
    keys = dict.fromkeys((*plausibility.RULES, *weights))
    return [Record(key, weights.get(key), upheld[key], cleared[key]) for key in keys]


def _shares(evidence: str | None) -> list[str]:
    shares = json.loads(evidence)["shares"] if evidence else {}
    return [key for key, share in shares.items() if share >= score.TOLD]


def trials() -> Sequence[RuleTrial]:
    """The latest trials."""
    return db.session.scalars(sa.select(RuleTrial).order_by(RuleTrial.id.desc()).limit(MOST_LISTED)).all()


def trial(trial_id: int) -> RuleTrial:
    """Return a trial. Raises NotFound."""
    found = db.session.get(RuleTrial, trial_id)
    if found is None:
        raise NotFound(_("We couldn’t find that trial."))
    return found


def begin(curator: Identity, key: str, fields: Mapping[str, str], now: datetime) -> int:
    """Try `harmless`, `doubtful` and `most` of a weight; nothing is judged by it yet. Raises BadInput."""
    weight = next((each for each in WEIGHTS if each.key == key), None)
    if weight is None:
        raise BadInput(key=_("Choose one of these rules."))
    values = {name: _number(name, fields.get(name, "")) for name in ("harmless", "doubtful", "most")}
    if not 0 <= values["most"] <= HEAVIEST:
        raise BadInput(most=_("Enter a weight from 0 to %(most)s.", most=round(HEAVIEST)))
    if (values["doubtful"] - values["harmless"]) * (weight.doubtful - weight.harmless) <= 0:
        more = weight.doubtful > weight.harmless
        raise BadInput(
            doubtful=_("Enter more than where it’s harmless.")
            if more
            else _("Enter less than where it’s harmless.")
        )
    with write_tx():
        tried = RuleTrial(key=key, tried_at=now, tried_by=curator.id, **values)
        db.session.add(tried)
        db.session.flush()
        return tried.id


def _number(name: str, text: str) -> float:
    try:
        value = float(text.strip().replace(",", ".")[:20])
    except ValueError:
        value = float("nan")
    if not isfinite(value) or abs(value) > 1000:
        raise BadInput(**{name: _("Enter a number.")})
    return value


@dataclass(frozen=True, slots=True)
class Result:
    """What a weight would have changed in the past month."""

    tried: int  # solves whose figures are known
    unknown: int  # solves that were judged before figures were stored
    held: int  # of those tried, under review as things are
    would_hold: int  # and with the other weight
    more: list[Attempt]  # that it would put under review, the latest
    fewer: list[Attempt]  # that it would not
    more_upheld: int  # of all that it would put under review, those that a curator has removed
    more_cleared: int  # and those that a curator has counted


def result(of: RuleTrial, now: datetime) -> Result:
    """Weigh the past month's solves again, with this weight in place of the one that is used."""
    used = rules.weights()
    other = [rules.changed(each, of) if each.key == of.key else each for each in used]
    tried = unknown = held = would_hold = 0
    verdicts = Counter[str]()
    more: list[str] = []
    fewer: list[str] = []
    for row in _past(now):
        values = json.loads(row.evidence or "{}").get("values")
        if values is None:
            unknown += 1
            continue
        tried += 1
        alone = not {*json.loads(row.doubts or "[]")}.difference(_shares(row.evidence)).isdisjoint(ALONE)
        before, after = (alone or _doubted(values, weights) for weights in (used, other))
        held, would_hold = held + before, would_hold + after
        if after and not before:
            more.append(row.id)
            verdicts[row.standing] += row.verdict is not None
        elif before and not after:
            fewer.append(row.id)
    return Result(
        tried,
        unknown,
        held,
        would_hold,
        _solves(more),
        _solves(fewer),
        verdicts[Standing.REMOVED],
        verdicts[Standing.VERIFIED] + verdicts[Standing.ASSISTED],
    )


def _past(now: datetime) -> Iterator[Any]:
    ranked = (
        sa.select(Attempt.id, Attempt.standing, Attempt.verdict, Attempt.doubts, Attempt.evidence)
        .where(
            Attempt.standing.in_([*JUDGED, Standing.REVIEW]),
            Attempt.finished_at.between(now - PAST, now),
            Attempt.ranked,
            ~Attempt.assisted,
        )
        .order_by(Attempt.finished_at.desc())
        .limit(MOST_TRIED)
    )
    yield from db.session.execute(ranked)


def _doubted(values: Mapping[str, float], weights: Sequence[Weight]) -> bool:
    return bool(score.doubted(score.shares(values, weights), values.get("pace")))


def _solves(ids: Sequence[str]) -> list[Attempt]:
    these = sa.select(Attempt).where(Attempt.id.in_(ids[:MOST_LISTED]))
    return list(db.session.scalars(these.order_by(Attempt.finished_at.desc())))


def use(curator: Identity, trial_id: int, now: datetime, *, on: bool) -> None:
    """Judge solves by a weight that was tried, from now on, or no longer. Raises BadInput, NotFound.

    What was judged before stays as it is. Of two moderators at the same time, the second one's is used.
    """
    with write_tx():
        hold_lock(USING)
        of = db.session.scalar(sa.select(RuleTrial).where(RuleTrial.id == trial_id).with_for_update())
        if of is None:
            raise NotFound(_("We couldn’t find that trial."))
        if of.used == on:
            return
        if on and of.used_from is not None:
            raise BadInput(use=_("This weight was used before. Try it on the past month again first."))
        if on:
            ended = sa.update(RuleTrial).where(RuleTrial.key == of.key, rules.USED)
            db.session.execute(ended.values(used_until=now))
            of.used_from = now
        else:
            of.used_until = now
        weighed = {"key": of.key, "harmless": of.harmless, "doubtful": of.doubtful, "most": of.most}
        audit.record(curator, "use" if on else "drop", "rule_trial", of.id, at=now, after=weighed)
