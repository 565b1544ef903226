"""The laboratory."""

from __future__ import annotations

import pytest

from tests.webapp.conftest import EASY
from tests.webapp.visitors import Visitor


@pytest.mark.parametrize("system", "abcde")
@pytest.mark.parametrize("step", [0, 1, 20, 99999])
def test_it_works(guest: Visitor, system: str, step: int) -> None:
    for view in ("", "whole"):
        response = guest.get(f"/lab?grid={EASY}&system={system}&step={step}&view={view}")
        assert response.status_code == 200
        print(system, step, len(response.data), guest.page.find(id="lab-said").text)
