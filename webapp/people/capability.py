"""People: accounts, profiles and forgotten passwords."""

from __future__ import annotations

from webapp.capability import Capability, Records
from webapp.identity import limits, outbox, players, sessions
from webapp.models import SignIn
from webapp.people import account_routes, profile_routes, recovery_routes
from webapp.process.jobs import MAIL, Job, Retention, work_through

CAPABILITY = Capability(
    key="people",
    pages=(account_routes.bp, profile_routes.bp),
    blueprints=(recovery_routes.bp,),
    jobs=(Job("retry_mail", MAIL, lambda _now: work_through(outbox.retried()), outbox.is_due),),
    retention=(
        Retention("rate limits", "once they are full again, within a day", limits.sweep),
        Retention(
            "ended sessions",
            f"{sessions.IDLE.days} days without a visit, {sessions.LONGEST.days} after signing in at most",
            sessions.sweep,
        ),
        Retention(
            "records of mails",
            f"{outbox.KEPT.days} days after they were written",
            outbox.sweep,
        ),
        Retention(
            "guests who never played",
            f"{players.UNUSED.days} days after they came",
            players.forget_unused_guests,
        ),
    ),
    records=(Records(SignIn, "sessions", ("device", "created_at", "seen_at"), {"addresses": "place"}),),
)
