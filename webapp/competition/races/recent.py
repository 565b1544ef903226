"""A process's cache of the races that pages poll: at most FRESH old, and refreshed all at once.

Every racer polls every two seconds. The first request after FRESH reads all recently requested races in one
query, so 500 racers cost a process three queries a second. Meanwhile other requests get the cached state.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from threading import Lock
from typing import Final

from flask import current_app

from webapp.competition.races import races, standings
from webapp.competition.races.standings import Standings

FRESH: Final = timedelta(seconds=0.3)
WATCHED: Final = timedelta(seconds=10)  # since the last request; pages poll every five seconds at least


@dataclass(slots=True)
class _Race:
    standings: Standings
    read_at: datetime
    asked_at: datetime


def recent() -> Recent:
    """Return this process's cache of races."""
    found: Recent = current_app.extensions.setdefault("recent_races", Recent())
    return found


class Recent:
    """The cached races of one process; thread-safe."""

    def __init__(self) -> None:
        self._races: dict[str, _Race] = {}
        self._reading = Lock()

    def of(self, key: str, now: datetime) -> Standings:
        """Return the standings of a race, reading them if necessary. Raises NotFound."""
        # While another thread reads, serve slightly older ones.
        found = self._younger(key, now, 2 * FRESH if self._reading.locked() else FRESH)
        if found is not None:
            return found
        with self._reading:
            found = self._younger(key, now, FRESH)
            return found or self._read(key, now)

    def _younger(self, key: str, now: datetime, age: timedelta) -> Standings | None:
        race = self._races.get(key)
        if race is None or not timedelta() <= now - race.read_at < age:
            return None
        race.asked_at = now
        return race.standings

    def _read(self, key: str, now: datetime) -> Standings:
        watched = {each: race for each, race in self._races.items() if now - race.asked_at < WATCHED}
        # Read an unknown key alone, so that invented keys cost nothing more.
        found = standings.read(watched if key in watched else [key])
        if key not in found:
            return standings.of(races.of_key(key))
        for each, read in found.items():
            before = watched.get(each)
            if before is None:
                watched[each] = _Race(read, now, now)
            else:  # keep the same object if unchanged: its digest is cached
                same = before.standings == read
                watched[each] = _Race(before.standings if same else read, now, before.asked_at)
        self._races = watched
        return watched[key].standings
