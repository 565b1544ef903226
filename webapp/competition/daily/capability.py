"""Dailies: today's puzzles, past ones and streaks."""

from __future__ import annotations

from webapp.capability import Capability
from webapp.competition.daily import closing, routes, schedule
from webapp.process.jobs import DAILY, STOCK, Job, work_through

CAPABILITY = Capability(
    key="daily",
    pages=(routes.bp,),
    tab="home.show",
    public=("daily.show", "daily.of_day"),
    # First of its schedule: the next day must not wait for anything.
    jobs=(
        Job("schedule_dailies", DAILY, lambda now: work_through(schedule.schedule(now))),
        Job("close_days", DAILY, lambda now: work_through(closing.close(now))),
        Job("settle_days", STOCK, lambda _now: work_through(closing.settle())),
    ),
)
