"""Races: create, join by link, start, play, rematch. Owns its transactions.

Everyone gets the same puzzle of the bank, new to all of them, but transformed differently for each. Every
clock runs from the start of the race, whenever a racer opens their game, and can't be paused. Racers rank by
the order in which the server receives their last moves; a solve with help or under review has no place. A
race is on no leaderboard. It changes a rating like any other first solve, but only without help.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any, Final

import sqlalchemy as sa

from webapp.bank import bank, breakdown, offer, to_order
from webapp.competition.races.tables import Race, Racer
from webapp.identity import costs, limits, names, players, texts
from webapp.identity.players import plain
from webapp.models import Attempt, Player, Puzzle
from webapp.models.attempt import PUBLIC_ID
from webapp.process.database import db, rows_changed, write_tx
from webapp.process.errors import BadInput, BadStart, NoPuzzle, NotFound, NotYet
from webapp.process.words import gettext as _

LONGEST_NAME: Final = 20
MOST_RACERS: Final = 10
MOST_LISTED: Final = 8  # races on a player's page
COUNTDOWN: Final = timedelta(seconds=10)  # every page polls within three
LASTS: Final = timedelta(hours=1)
KEPT: Final = timedelta(days=30)


def create(player_id: int | None, name: str, level: int, now: datetime) -> tuple[Race, Player]:
    """Create a race and its first racer; creates a guest if there is no player yet. Raises BadInput.

    name: a guest's choice, here and below.
    """
    if level not in bank.LEVELS:
        raise BadInput(level=_("Choose a level."))
    with write_tx():
        costs.spend(limits.GAMES)
        race = Race(level=level, created_at=now)
        db.session.add(race)
        db.session.flush()
        return race, _enter(race, player_id, name, now)


def of_key(key: str, *, lock: bool = False) -> Race:
    """Return the race with this key. Raises NotFound."""
    query = sa.select(Race).where(Race.key == key)
    race = db.session.scalar(query.with_for_update() if lock else query) if PUBLIC_ID.fullmatch(key) else None
    if race is None:
        raise NotFound(_("We couldn’t find that race. Ask for a new link."))
    return race


def of_player(player_id: int | None) -> list[Race]:
    """Return a player's latest races, newest first."""
    if player_id is None:
        return []
    query = sa.select(Race).join(Racer).where(Racer.player_id == player_id).order_by(Race.created_at.desc())
    return list(db.session.scalars(query.limit(MOST_LISTED)))


def of_attempt(attempt_id: str) -> Race | None:
    """Return the race that a game belongs to."""
    return db.session.scalar(sa.select(Race).join(Racer).where(Racer.attempt_id == attempt_id))


def join(key: str, player_id: int | None, name: str, now: datetime) -> Player:
    """Join a race; idempotent. Raises NotFound, and BadInput for an invalid name or a full or started
    race.
    """
    with write_tx():
        return _enter(of_key(key, lock=True), player_id, name, now)


def _enter(race: Race, player_id: int | None, name: str, now: datetime) -> Player:
    player = db.session.get(Player, player_id) if player_id is not None else None
    inside = list(db.session.scalars(sa.select(Racer).where(Racer.race_id == race.id)))
    if player is not None and any(racer.player_id == player.id for racer in inside):
        return player
    if race.starts_at is not None:
        raise BadInput(race=_("This race has already started."))
    if len(inside) >= MOST_RACERS:
        raise BadInput(race=_("This race is full."))
    guest = player is None or player.name is None
    if player is not None and player.name is not None:
        name = player.name
    else:
        name = texts.checked("name", name, LONGEST_NAME, missing=_("Tell the others who you are."))
        if names.fold(name) in {names.fold(racer.name) for racer in inside}:
            raise BadInput(name=_("Someone in this race has that name. Try another."))
        players.refuse_names_of_accounts(name)
    if player is None:
        player = players.new_guest(now)
        db.session.flush()
    db.session.add(
        Racer(race_id=race.id, player_id=player.id, name=name, guest=guest, joined_at=now, tenths=0)
    )
    return player


def start(key: str, player_id: int | None, now: datetime) -> Race:
    """Start the countdown, as any of the racers; idempotent. Raises NotFound, TooMany and NoPuzzle.

    If the bank has no puzzle that is new to all of them, one is generated.
    """
    with write_tx():
        race = of_key(key, lock=True)
        _racer(race, player_id)
        if race.starts_at is not None:
            return race
        racers = sa.select(Racer.player_id).where(Racer.race_id == race.id)
        puzzle = offer.draw_for_all(race.level, list(db.session.scalars(racers)))
        if puzzle is not None:
            return _started(race, puzzle, now)
        level = race.level
    made = to_order.made_at(level, now)
    if made is None:
        raise NoPuzzle(_("We’re making a puzzle for your race. Try again in a moment."))
    with write_tx():
        race = of_key(key, lock=True)
        return race if race.starts_at is not None else _started(race, bank.add_or_find(made), now)


def _started(race: Race, puzzle: Puzzle, now: datetime) -> Race:
    if puzzle.first_started_at is None:
        puzzle.first_started_at = now
    race.puzzle_id, race.starts_at = puzzle.id, now + COUNTDOWN
    return race


def take_up(key: str, player_id: int | None, now: datetime) -> str:
    """Return the id of a racer's game, created by the first call.

    Raises NotFound for anyone else, NotYet before the start, and BadStart once the race is over.
    """
    with write_tx():
        race = of_key(key)
        racer = _racer(race, player_id, lock=True)
        if racer.attempt_id is not None:
            return racer.attempt_id
        if race.starts_at is None or race.puzzle_id is None or now < race.starts_at:
            wait = COUNTDOWN if race.starts_at is None else race.starts_at - now
            raise NotYet(_("The race hasn’t started yet."), wait)
        if now >= race.starts_at + LASTS:
            raise BadStart(_("This race is over."))
        puzzle = db.session.get_one(Puzzle, race.puzzle_id)
        attempt = Attempt(
            player_id=racer.player_id,
            puzzle_id=race.puzzle_id,
            turn=breakdown.random_transform(puzzle.givens).transformation,
            level=race.level,
            started_at=race.starts_at,
            updated_at=now,
        )
        db.session.add(attempt)
        db.session.flush()
        racer.attempt_id = attempt.id
        return attempt.id


def rematch(key: str, player_id: int | None, now: datetime) -> tuple[Race, Player]:
    """Return the rematch, created by the first racer to ask for it and joined by the caller.

    Raises NotFound, and BadInput as `join` does.
    """
    with write_tx():
        race = of_key(key, lock=True)
        racer = _racer(race, player_id)
        following = rematch_of(race, lock=True)
        if following is None:
            costs.spend(limits.GAMES)
            following = Race(level=race.level, created_at=now, rematch_of=race.id)
            db.session.add(following)
            db.session.flush()
        return following, _enter(following, racer.player_id, racer.name, now)


def rematch_of(race: Race, *, lock: bool = False) -> Race | None:
    """Return the rematch of this race."""
    query = sa.select(Race).where(Race.rematch_of == race.id)
    return db.session.scalar(query.with_for_update() if lock else query)


def _racer(race: Race, player_id: int | None, *, lock: bool = False) -> Racer:
    query = sa.select(Racer).where(Racer.race_id == race.id, Racer.player_id == player_id)
    racer = db.session.scalar(query.with_for_update() if lock else query)
    if racer is None:
        raise NotFound(_("You aren’t in this race."))
    return racer


def exported(player_id: int) -> list[dict[str, Any]]:
    """Return a player's races, for their data export."""
    query = (
        sa.select(Race.level, Racer.name, Racer.joined_at, Race.starts_at, Racer.attempt_id.label("attempt"))
        .join(Racer, Racer.race_id == Race.id)
        .where(Racer.player_id == player_id)
        .order_by(Racer.joined_at)
    )
    return plain(db.session.execute(query))


def forget(now: datetime) -> int:
    """Delete races created KEPT ago; the games stay. Returns how many."""
    with write_tx():
        return rows_changed(sa.delete(Race).where(Race.created_at < now - KEPT))
