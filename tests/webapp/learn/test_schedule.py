"""The schedule of practice: what is due, what comes next, when a technique is mastered. No database."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from fsrs import Card, Rating
from fsrs import State as Phase
from hypothesis import given
from hypothesis import strategies as st

from webapp.learn.practice.schedule import (
    AT_ONCE,
    Kind,
    choose,
    days_until,
    due,
    is_due,
    kind_for,
    reviewed,
    state_of,
)
from webapp.learn.state import State

NOW = datetime(2026, 3, 1, 20, tzinfo=UTC)
PATH = ("naked_pair", "pointing", "x_wing", "skyscraper", "xy_wing")
RATINGS = st.sampled_from([Rating.Again, Rating.Hard, Rating.Good])


def settled(due_in: timedelta, stability: float = 5.0) -> Card:
    """Return a card that is past its learning steps."""
    return Card(0, Phase.Review, None, stability, 5.0, NOW + due_in, NOW - timedelta(days=stability))


def learned(*ratings: Rating) -> Card:
    """Return a card with these answers, each given when it was due."""
    card, now = None, NOW
    for rating in ratings:
        card = reviewed(card, rating, now)
        now = card.due
    assert card is not None
    return card


def test_a_technique_found_twice_today_comes_again_on_another_day() -> None:
    first = reviewed(None, Rating.Good, NOW)
    assert first.due == NOW + timedelta(minutes=2)
    second = reviewed(first, Rating.Good, first.due)
    assert second.due - first.due == timedelta(days=2)


def test_a_wrong_answer_brings_it_back_within_the_session() -> None:
    for card in (None, learned(Rating.Good), learned(Rating.Good, Rating.Good, Rating.Good)):
        now = NOW + timedelta(days=20)
        assert reviewed(card, Rating.Again, now).due <= now + timedelta(minutes=2)


def test_mastered_takes_weeks_of_right_answers_and_ends_with_a_lapse() -> None:
    states = [state_of(learned(*[Rating.Good] * count)) for count in range(1, 6)]
    assert states == [State.PRACTICED] * 3 + [State.MASTERED] * 2
    assert learned(*[Rating.Good] * 4).last_review == NOW + timedelta(days=13, minutes=2)
    assert state_of(learned(*[Rating.Good] * 5, Rating.Again)) is State.PRACTICED


def test_nobody_masters_a_technique_in_a_day() -> None:
    card = None
    for minute in range(0, 600, 5):
        card = reviewed(card, Rating.Good, NOW.replace(hour=1) + timedelta(minutes=minute))
        assert state_of(card) is State.PRACTICED


def test_a_settled_card_is_due_from_the_first_minute_of_its_day() -> None:
    """22:00 on March 2 is due from that morning, in the player's time zone."""
    card = settled(timedelta(hours=26))
    assert not is_due(card, NOW, UTC)
    assert is_due(card, NOW.replace(day=2, hour=0), UTC)
    tokyo = ZoneInfo("Asia/Tokyo")  # where it is March 3, 7:00
    assert not is_due(card, NOW.replace(day=2, hour=14, minute=59), tokyo)
    assert is_due(card, NOW.replace(day=2, hour=15), tokyo)


def test_a_card_being_learned_is_due_at_its_minute() -> None:
    card = reviewed(None, Rating.Good, NOW)
    assert not is_due(card, card.due - timedelta(seconds=1), UTC)
    assert is_due(card, card.due, UTC)


def test_days_are_counted_where_the_player_is() -> None:
    card = settled(timedelta(hours=5))  # 1:00 at night, in UTC
    assert days_until(card, NOW, UTC) == 1
    assert days_until(card, NOW, ZoneInfo("America/New_York")) == 0
    assert days_until(settled(timedelta(days=-3)), NOW, UTC) == 0


def test_what_is_learned_comes_before_what_is_repeated_and_that_by_risk() -> None:
    cards = {
        "x_wing": settled(timedelta(0), stability=20),
        "pointing": settled(timedelta(days=-30), stability=3),
        "naked_pair": reviewed(None, Rating.Again, NOW - timedelta(minutes=1)),
        "xy_wing": settled(timedelta(days=3)),
    }
    cards["pointing"].last_review = NOW - timedelta(days=33)
    assert due(cards, NOW, UTC) == ["naked_pair", "pointing", "x_wing"]


def test_a_beginner_starts_at_the_beginning_of_the_path() -> None:
    assert choose({}, PATH, [], NOW, UTC) == PATH[0]


def test_without_drills_there_is_nothing_to_choose() -> None:
    assert choose({"x_wing": settled(timedelta(0))}, (), [], NOW, UTC) is None


def test_what_is_due_comes_before_anything_new() -> None:
    assert choose({"xy_wing": settled(timedelta(0))}, PATH, [], NOW, UTC) == "xy_wing"


def test_no_more_are_learned_at_once_than_can_be() -> None:
    cards = {key: reviewed(None, Rating.Good, NOW) for key in PATH[:AT_ONCE]}
    assert choose(cards, PATH, [], NOW, UTC) in cards
    assert choose({PATH[0]: cards[PATH[0]]}, PATH, [], NOW, UTC) == PATH[1]


def test_what_was_only_recognized_comes_again_in_the_session() -> None:
    assert choose({}, PATH, [PATH[0], PATH[1]], NOW, UTC) == PATH[0]


def test_one_technique_can_fill_a_session() -> None:
    assert choose({}, ["x_wing"], ["x_wing"], NOW, UTC) == "x_wing"


@given(st.lists(RATINGS, min_size=1, max_size=40))
def test_a_session_never_repeats_a_technique_while_there_are_others(ratings: list[Rating]) -> None:
    cards: dict[str, Card] = {}
    asked: list[str] = []
    for minute, rating in enumerate(ratings):
        now = NOW + timedelta(seconds=20 * minute)
        key = choose(cards, PATH, asked, now, UTC)
        assert key is not None and asked[-1:] != [key]
        cards[key] = reviewed(cards.get(key), rating, now)
        asked.append(key)


@given(st.lists(RATINGS, min_size=1, max_size=30))
def test_a_card_is_due_after_its_review_and_within_a_year(ratings: list[Rating]) -> None:
    card, now = None, NOW
    for rating in ratings:
        card = reviewed(card, rating, now)
        assert timedelta(0) < card.due - now <= timedelta(days=365)
        now = card.due


def test_a_technique_is_recognized_then_found_then_found_without_its_name() -> None:
    assert kind_for(None, [], met=False) is Kind.THERE
    assert kind_for(None, [Kind.THERE], met=True) is Kind.FIND
    assert kind_for(learned(Rating.Again), [], met=False) is Kind.FIND
    for card in (learned(Rating.Good), settled(timedelta(0))):
        assert kind_for(card, [], met=False) is Kind.NEXT


@given(st.lists(RATINGS, min_size=1, max_size=30))
def test_no_three_drills_in_a_row_are_to_be_found(ratings: list[Rating]) -> None:
    asked: list[Kind] = []
    for number in range(1, len(ratings) + 1):
        asked.append(kind_for(learned(*ratings[:number]), asked, met=False))
    assert all(Kind.THERE in asked[at : at + 3] for at in range(len(asked) - 2))
