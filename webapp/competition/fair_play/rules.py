"""Rules: what each figure of fair play weighs on this site, as stated or as its moderators have set it."""

from __future__ import annotations

from dataclasses import replace

import sqlalchemy as sa

from webapp.game.evidence.score import WEIGHTS, Weight
from webapp.models import RuleTrial
from webapp.process.database import db

USED = sa.and_(RuleTrial.used_from.is_not(None), RuleTrial.used_until.is_(None))


def weights() -> tuple[Weight, ...]:
    """The weights that solves are judged by now."""
    own = {trial.key: trial for trial in db.session.scalars(sa.select(RuleTrial).where(USED))}
    return tuple(changed(each, own[each.key]) if each.key in own else each for each in WEIGHTS)


def changed(weight: Weight, to: RuleTrial) -> Weight:
    """The same figure, weighed as a trial says."""
    return replace(weight, harmless=to.harmless, doubtful=to.doubtful, most=to.most)
