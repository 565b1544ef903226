"""Made-up players: their logs are legal, people keep the pace of their skill, kinds do as they say."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable
from datetime import UTC, datetime
from functools import cache
from itertools import pairwise
from statistics import median, pstdev

import pytest

import engine
from tests.players import (
    CHEATS,
    HONEST,
    LATER,
    NEWCOMERS,
    OTHERS,
    PLAYERS,
    STRANGERS,
    Log,
    Player,
    Standing,
    logs,
    puzzles,
)
from tests.players.log import HELP
from webapp.game.board import Board
from webapp.game.moves import MOST_CELLS, Kind

NOW = datetime(2026, 3, 1, tzinfo=UTC)
EACH = 5  # logs of a kind: one a level for those who play them all
NAMES = sorted(PLAYERS)

pytestmark = pytest.mark.xdist_group("players")


@cache
def made(name: str) -> tuple[Log, ...]:
    return tuple(logs(PLAYERS[name], EACH, 19))


def kinds(log: Log) -> Counter[Kind]:
    return Counter(move.kind for move in log.moves)


def marks_before_digits(log: Log) -> int:
    """How many marks were written before the first digit."""
    first = next(at for at, move in enumerate(log.moves) if move.kind is Kind.DIGIT)
    return sum(move.kind in (Kind.CORNER, Kind.CENTRE) for move in log.moves[:first])


def waits(log: Log) -> list[float]:
    return [after - at for at, after in pairwise(log.received)]


def test_sixty_puzzles_twelve_a_level() -> None:
    assert Counter(puzzle.level for puzzle in puzzles()) == dict.fromkeys((1, 2, 3, 4, 5), 12)
    assert len({puzzle.givens for puzzle in puzzles()}) == 60


def test_there_are_enough_kinds() -> None:
    assert len(HONEST) >= 12
    assert len(CHEATS) >= 20
    assert Counter((*HONEST, *CHEATS, *LATER, *OTHERS, *STRANGERS, *NEWCOMERS)) == Counter(PLAYERS.values())
    assert all(player.told.endswith(".") for player in PLAYERS.values())


@pytest.mark.parametrize("name", NAMES)
def test_a_log_is_legal_and_solves_its_puzzle_with_its_last_move(name: str) -> None:
    for own in made(name):
        for log in (own, *own.before):
            board = Board.of(engine.parse(log.puzzle.givens))
            for seq, move in enumerate(log.moves, 1):
                assert move.seq == seq
                board = board.after(move, NOW)  # raises where it is refused, or comes after the solution
            assert board.solved
            assert sum(move.length for move in log.moves) < MOST_CELLS
            assert len(log.received) == len(log.moves)
            assert log.received[0] >= 0
            assert log.received == sorted(log.received)


@pytest.mark.parametrize("name", NAMES)
def test_a_seed_gives_the_same_log_again_and_another_seed_another(name: str) -> None:
    first = made(name)[0]
    assert PLAYERS[name].play(first.puzzle, 19) == first
    assert PLAYERS[name].play(first.puzzle, 20).received != first.received


@pytest.mark.parametrize(
    "player", [player for player in HONEST if player.paces], ids=lambda player: player.name
)
def test_honest_players_keep_the_pace_of_their_skill(player: Player) -> None:
    assert player.paces is not None
    low, high = player.paces
    for log in made(player.name):
        assert log.pace > 0.6 * low
    usual = median(log.pace for log in made(player.name))
    away = player.name in ("distracted", "phone_underground")  # the clock ran while they did not play
    assert 0.8 * low < usual < (4.0 if away else 1.25) * high


def test_honest_players_spread_as_far_as_people_do() -> None:
    """0.5 in ln seconds between players, as docs/expected-time.md assumes."""
    paces = [
        math.log(each.pace) for player in HONEST if player.name != "distracted" for each in made(player.name)
    ]
    assert 0.4 < pstdev(paces) < 0.75


def test_no_two_kinds_play_alike() -> None:
    played = {
        tuple(move.cell for move in log.moves) + tuple(log.received) for name in NAMES for log in made(name)
    }
    assert len(played) == EACH * len(NAMES)


def test_only_those_who_say_so_use_the_help_of_the_site() -> None:
    assert {name for name in NAMES if any(log.assisted for log in made(name))} == {"auto_candidates"}


SAID: dict[str, Callable[[Log], bool]] = {  # what a kind says of itself, seen in each of its logs
    "guesser": lambda log: not kinds(log)[Kind.CORNER] + kinds(log)[Kind.CENTRE],
    "steady_marker": lambda log: marks_before_digits(log) > 40,
    "speed_solver": lambda log: set(kinds(log)) <= {Kind.DIGIT, Kind.UNDO, Kind.ERASE},
    "color_user": lambda log: kinds(log)[Kind.COLOUR] > 2,
    "slow_beginner": lambda log: kinds(log)[Kind.DIGIT] > len(log.puzzle.empty) + 1,
    "phone_underground": lambda log: max(Counter(log.received).values()) > 4,
    "from_paper_by_rows": lambda log: log.order == log.puzzle.empty and log.received[0] > 0.3 * log.seconds,
    "from_paper_by_boxes": lambda log: log.received[0] > 0.3 * log.seconds,
    "improver": lambda log: log.account.past[0].pace > 1.2 * log.pace or log.pace < 1.6,
    "instant": lambda log: log.seconds < 5,
    "fixed_delay": lambda log: log.order == log.puzzle.empty,
    "path_with_marks": lambda log: kinds(log)[Kind.CORNER] == 12,
    "second_account_record": lambda log: kinds(log)[Kind.CORNER] == 10 and log.pace < 0.4,
    "pasted_marks": lambda log: marks_before_digits(log) > 60 and median(waits(log)[:60]) < 0.1,
    "replay_with_jitter": lambda log: log.order == log.before[0].order,
    "replay_faster": lambda log: 0.3 < log.seconds / log.before[0].seconds < 0.7,
    "replay_with_swaps": lambda log: log.order != log.before[0].order,
    "turned_replay": lambda log: log.before[0].puzzle.turned is not None,
    "hinted_guest_replayed": lambda log: (
        log.before[0].assisted
        and log.before[0].account.standing is Standing.GUEST
        and log.before[0].account.device == log.account.device
    ),
    "second_account_knowing": lambda log: log.seconds < 0.8 * log.before[0].seconds,
    "own_record_replayed": lambda log: log.order == log.before[0].order,
    "shouted": lambda log: log.begins - log.before[0].begins < 15,
    "decorated_program": lambda log: len(log.moves) > len(log.puzzle.empty),
    "slow_program": lambda log: 0.9 < log.pace < 1.2,
    "clock_games": lambda log: median(waits(log)) < 1 and log.pace > 0.25,
    "comes_back": lambda log: max(waits(log)) > 240,
    "head_solver": lambda log: set(kinds(log)) <= {Kind.DIGIT, Kind.UNDO, Kind.ERASE},
    "two_lookups": lambda log: log.account.standing is Standing.ESTABLISHED,
    "slowed_copy": lambda log: log.order != log.before[0].order and 0.4 < log.pace < 1,
    "patient_second": lambda log: log.pace < 0.5 and {past.level for past in log.account.past} <= {1, 2},
    "sudden_improvement": lambda log: log.pace < 0.6 * median(past.pace for past in log.account.past),
}


@pytest.mark.parametrize("name", sorted(SAID))
def test_a_kind_does_as_it_says(name: str) -> None:
    assert all(SAID[name](log) for log in made(name))


def test_who_tries_undoes() -> None:
    assert median(kinds(log)[Kind.UNDO] for log in made("what_if")) >= 5


def test_a_given_log_is_copied_and_a_given_past_is_kept() -> None:
    theirs = made("scanner_by_box")[2]
    copy = PLAYERS["replay_with_jitter"].play(theirs.puzzle, 4, others=[theirs])
    assert copy.before == (theirs,)
    past = PLAYERS["improver"].play(theirs.puzzle, 4).account.past
    assert PLAYERS["sudden_improvement"].play(theirs.puzzle, 4, past=past).account.past == past


def test_the_batches_hold_every_move_as_it_is_posted() -> None:
    log = made("phone_underground")[0]
    rows = [row for _at, batch in log.batches() for row in batch]
    assert rows == [(str(move.seq), move.kind, move.cell, str(move.digit or "")) for move in log.moves]
    assert not any(move.kind in HELP for move in log.moves)
