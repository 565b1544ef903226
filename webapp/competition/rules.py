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
    columns = (RuleTrial.key, RuleTrial.harmless, RuleTrial.doubtful, RuleTrial.most)
    own = {row.key: row for row in db.session.execute(sa.select(*columns).where(USED))}
    return tuple(changed(each, own[each.key]) if each.key in own else each for each in WEIGHTS)


def changed(weight: Weight, to: RuleTrial | sa.Row[tuple[str, float, float, float]]) -> Weight:
    """The same figure, weighed as a trial says."""
    return replace(weight, harmless=to.harmless, doubtful=to.doubtful, most=to.most)
