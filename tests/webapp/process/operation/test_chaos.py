"""The campaign of faults in short; `make chaos` runs it in full."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.webapp import chaos


@pytest.mark.slow
def test_faults_under_play_lose_nothing(tmp_path: Path, database_setting: dict[str, str]) -> None:
    """One fault of the processes, and one of the database."""
    outcome = chaos.Outcome()
    of_database = chaos.cut_wire if database_setting else chaos.lock_file
    play = chaos.under_play(tmp_path, 2, outcome, database_setting, days=1, forked=True)
    with play as (site, playing):
        for fault in (chaos.kill_web_worker, of_database):
            chaos.suffer(site, playing, fault, 0.5, outcome)
    assert outcome.acknowledged
    assert outcome.broken == []
