"""Uploads that would exhaust the server, against the real one: it doesn't read them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.webapp.bombs import BOMBS
from tests.webapp.desk import caller_at_the_desk
from tests.webapp.processes import Caller, web
from tests.webapp.stocked import SETTING, Originals, prepare

pytestmark = [pytest.mark.xdist_group("bombs"), pytest.mark.slow]  # one server for all
READ = 4 << 20  # bytes that may be in transit when the rejection arrives: the limit, and socket buffers


@pytest.fixture(scope="module")
def curator(tmp_path_factory: pytest.TempPathFactory, originals: Originals) -> Iterator[Caller]:
    folder = tmp_path_factory.mktemp("bombs")
    originals.copy(prepare, folder / "instance")
    with web(folder, folder / "instance", **SETTING) as (caller, _process):
        yield caller_at_the_desk(caller.port, folder / "instance")


@pytest.mark.parametrize("name", BOMBS)
def test_a_bomb_is_not_read_by_the_server_and_the_desk_goes_on(curator: Caller, name: str) -> None:
    guest = Caller(curator.port)
    guest.request("GET", "/")
    for caller, taken in ((curator, 303), (guest, 403)):  # a worker reads small files later
        refusal = BOMBS[name](caller)
        assert refusal.status in (taken, 411, 413)
        assert refusal.sent < READ
    status, text, _location = curator.request("GET", "/admin/import")
    assert status == 200
    assert 'type="file"' in text
