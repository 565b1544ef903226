"""When a technique is repeated: FSRS on one card for each technique of a player. Pure; time is passed in.

FSRS (Free Spaced Repetition Scheduler, version 6, from the package `fsrs`) estimates how long a memory lasts.
`stability` is the number of days after which recall has a probability of 90 %, and the card is due then. The
package's default weights are used, fitted by its authors to many people's reviews.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, time, timedelta, tzinfo
from enum import StrEnum
from typing import Final

from fsrs import Card, Rating, Scheduler
from fsrs import State as Phase

from webapp.learn.state import State

# A session has time for both steps, so a new technique is found twice on its first day.
SCHEDULER: Final = Scheduler(
    learning_steps=(timedelta(minutes=1), timedelta(minutes=2)),
    relearning_steps=(timedelta(minutes=2),),
    maximum_interval=365,
    enable_fuzzing=False,  # a player has too few cards for many of them to be due on one day
)
MASTERED: Final = 21.0  # days of stability; a first correct answer gives 2
FOUND_IN_A_ROW: Final = 2  # drills that are to be found before one is to be recognized
AT_ONCE: Final = 2  # techniques learned at the same time; the next one waits until one of them is settled


class Kind(StrEnum):
    """The question of a drill."""

    FIND = "find"  # mark what the technique places or removes
    THERE = "there"  # is the technique there? It is in half of the positions
    NEXT = "next"  # mark what a technique places or removes that isn't named


def reviewed(card: Card | None, rating: Rating, now: datetime) -> Card:
    """Return the card after a drill; without a card so far, a first one."""
    return SCHEDULER.review_card(card or Card(card_id=0, due=now), rating, now)[0]


def state_of(card: Card) -> State:
    """Return the state of a card's technique; a lapse removes mastery."""
    lasts = card.state is Phase.Review and card.stability is not None and card.stability >= MASTERED
    return State.MASTERED if lasts else State.PRACTICED


def is_due(card: Card, now: datetime, zone: tzinfo) -> bool:
    """Whether a card is due: while learning, at its minute; later, for its whole day."""
    return card.due <= (_end_of_day(now, zone) if card.state is Phase.Review else now)


def _end_of_day(now: datetime, zone: tzinfo) -> datetime:
    tomorrow = now.astimezone(zone).date() + timedelta(days=1)
    return datetime.combine(tomorrow, time(), zone) - timedelta(microseconds=1)


def days_until(card: Card, now: datetime, zone: tzinfo) -> int:
    """Return in how many of the player's days a card is due; 0 for today or overdue."""
    return max(0, (card.due.astimezone(zone).date() - now.astimezone(zone).date()).days)


def due(cards: Mapping[str, Card], now: datetime, zone: tzinfo) -> list[str]:
    """Return the techniques to repeat: those being learned first, then the most likely forgotten."""
    waiting = [key for key, card in cards.items() if is_due(card, now, zone)]
    return sorted(waiting, key=lambda key: _urgency(cards[key], now))


def _urgency(card: Card, now: datetime) -> tuple[bool, float, datetime]:
    settled = card.state is Phase.Review
    return settled, SCHEDULER.get_card_retrievability(card, now) if settled else 0.0, card.due


def choose(
    cards: Mapping[str, Card], path: Sequence[str], asked: Sequence[str], now: datetime, zone: tzinfo
) -> str | None:
    """Return the technique of the next drill in a session; None if `path` is empty.

    cards: the player's, by technique. path: every technique with drills, in the order to learn them, those
    that the player has seen first. asked: those of the session so far.

    Due techniques come first, then a new one if fewer than AT_ONCE are being learned, then what is due
    soonest. No technique comes twice in a row if there is another.
    """
    known = {key: card for key, card in cards.items() if key in path}
    # "Is it there?" can leave a technique without a card: it is repeated in the same session.
    begun = [key for key in dict.fromkeys(asked) if key in path and key not in known]
    fresh = [key for key in path if key not in known and key not in begun]
    learning = [key for key, card in known.items() if card.state is Phase.Learning]
    new = fresh[:1] if len(begun) + len(learning) < AT_ONCE else []
    later = sorted(known, key=lambda key: (known[key].state is Phase.Review, known[key].due))
    order = [*begun, *due(known, now, zone), *new, *later, *fresh]
    apart = [key for key in order if not asked or key != asked[-1]]
    return next(iter(apart or order), None)


def kind_for(card: Card | None, asked: Sequence[Kind], *, met: bool) -> Kind:
    """Return what to ask about a technique in a session.

    A player recognizes a new technique once before having to find it, and no longer sees its name once they
    have. One of three drills in a row asks whether it is there.

    asked: the kinds of the session so far.  met: whether the technique was part of it.
    """
    if card is None and not met:
        return Kind.THERE
    if len(asked) >= FOUND_IN_A_ROW and Kind.THERE not in asked[-FOUND_IN_A_ROW:]:
        return Kind.THERE
    found = card is not None and (card.state is Phase.Review or bool(card.step))
    return Kind.NEXT if found else Kind.FIND
