"""Uploads that would cost the server dear, against the real one: refused before they are read."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from benchmarks.site import site
from tests.webapp.bombs import BOMBS
from tests.webapp.desk import caller_at_the_desk
from tests.webapp.processes import Caller

pytestmark = [pytest.mark.xdist_group("bombs"), pytest.mark.slow]  # one server for all
READ = 4 << 20  # bytes that may be on their way when the refusal comes: the limit, and what sockets hold


@pytest.fixture(scope="module")
def curator() -> Iterator[Caller]:
    with site() as (port, process):
        yield caller_at_the_desk(port, Path(process.environment["INSTANCE_PATH"]))


@pytest.mark.parametrize("name", BOMBS)
def test_a_bomb_is_refused_before_it_is_read_and_the_desk_goes_on(curator: Caller, name: str) -> None:
    refusal = BOMBS[name](curator)
    assert refusal.status in (411, 413, 422)
    assert refusal.sent < READ
    status, text, _location = curator.request("GET", "/admin/import")
    assert status == 200
    assert 'type="file"' in text
    assert "Recent imports" not in text


@pytest.mark.parametrize("name", BOMBS)
def test_a_guest_gets_no_further(curator: Caller, name: str) -> None:
    guest = Caller(curator.port)
    guest.request("GET", "/")
    refusal = BOMBS[name](guest)
    assert refusal.status in (403, 411, 413)
    assert refusal.sent < READ
