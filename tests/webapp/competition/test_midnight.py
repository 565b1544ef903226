"""The change of day, in short; the campaign `midnight` runs CLIENTS for SECONDS before and after it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.thorough import THOROUGH, amount, one_in
from tests.webapp.midnight import AFTER, BEFORE, change_of_day
from tests.webapp.processes import allowed

pytestmark = pytest.mark.slow


@pytest.mark.strictest_database
@pytest.mark.parametrize("gap", one_in(2, [True, False]), ids=["not scheduled", "scheduled"][: 1 + THOROUGH])
def test_everybody_meets_the_puzzle_of_the_day_whatever_the_load(
    tmp_path: Path, database_setting: dict[str, str], gap: bool
) -> None:
    clients, seconds = amount("CLIENTS", 4, 30), max(allowed(1), amount("SECONDS", 1, 10))
    outcome = change_of_day(tmp_path, clients=clients, seconds=seconds, gap=gap, **database_setting)
    print(dict(outcome.asked))
    assert outcome.wrong == []
    assert {day for day, _level in outcome.boards} == {BEFORE.isoformat(), AFTER.isoformat()}
