"""Fixtures that more than one room needs."""

from __future__ import annotations

import os
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def data() -> Path:
    """The folder of the shared data sets, which are not part of this repository."""
    folder = os.environ.get("NINEFOLD_DATA")
    if not folder:
        pytest.skip("NINEFOLD_DATA names no folder of shared data sets")
    return Path(folder)
