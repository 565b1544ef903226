"""Two devices on one puzzle: they converge on one state, and acknowledged moves are stored once.

A few games here; the campaign `devices` (GAMES=500) plays many. A failing game is reported by its seed.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest
from playwright.sync_api import Browser

from tests.browser import devices
from tests.browser.conftest import Site
from tests.browser.devices import Device
from tests.thorough import amount

GAMES = amount("GAMES", 1, 4)
ACTIONS = 40  # in one game


@pytest.fixture(scope="module")
def both(live: Site, chromium: Browser) -> Iterator[tuple[Device, Device]]:
    yield from devices.pair(live, chromium)


@pytest.mark.parametrize("seed", range(GAMES))
def test_two_devices_end_in_one_state_with_every_acknowledged_move_stored_once(
    both: tuple[Device, Device], live: Site, seed: int
) -> None:
    random = Random(seed)
    attempt = devices.start(both[0], devices.puzzle(random))
    actions_taken = devices.play(both, attempt, random, ACTIONS)
    devices.settle(both, attempt, random)
    log = [
        (seq, kind, cell, "" if digit is None else str(digit))
        for seq, kind, cell, digit in live.rows(
            "SELECT seq, kind, cell, digit FROM move WHERE attempt_id = ? ORDER BY seq", attempt
        )
    ]
    assert log
    assert [seq for seq, *_rest in log] == list(range(1, len(log) + 1)), actions_taken
    for device in both:
        assert device.acknowledged(attempt) <= set(log), actions_taken
        kept = [
            (seq, kind, str(cell), str(digit)) for seq, kind, cell, digit in device.kept(attempt)["moves"]
        ]
        assert kept == log, actions_taken
        assert device.differences() == [], actions_taken
