"""Fair play: data of ranked games for detecting copies."""

from __future__ import annotations

from datetime import timedelta

from webapp.capability import Capability, Records
from webapp.competition.fair_play import traces
from webapp.models import Trace
from webapp.process.jobs import Retention

CAPABILITY = Capability(
    key="fair_play",
    retention=(
        Retention(
            "orders of daily games, kept to find copies",
            f"{traces.KEPT // timedelta(hours=1)} hours after the end",
            traces.prune,
        ),
    ),
    records=(Records(Trace, "orders_of_digits", ("started_at", "finished_at"), {"attempt": "attempt_id"}),),
)
