"""The gateway: what counts as a whole request, and that senders of halves keep nobody waiting."""

from __future__ import annotations

import http.client
import os
import re
import signal
import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests.webapp.furnished import SETTING, Originals, furnish, opened
from tests.webapp.processes import WEB, Caller, Process, allowed, descendants, free_port, running, wait_until
from tests.webapp.site.test_metrics import figure
from webapp.competition.races import races
from webapp.competition.races.races import Entrant
from webapp.curation.importing import importing, uploads
from webapp.curation.importing.routes import AROUND
from webapp.process.clock import now
from webapp.process.config import Settings
from webapp.process.operation import gateway, metrics

FILE = b"POST /admin/import HTTP/1.1\r\nHost: x\r\n"
PROGRAM = b"POST /api/v1/imports?name=a HTTP/1.1\r\nHost: x\r\n"
HEAD = b"POST /x HTTP/1.1\r\nHost: x\r\n"


@pytest.mark.parametrize(
    ("request_", "waits"),
    [
        (HEAD + b"Content-Length: 3\r\n\r\nab", True),
        (HEAD + b"Content-Length: 3\r\n\r\nabc", False),
        (b"GET / HTTP/1.1\r\nHost: x\r\n\r\n", False),
        (b"", False),
    ],
)
def test_a_thread_waits_only_for_a_body_that_is_not_all_there(request_: bytes, waits: bool) -> None:
    assert (gateway.unfinished(bytearray(request_)) > 0) is waits


@pytest.mark.parametrize(
    ("request_", "whole"),
    [
        (b"", False),
        (b"GET / HTTP/1.1\r\nHost: x\r\n", False),
        (b"GET / HTTP/1.1\r\nHost: x\r\n\r\n", True),
        (HEAD + b"content-length: 3\r\n\r\nab", False),
        (HEAD + b"Content-Length:3\r\n\r\nabc", True),
        (HEAD + b"Content-Length: 0000000000000003\r\n\r\nab", False),
        (HEAD + b"X: content-length: 3\r\n\r\n", True),  # a header of another name
        (b"G" * (gateway.LARGEST_HEAD + 1), True),  # for gunicorn to refuse
        (HEAD + b"Content-Length: 999999\r\n\r\n" + b"a" * gateway.LARGEST_BODY, True),  # and the site this
    ],
)
def test_a_request_gets_a_thread_once_it_is_whole(request_: bytes, whole: bool) -> None:
    assert gateway.arrived(request_) is whole


@pytest.mark.parametrize(
    ("request_", "status"),
    [
        (HEAD + b"Transfer-Encoding: chunked\r\n", None),  # more headers may come
        (HEAD + b"Transfer-Encoding: chunked\r\n\r\n", "411 Length Required"),
        (HEAD + b"transfer-encoding:chunked\r\n\r\n5\r\n0\r\n\r\n", "411 Length Required"),
        (HEAD + b"Content-Length: %d\r\n\r\n" % gateway.LARGEST_FORM, None),
        (HEAD + b"Content-Length: %d\r\n\r\n" % (gateway.LARGEST_FORM + 1), "413 Content Too Large"),
        (FILE + b"Content-Length: %d\r\n\r\n" % gateway.LARGEST_UPLOAD, None),
        (FILE + b"Content-Length: %d\r\n\r\n" % (gateway.LARGEST_UPLOAD + 1), "413 Content Too Large"),
        (PROGRAM + b"Content-Length: %d\r\n\r\n" % gateway.LARGEST_UPLOAD, None),
        (PROGRAM.replace(b"?", b"/?") + b"Content-Length: 9999999\r\n\r\n", "413 Content Too Large"),
        (HEAD + b"Content-Length: " + b"9" * 5000 + b"\r\n\r\n", "413 Content Too Large"),
    ],
)
def test_a_request_of_unknown_or_too_great_length_gets_no_thread(request_: bytes, status: str | None) -> None:
    assert gateway.refusal(request_) == status


def test_no_form_of_the_site_is_refused_for_its_length() -> None:
    assert gateway.LARGEST_FORM > importing.SMALL + AROUND
    assert gateway.LARGEST_UPLOAD > uploads.LARGEST + AROUND


def test_a_worker_that_has_grown_too_large_leaves() -> None:
    worker = SimpleNamespace(alive=True, nr=gateway.LOOK_AFTER, log=SimpleNamespace(warning=lambda *_: None))
    gateway.recycle(worker, 2 * gateway.memory())
    assert worker.alive
    gateway.recycle(worker, gateway.memory() // 2)
    assert not worker.alive


def test_a_worker_takes_the_lowest_place_that_is_free() -> None:
    assert [metrics.free_place(places) for places in ({}, {7: 0}, {7: 1, 8: 0}, {7: 1})] == [0, 1, 2, 0]


@pytest.mark.slow
def test_a_worker_that_is_told_to_end_as_it_begins_does(tmp_path: Path, originals: Originals) -> None:
    originals.copy(furnish, tmp_path / "instance")
    told = tmp_path / "told"
    (tmp_path / "held.py").write_text(
        "import pathlib, time\n"
        "from webapp.process.server import *\n"
        "def post_fork(server, worker):\n"
        f"    while not pathlib.Path({str(told)!r}).exists():\n"
        "        time.sleep(0.01)\n"
    )
    web = ("gunicorn", "-c", str(tmp_path / "held.py"), "--workers", "1", "wsgi:app")
    site: dict[str, Any] = {"instance": tmp_path / "instance", "log": tmp_path / "log"}
    with running(*web, PORT=str(free_port()), forked=False, **site, **SETTING) as server:
        begun: list[int] = []
        wait_until(lambda: bool(begun.extend(descendants(server.popen.pid)) or begun))
        worker = begun[0]
        os.kill(worker, signal.SIGQUIT)
        told.touch()
        wait_until(lambda: worker not in descendants(server.popen.pid), 20)


@dataclass(frozen=True)
class Served:
    """A web server of its own."""

    port: int
    process: Process

    def begin(self, data: bytes) -> socket.socket:
        """Send this on a new connection."""
        connection = socket.create_connection(("127.0.0.1", self.port), timeout=60)
        connection.sendall(data)
        return connection


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory, originals: Originals) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("gateway")
    originals.copy(furnish, folder / "instance")
    port = free_port()
    options: dict[str, Any] = {"instance": folder / "instance", "PORT": str(port), **SETTING}
    with running(*WEB, log=folder / "log", **options) as process:
        wait_until(Caller(port).answers)
        yield Served(port, process)


@pytest.mark.slow
def test_two_hundred_half_sent_requests_keep_nobody_waiting(served: Served) -> None:
    halves = [b"GET / HTTP/1.1\r\nHost: x\r\nX-", HEAD + b"Content-Length: 1000\r\n\r\nabc", b""]
    with ExitStack() as connections:
        opened = [connections.enter_context(served.begin(halves[number % 3])) for number in range(200)]
        for _ in range(20):
            started = time.monotonic()
            assert Caller(served.port).answers()
            assert time.monotonic() - started < allowed(1)
        for connection in opened:  # they are sent away
            assert connection.recv(1) == b""


@pytest.mark.slow
def test_requests_in_chunks_or_beyond_all_forms_are_refused_and_keep_nobody_waiting(served: Served) -> None:
    forever = {
        b"Transfer-Encoding: chunked\r\n\r\n5\r\n0\r\n\r\n": b"HTTP/1.1 411",
        b"Content-Length: 9999999999999\r\n\r\na": b"HTTP/1.1 413",
    }
    with ExitStack() as connections:
        for rest, status in forever.items():
            for _ in range(8):
                connection = connections.enter_context(served.begin(HEAD + rest))
                assert connection.recv(12) == status
        started = time.monotonic()
        assert Caller(served.port).answers()
        assert time.monotonic() - started < allowed(1)


@pytest.mark.slow
def test_large_bodies_that_stall_or_drip_give_their_threads_back(served: Served) -> None:
    """They come from a curator's form, the only one that takes so much.

    Half of each is sent, and then of every second one a byte a second, which would take three days.
    """
    head = b"POST /admin/import HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-www-form-urlencoded\r\n"
    half = head + b"Content-Length: 600000\r\n\r\ntext=" + b"a" * 2 * gateway.LARGEST_BODY
    with ExitStack() as open_ones:
        stalled = [
            open_ones.enter_context(socket.create_connection(("127.0.0.1", served.port))) for _ in range(20)
        ]
        for one in stalled:
            one.settimeout(60)
            one.sendall(half)
        dripping = stalled[::2]

        def drip() -> bool:
            for one in [*dripping]:
                try:
                    one.sendall(b"a")
                except OSError:  # answered, or closed without an answer
                    dripping.remove(one)
            time.sleep(1)
            return not dripping

        wait_until(drip)
        wait_until(lambda: Caller(served.port).answers("/healthz"))
        for one in stalled[1::2]:
            while one.recv(65536):
                pass


def test_a_body_that_came_too_slowly_is_read_no_further() -> None:
    """Though a part of it is there."""
    ours, theirs = socket.socketpair()
    with ours, theirs:
        theirs.sendall(b"ab")
        allowance = gateway.Allowance(ours, -int(gateway.WHOLE_REQUEST * gateway.SLOWEST) // 2)
        assert allowance.recv(1) == b"a"
        late = gateway.Allowance(ours, -int(gateway.WHOLE_REQUEST * gateway.SLOWEST))
        with pytest.raises(TimeoutError):
            late.recv(1)


def test_half_a_request_behind_a_whole_one_is_answered_once_the_rest_comes(served: Served) -> None:
    whole = b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n"
    with served.begin(whole + whole[:20]) as connection:
        first = http.client.HTTPResponse(connection)
        first.begin()
        assert first.read().startswith(b"ok")
        connection.sendall(whole[20:])
        assert connection.recv(12) == b"HTTP/1.1 200"


@pytest.mark.slow
def test_clients_that_do_not_close_their_connections_keep_nobody_waiting(served: Served) -> None:
    with ExitStack() as connections:
        for _ in range(8):
            connection = connections.enter_context(
                served.begin(b"GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
            )
            assert connection.recv(12) == b"HTTP/1.1 200"
        started = time.monotonic()
        for _ in range(4):
            assert Caller(served.port).answers()
        assert time.monotonic() - started < allowed(1)


def test_what_the_site_knows_is_answered_on_a_connection_that_stays(served: Served) -> None:
    """The first request of a connection, and those behind it, in turns with such as take a thread."""
    with opened(Settings.from_environment(served.process.environment)) as app, app.app_context():
        race, _player = races.create(Entrant(None, "Zoe"), 1, now())
        address = f"/races/{race.key}"
    found = re.search(r'hx-get="([^"]+)"', Caller(served.port).request("GET", address)[1])
    assert found is not None
    strip = f"GET {found[1].replace('&amp;', '&')} HTTP/1.1\r\nHost: x\r\n\r\n".encode()
    with served.begin(b"") as connection:
        for request in (strip, b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n", strip, strip, strip) * 4:
            connection.sendall(request)
            answer = http.client.HTTPResponse(connection, method="GET")
            answer.begin()
            assert answer.status == (204 if request == strip else 200)
            assert answer.headers["Connection"] == "keep-alive"
            answer.read()
            answer.close()
    text = Caller(served.port).request("GET", "/metrics")[1]
    name = 'ninefold_requests_total{endpoint="races.strip",method="GET",status="204"}'
    assert figure(text, name) == 16


@pytest.mark.slow
def test_a_connection_is_not_kept_for_ever(tmp_path: Path, originals: Originals) -> None:
    originals.copy(furnish, tmp_path / "instance")
    (tmp_path / "brief.py").write_text(
        "from webapp.process.operation import gateway\n"
        "from webapp.process.server import *\n"
        "gateway.LONGEST_CONNECTION = 0.0\n"
    )
    web = ("gunicorn", "-c", str(tmp_path / "brief.py"), "wsgi:app")
    port = free_port()
    site: dict[str, Any] = {"instance": tmp_path / "instance", "log": tmp_path / "log"}
    with running(*web, PORT=str(port), forked=False, **site, **SETTING):
        wait_until(Caller(port).answers)
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        with closing(connection):
            connection.request("GET", "/healthz")
            with closing(connection.getresponse()) as answer:
                assert answer.headers["Connection"] == "close"


@pytest.mark.slow
def test_the_figures_of_a_worker_outlive_it(served: Served) -> None:
    caller = Caller(served.port)
    for _ in range(10):
        assert caller.answers()
    name = 'ninefold_requests_total{endpoint="health.alive",method="GET",status="200"}'
    before = figure(caller.request("GET", "/metrics")[1], name)
    assert before >= 10
    workers = descendants(served.process.popen.pid)
    for pid in workers:
        os.kill(pid, signal.SIGKILL)
    wait_until(lambda: not set(workers) & set(descendants(served.process.popen.pid)) and caller.answers())
    assert figure(caller.request("GET", "/metrics")[1], name) > before
