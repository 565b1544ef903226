"""Forged finishes: no row on any leaderboard, no 5xx. The campaign `forgery` (FORGED) sends ten thousand."""

from __future__ import annotations

import pytest
from flask import Flask

from tests.thorough import amount
from tests.webapp.forgery import FORGERIES, Steady, forge
from tests.webapp.visitors import SetClock


@pytest.mark.slow
@pytest.mark.strictest_database
def test_no_forged_finish_comes_to_a_board(
    app: Flask, clock: SetClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    steady = Steady(clock)
    monkeypatch.setitem(app.extensions, "steady", steady)
    count = amount("FORGED", len(FORGERIES), 30 * len(FORGERIES))
    answers = forge(app, clock, steady, count, seed=1)
    print(f"{count:,} forged finishes, answers: {dict(sorted(answers.items()))}")
    assert answers[200] > 0
    assert answers[404] > 0
    assert answers[409] > 0
