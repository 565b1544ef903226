"""Made-up logs are logs a board takes, and each solves its puzzle with its last move."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import cache

import pytest

import engine
from tests.logs import Log, people, programs
from webapp.game.board import Board

NOW = datetime(2026, 3, 1, tzinfo=UTC)


@cache  # made when the first test runs: every process of a run collects all of them
def made() -> list[Log]:
    return people(30, 3) + programs(20, 3)


@pytest.mark.xdist_group("logs")
@pytest.mark.parametrize("index", range(50))
def test_a_log_solves_its_puzzle_with_its_last_move(index: int) -> None:
    log = made()[index]
    board = Board.of(engine.parse(log.puzzle.givens))
    for move in log.moves:
        assert not board.solved
        board = board.after(move, NOW)
    assert board.solved
    assert len(log.received) == len(log.moves)
    assert log.received == sorted(log.received)


def test_a_seed_gives_the_same_logs_again() -> None:
    assert people(3, 7) == people(3, 7)
    assert programs(10, 7) == programs(10, 7)
