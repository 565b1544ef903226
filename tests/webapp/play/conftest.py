"""Fixtures of the tests of play."""

from __future__ import annotations

import pytest

from tests.webapp.conftest import EASY
from tests.webapp.visitors import Visitor


@pytest.fixture
def address(guest: Visitor) -> str:
    """The address of a guest's game of an easy puzzle."""
    return guest.start(grid=EASY)
