"""The change of day, in short; `python -m tests.webapp.midnight` is the whole campaign."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.webapp.midnight import AFTER, BEFORE, change_of_day
from tests.webapp.processes import allowed

pytestmark = pytest.mark.slow


@pytest.mark.strictest_database
@pytest.mark.parametrize("gap", [False, True], ids=["scheduled", "not scheduled"])
def test_everybody_meets_the_puzzle_of_the_day_whatever_the_load(
    tmp_path: Path, database_setting: dict[str, str], gap: bool
) -> None:
    outcome = change_of_day(tmp_path, clients=4, seconds=allowed(1), gap=gap, **database_setting)
    assert outcome.wrong == []
    assert {day for day, _level in outcome.boards} == {BEFORE.isoformat(), AFTER.isoformat()}
