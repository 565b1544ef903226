"""Feeds of the dailies: when a day opens or has opened, its levels and address; never a given."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta

import sqlalchemy as sa

from webapp.competition.daily.dailies import AHEAD, levels, opening, today
from webapp.models import Daily
from webapp.models.daily import SCHEDULED
from webapp.process.database import db

KEPT = timedelta(days=14)  # days before today that a calendar shows
MOST = 30  # days in a news feed
LINE = 75  # octets of a line of iCalendar, RFC 5545 3.1


@dataclass(frozen=True, slots=True)
class Opening:
    """A day's release."""

    date: date
    levels: tuple[int, ...]

    @property
    def opens_at(self) -> datetime:
        return opening(self.date)


@dataclass(frozen=True, slots=True)
class Event:
    """An entry of a calendar."""

    uid: str
    begin: datetime
    title: str
    text: str
    url: str


def released(now: datetime) -> list[Opening]:
    """Return the latest days that were released, newest first."""
    days = sa.select(Daily.date, Daily.level).where(
        SCHEDULED, Daily.date <= today(now), Daily.date > today(now) - timedelta(days=MOST)
    )
    found: dict[date, list[int]] = {}
    for day, level in db.session.execute(days.order_by(Daily.date.desc(), Daily.level)):
        found.setdefault(day, []).append(level)
    return [Opening(day, tuple(of_day)) for day, of_day in found.items()]


def around(now: datetime) -> list[Opening]:
    """Return the days around today, oldest first. A future day only announces its release."""
    first = today(now) - KEPT
    return [Opening(first + timedelta(days=number), levels()) for number in range((KEPT + AHEAD).days + 1)]


def icalendar(name: str, events: Iterable[Event], now: datetime) -> str:
    """Format events as iCalendar (RFC 5545): they block no time, and readers refresh twice a day."""
    lines = [
        "BEGIN:VCALENDAR",
        "VERSION:2.0",
        "PRODID:-//Ninefold//Dailies//EN",
        f"X-WR-CALNAME:{_escaped(name)}",
        "REFRESH-INTERVAL;VALUE=DURATION:PT12H",
        "X-PUBLISHED-TTL:PT12H",
    ]
    for event in events:
        lines += [
            "BEGIN:VEVENT",
            f"UID:{event.uid}",
            f"DTSTAMP:{_stamp(now)}",
            f"DTSTART:{_stamp(event.begin)}",
            f"SUMMARY:{_escaped(event.title)}",
            f"DESCRIPTION:{_escaped(event.text)}",
            f"URL:{event.url}",
            "TRANSP:TRANSPARENT",
            "END:VEVENT",
        ]
    return "".join(f"{part}\r\n" for line in [*lines, "END:VCALENDAR"] for part in _folded(line))


def _stamp(at: datetime) -> str:
    return f"{at.astimezone(UTC):%Y%m%dT%H%M%SZ}"


def _escaped(text: str) -> str:
    for character in "\\;,":
        text = text.replace(character, f"\\{character}")
    return text.replace("\n", "\\n")


def _folded(line: str) -> Iterator[str]:
    """Fold a line after at most LINE octets, never inside a character; continuations begin with a space."""
    part = ""
    for character in line:
        if len((part + character).encode()) > LINE:
            yield part
            part = " "
        part += character
    yield part
