"""What a process remembers of the races that pages ask for: at most FRESH old, and read all at once.

Every racer asks every two seconds. The first to ask after FRESH reads all races that anyone has asked for
lately in one query, so 500 racers cost a process three queries a second. Meanwhile the others get what is
there.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from threading import Lock
from typing import Final

from webapp.competition.races import races, standings
from webapp.competition.races.standings import Standings

FRESH: Final = timedelta(seconds=0.3)
WATCHED: Final = timedelta(seconds=10)  # since a page asked last; one asks every five seconds at least


@dataclass(slots=True)
class _Race:
    standings: Standings
    read_at: datetime
    asked_at: datetime


class Recent:
    """The races of one process. Any thread may ask."""

    def __init__(self) -> None:
        self._races: dict[str, _Race] = {}
        self._reading = Lock()

    def known(self, key: str, now: datetime) -> Standings | None:
        """Return standings that need not be read; a little older ones while another thread reads."""
        return self._younger(key, now, 2 * FRESH if self._reading.locked() else FRESH)

    def of(self, key: str, now: datetime) -> Standings:
        """Return the standings of a race, read if need be. Raises NotFound."""
        found = self.known(key, now)
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
        # One that nobody has asked for yet is read alone: keys that are made up cost no more.
        found = standings.read(watched if key in watched else [key])
        if key not in found:
            return standings.of(races.of_key(key))
        for each, read in found.items():
            before = watched.get(each)
            if before is None:
                watched[each] = _Race(read, now, now)
            else:  # what has not changed stays the same object, whose digest is known
                same = before.standings == read
                watched[each] = _Race(before.standings if same else read, now, before.asked_at)
        self._races = watched
        return watched[key].standings
