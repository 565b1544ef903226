"""The job that verifies lessons and stocks drills, once a minute."""

from __future__ import annotations

from datetime import datetime, timedelta
from itertools import chain

from engine import warm
from webapp.learn.exercises import renewal
from webapp.process.jobs import stopping, work_through

TURN = timedelta(minutes=1)  # per run; the next one continues


def renew(now: datetime) -> int:
    """Verify and regenerate what an older version made, then add what is missing. Returns how many."""
    if not warm.ready():
        return 0
    over = stopping().is_set
    done = chain(renewal.check_lessons(now, over), renewal.check_drills(over), renewal.fill_up(now, over))
    return work_through(done, TURN)
