"""Exercises: the positions of lessons, drills and puzzle rush."""

from __future__ import annotations

from webapp.capability import Capability
from webapp.learn.exercises import renewal
from webapp.process.jobs import Job, Schedule

CAPABILITY = Capability(
    key="exercises", jobs=(Job("renew_exercises", Schedule("exercises", "* * * * *"), renewal.renew),)
)
