"""Find what is wrong with this installation and say it in sentences: `flask doctor`."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from datetime import timedelta
from email.utils import parsedate_to_datetime
from http.client import HTTPException
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import ProxyHandler, build_opener

import click
import sqlalchemy as sa
from flask import current_app
from sqlalchemy.exc import SQLAlchemyError

from engine import __version__, warm
from webapp.curation import curators
from webapp.identity import failures, outbox, workers
from webapp.models import Attempt
from webapp.process import mail, signing
from webapp.process.clock import AHEAD, now, utcnow
from webapp.process.commands import schema
from webapp.process.commands.reporting import Reported, say
from webapp.process.config import LOOPBACK, Settings
from webapp.process.database import Busy, db, sqlite_module
from webapp.process.mail import Refused
from webapp.site import health, metrics
from webapp.site.storage import keeping
from webapp.web import security

PATIENCE = 5.0  # seconds to wait for the site's own address
OFF = timedelta(seconds=10)  # by which clocks may differ
BACKUP_DUE = timedelta(hours=26)  # since the last one: a day, and two hours for the timer
FEW_DAYS = 3  # of dailies, that the worker has fallen behind
AREAS = "settings", "disk", "proxy", "mail", "backups", "worker", "dailies", "curators", "clock", "mails"


@click.command("doctor", cls=Reported)
def doctor_command() -> None:
    """Say what is wrong with this installation.

    The status is 1 if anything is.
    """
    found = list(examined(current_app.extensions["settings"]))
    for area, sentence in found:
        say(f"{area}: {sentence}")
    if found:
        raise click.exceptions.Exit(1)
    click.echo(f"Nothing is wrong here: {', '.join(AREAS)}.")


def examined(settings: Settings) -> Iterator[tuple[str, str]]:
    """Yield each area and a sentence of what is wrong there, as far as the database can be read."""
    yield from (("settings", sentence) for sentence in _settings(settings))
    yield from _disk(settings)
    yield from (("proxy", sentence) for sentence in _proxy(settings))
    yield from _mail(settings)
    try:
        fault = schema.fault(db.session.connection())
        if fault is not None:
            yield "schema", fault
        else:
            yield from _stored()
    except (Busy, SQLAlchemyError) as error:
        reason = str(getattr(error, "orig", error)).partition("\n")[0]
        yield "database", f"It can’t be read: {reason}"


def _settings(settings: Settings) -> Iterator[str]:
    if settings.public_url is None and (settings.mail_url or settings.host not in LOOPBACK):
        yield "PUBLIC_URL isn’t set, so links in emails don’t lead here, and cookies go over plain http."
    elif not settings.https and not settings.at_home:
        yield "PUBLIC_URL has no https, so others on the way can read passwords and cookies."
    secret = settings.instance_path / signing.FILE
    if secret.exists() and stat.S_IMODE(secret.stat().st_mode) & 0o077:
        yield f"Others can read {secret}. Run chmod 600 on it."
    named = os.environ.get("NINEFOLD_CACHE")
    if named and warm.cache_folder() != Path(named).expanduser():
        yield f"NINEFOLD_CACHE isn’t used: {named} belongs to another user, or others can write there."


def _disk(settings: Settings) -> Iterator[tuple[str, str]]:
    if not health.has_space(settings):
        yield "disk", f"Less than {health.LEAST_DISK // 2**20} MB are free at {settings.instance_path}."
    if settings.database_url.startswith("sqlite") and sqlite_module()[1] != "WAL":
        yield (
            "disk",
            "This SQLite isn’t safe in WAL mode, so a slower journal is used. See docs/operations.md.",
        )


def _proxy(settings: Settings) -> Iterator[str]:
    yield from security.proxy_warnings(settings)
    if settings.public_url is None:
        return
    try:
        with build_opener(ProxyHandler({})).open(f"{settings.public_url}/healthz", timeout=PATIENCE) as there:
            status, date = there.status, there.headers.get("Date")
            said, _, version = there.read(100).decode(errors="replace").partition(" ")
    except HTTPError as error:
        status, said = error.code, ""
    except (OSError, HTTPException) as error:
        yield f"{settings.public_url} doesn’t answer: {getattr(error, 'reason', error)}."
        return
    if said != "ok":
        yield f"{settings.public_url} is answered by something else: status {status} for /healthz."
        return
    if version != __version__:
        yield f"The site still runs {version}, and this is {__version__}. Restart it."
    if date is not None and abs(parsedate_to_datetime(date) - utcnow()) > OFF:
        yield f"The clock there and the clock here differ: {date} there, {utcnow():%H:%M:%S} here (UTC)."


def _mail(settings: Settings) -> Iterator[tuple[str, str]]:
    if settings.mail_url is None:
        if settings.public_url is not None and not settings.at_home:
            yield "mail", "MAIL_URL isn’t set, so nobody can reset a forgotten password by email."
        return
    try:
        mail.check(settings.mail_url)
    except Refused as error:
        yield "mail", f"The mail server can’t be used: {error}."


def _stored() -> Iterator[tuple[str, str]]:
    """Yield what the database tells of, once its schema is this release's."""
    last = keeping.last()
    if last is None:
        yield "backups", "There is no backup. Run flask backup --into FOLDER every hour."
    elif now() - last.made_at > BACKUP_DUE:
        yield "backups", f"The last backup is of {last.made_at:%Y-%m-%d %H:%M} (UTC)."
    if not workers.seen_lately(now()):
        yield "worker", "No worker is running. Start flask worker, or flask serve."
    for job, count in failures.counts().items():
        given_up = f"The job {job} gave up work {count:,} times, after three failures each."
        yield "worker", f"{given_up} See the worker’s log."
    days = metrics.scheduled_ahead()
    if days < FEW_DAYS:
        few = f"Only the next {days} days have all their dailies."
        yield "dailies", f"{few} The worker schedules more, if it runs."
    if not curators.has_administrator():
        yield "curators", "There is no administrator. Run flask curators add NAME --role administrator."
    latest = db.session.scalar(sa.select(sa.func.max(Attempt.started_at)))
    if latest is not None and latest > now() + AHEAD:
        yield (
            "clock",
            f"A game was started in the future, at {latest:%Y-%m-%d %H:%M} (UTC). Check this clock.",
        )
    if db.engine.dialect.name == "postgresql":
        there = db.session.scalar(sa.select(sa.func.clock_timestamp()))
        if there is not None and abs(there - utcnow()) > OFF:
            times = f"{there:%H:%M:%S} there, {utcnow():%H:%M:%S} here (UTC)"
            yield "clock", f"The database’s clock differs: {times}."
    found = outbox.counts(now())
    if found["waiting"] or found["failed"]:
        mails = f"{found['waiting']:,} mails wait, and {found['failed']:,} of the last day failed."
        yield "mails", f"{mails} See the log."
