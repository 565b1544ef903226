"""Fixtures that more than one room needs."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# A busy machine is no reason to fail: neither an example nor drawing it has a time limit.
settings.register_profile("ninefold", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("ninefold")

# A shell that runs us in the background has SIGINT ignored, and every child inherits that: processes that tests
# interrupt would never end. With a handler of our own in place, children start with the default again.
signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session")
def data() -> Path:
    """The folder of the shared data sets, which are not part of this repository."""
    folder = os.environ.get("NINEFOLD_DATA")
    if not folder:
        pytest.skip("NINEFOLD_DATA names no folder of shared data sets")
    return Path(folder)
