"""Fixtures that more than one room needs."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# A busy machine is no reason to fail: neither an example nor drawing it has a time limit.
settings.register_profile("ninefold", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("ninefold")


@pytest.fixture(scope="session")
def data() -> Path:
    """The folder of the shared data sets, which are not part of this repository."""
    folder = os.environ.get("NINEFOLD_DATA")
    if not folder:
        pytest.skip("NINEFOLD_DATA names no folder of shared data sets")
    return Path(folder)
