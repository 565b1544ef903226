"""Starts: a game at a level, a technique, a daily, the next puzzle, a puzzle of the bank, or an entered one.

Owns its transactions. Notifies capabilities of each new game.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import date, datetime
from functools import partial
from typing import Any, Final

import sqlalchemy as sa

import engine
from webapp import capability
from webapp.bank import bank, offer, ratings, systems, to_order
from webapp.competition.daily import dailies
from webapp.game import tour
from webapp.game.moves import MOST_CELLS
from webapp.game.steps.names import technique_name
from webapp.identity import costs, limits, players
from webapp.models import Attempt, Player, Puzzle, Status
from webapp.play import entered, suggestion
from webapp.process.database import db
from webapp.process.errors import BadPuzzle, BadStart, NoPuzzle, NotFound
from webapp.process.words import gettext as _

FIRST: Final = "first"  # stands for the id of a newcomer's guided game in addresses, before it begins, too
FEWEST_MINUTES: Final = 1  # that a player may ask for
MOST_MINUTES: Final = 90


def at_level(player_id: int | None, level: int, now: datetime) -> Attempt:
    """Start an attempt at a puzzle of a level; creates a guest if there is no player yet."""
    none_left = _("You’ve played every puzzle at this level. We’re making more, so try again in a minute.")
    draw = partial(offer.draw, level)
    return _drawn_or_made(player_id, now, Attempt.level == level, draw, None, none_left)


def by_technique(player_id: int | None, hardest: str | None, must: str | None, now: datetime) -> Attempt:
    """Start an attempt at a puzzle that needs no harder technique than `hardest` and needs `must`.

    None: no such requirement. If the bank has none left, one whose hardest technique is the requested one is
    generated. Raises NoPuzzle if that takes longer than a request waits, and BadPuzzle if the two contradict.
    If both are the same, it is a whole puzzle to practice a technique with: its solve counts as practice.
    """
    keys = list(engine.TECHNIQUES)
    technique = must if must == hardest else None
    if hardest is not None and must is not None and keys.index(must) > keys.index(hardest):
        raise BadPuzzle(
            _(
                "%(must)s is harder than %(limit)s. Raise the limit or choose another technique.",
                must=technique_name(must),
                limit=technique_name(hardest),
            )
        )
    wanted = must or hardest
    if wanted is None:
        none_left = _("You’ve played every puzzle we have. We’re making more, so try again in a minute.")
    else:
        name = technique_name(wanted)
        none_left = _("We’re making a puzzle for you: %(name)s. Try again in a moment.", name=name)
    return _drawn_or_made(
        player_id,
        now,
        Attempt.puzzle.has(offer.within(hardest, must)),
        partial(offer.draw_by, hardest, must),
        partial(to_order.made_for, wanted, now) if wanted else None,
        none_left,
        technique=technique,
    )


def by_system(player_id: int | None, system: str, now: datetime) -> Attempt:
    """Start an attempt at a puzzle of a published system at a level, such as a3.

    If the bank has none left, one is made. Raises NoPuzzle if that takes longer than a request waits, and
    BadPuzzle for an unknown one.
    """
    if system not in systems.RECIPES:
        raise BadPuzzle(_("system: expected one like a3, found “%(found)s”", found=system[:20]))
    of_system = Attempt.puzzle.has(Puzzle.system == system)
    draw, make = partial(systems.draw, system), partial(to_order.made_by, system, now)
    none_left = _("We’re making a puzzle for you. Try again in a moment.")
    return _drawn_or_made(player_id, now, of_system, draw, make, none_left)


def at_daily(
    player_id: int | None,
    day: date,
    level: int,
    now: datetime,
    steady: str,
    *,
    ranked: bool,
) -> Attempt:
    """Start an attempt at a released daily, or resume it; `steady` is the reading of the steady clock.

    A ranked one is the player's first and only such attempt at this puzzle: raises BadStart if it can't be.
    Raises NotYet before the release, and NotFound if there is no such daily.
    """
    daily = dailies.released(day, level, now)
    with players.one_at_a_time(player_id, now) as mine:
        entry = dailies.entry_of(daily, mine, now)
        if entry.daily.withdrawn and entry.state != "playing":
            raise BadStart(entry.unrankable)
        if ranked:
            before = next((attempt for attempt in entry.attempts if attempt.ranked), None)
            if before is not None:
                return before
            if entry.unrankable:
                raise BadStart(entry.unrankable)
        columns = {
            "daily": entry.daily,
            "level": entry.daily.level,
            "ranked": ranked,
            "steady_start": steady,
        }
        return _start(mine, entry.daily.puzzle, now, columns)


def at_next(player_id: int | None, shift: str, now: datetime) -> Attempt:
    """Start an attempt at the puzzle that suits this player best.

    shift: "", "easier" or "harder". Raises BadPuzzle for another, and NoPuzzle if none is left.
    """
    if shift not in suggestion.SHIFTS:
        raise BadPuzzle(_("shift: expected easier, harder or nothing, found “%(found)s”", found=shift[:20]))
    level, seconds = suggestion.level_and_seconds(player_id, shift)
    puzzle_id = None if seconds is None else suggestion.nearest(player_id, seconds, level)
    if puzzle_id is not None:
        with suppress(NotFound):  # it has just become a daily
            return at_puzzle(player_id, puzzle_id, now)
    for other in sorted(bank.LEVELS, key=lambda other: abs(other - level)):
        with suppress(NoPuzzle):
            return at_level(player_id, other, now)
    raise NoPuzzle(_("You’ve played every puzzle we have. We’re making more, so try again in a minute."))


def at_minutes(player_id: int | None, minutes: str, now: datetime) -> Attempt:
    """Start an attempt at the puzzle whose expected time is nearest, or at the next one where none is known.

    Raises BadPuzzle for minutes out of bounds, and NoPuzzle.
    """
    if not (minutes.isascii() and minutes.isdigit() and FEWEST_MINUTES <= int(minutes) <= MOST_MINUTES):
        raise BadPuzzle(
            _(
                "Choose from %(least)s to %(most)s minutes, not “%(found)s”.",
                least=FEWEST_MINUTES,
                most=MOST_MINUTES,
                found=minutes[:20],
            )
        )
    puzzle_id = suggestion.nearest(player_id, 60.0 * int(minutes))
    return at_next(player_id, "", now) if puzzle_id is None else at_puzzle(player_id, puzzle_id, now)


def at_puzzle(player_id: int | None, puzzle_id: int, now: datetime) -> Attempt:
    """Start an attempt at an approved puzzle."""
    with players.one_at_a_time(player_id, now) as mine:
        return _start(mine, offer.puzzle_of(puzzle_id, Status.APPROVED, lock=True), now)


def at_grid(player_id: int | None, text: str, now: datetime) -> Attempt:
    """Start an attempt at an entered puzzle.

    Raises BadPuzzle, and BadStart for an open daily or a grid derived from a game in play.
    """
    entry = entered.check(text, player_id, now)
    if entry.open_daily or entry.in_play:
        raise BadStart(entry.reason)
    if entry.grid is None or not entry.playable:
        raise BadPuzzle(entry.reason)
    rating = ratings.rating_of(entry.grid, patience=0.5)
    with players.one_at_a_time(player_id, now) as mine:
        return _start(mine, bank.entered(entry.grid, now, rating), now)


def _drawn_or_made(
    player_id: int | None,
    now: datetime,
    which: sa.ColumnElement[bool],
    draw: Callable[[int | None], Puzzle | None],
    make: Callable[[], Puzzle | None] | None,
    none_left: str,
    **about: Any,
) -> Attempt:
    """Start an attempt at a puzzle drawn from the bank, or else made for the player.

    which: whether an attempt is at such a puzzle. Raises NoPuzzle with `none_left` if neither brings one.
    """
    with players.one_at_a_time(player_id, now) as mine:
        drawn = _just_begun(mine, now, which) or draw(mine)
        if drawn is not None:
            return drawn if isinstance(drawn, Attempt) else _start(mine, drawn, now, **about)
    made = make() if make is not None else None
    if made is None:
        raise NoPuzzle(none_left)
    with players.one_at_a_time(player_id, now) as mine:
        return _just_begun(mine, now, which) or _start(mine, bank.add_or_find(made), now, **about)


def _just_begun(player_id: int | None, now: datetime, *which: sa.ColumnElement[bool]) -> Attempt | None:
    """Return the game that this form began a moment ago, if it has come twice; a move tells it was meant."""
    begun = (
        Attempt.player_id == player_id,
        Attempt.started_at > now - players.AT_ONCE,
        Attempt.last_seq == 0,
        Attempt.daily_id.is_(None),
        Attempt.turn.is_(None),
    )
    return db.session.scalar(sa.select(Attempt).where(*begun, *which).limit(1))


def first_of(player_id: int | None) -> Attempt | None:
    """Return a player's latest guided game, or None."""
    if player_id is None:
        return None
    own = sa.select(Attempt).join(Attempt.puzzle).where(Puzzle.givens == tour.GIVENS)
    own = own.where(Attempt.player_id == player_id).order_by(Attempt.started_at.desc())
    return db.session.scalars(own.limit(1)).first()


def _start(
    player_id: int | None,
    puzzle: Puzzle,
    now: datetime,
    columns: Mapping[str, Any] | None = None,
    **about: Any,
) -> Attempt:
    """Resume the open game at a puzzle, or start one with these columns and notify the capabilities."""
    open_one = db.session.scalar(
        sa.select(Attempt).where(
            Attempt.player_id == player_id,
            Attempt.puzzle_id == puzzle.id,
            Attempt.finished_at.is_(None),
            Attempt.log_length < MOST_CELLS,  # a longer one is started anew
        )
    )
    if open_one is not None:
        return open_one
    costs.spend(limits.GAMES)
    player = db.session.get(Player, player_id) if player_id is not None else None
    if player is None:
        player = players.new_guest(now)
    if puzzle.first_started_at is None:
        puzzle.first_started_at = now
    common = {"player": player, "puzzle": puzzle, "level": puzzle.level, "started_at": now, "updated_at": now}
    attempt = Attempt(**common | dict(columns or {}))
    db.session.add(attempt)
    db.session.flush()  # a new guest gets an id
    capability.started(attempt, now, **about)
    return attempt
