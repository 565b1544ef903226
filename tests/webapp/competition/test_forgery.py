"""Some dozens of forged finishes: no row on any leaderboard, no 5xx. The campaign `forgery` sends ten
thousand.
"""

from __future__ import annotations

import pytest
from flask import Flask

from tests.webapp.forgery import FORGERIES, Steady, forge
from tests.webapp.visitors import SetClock


@pytest.mark.slow
@pytest.mark.strictest_database
def test_no_forged_finish_comes_to_a_board(
    app: Flask, clock: SetClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    steady = Steady(clock)
    monkeypatch.setitem(app.extensions, "steady", steady)
    answers = forge(app, clock, steady, count=3 * len(FORGERIES), seed=1)
    assert answers[200] > 0
    assert answers[404] > 0
    assert answers[409] > 0
