"""The web server by itself, without a proxy: requests it rejects unread, and what outlives its workers."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import pytest

from tests.thorough import amount
from tests.webapp.processes import ROOT, WEB, Caller, Process, descendants, wait_until, web
from tests.webapp.site.test_metrics import figure
from tests.webapp.stocked import SETTING, Originals, at, lengthen_export, opened, prepare
from tests.webapp.visitors import Visitor
from webapp.web import downloads

pytestmark = pytest.mark.slow

RESTARTS = amount("RESTARTS", 1, 10)


@dataclass(frozen=True)
class Served:
    """A web server of its own."""

    port: int
    process: Process
    instance: Path


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory, originals: Originals) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("server")
    originals.copy(prepare, folder / "instance")
    with web(folder, folder / "instance", **SETTING) as (caller, process):
        yield Served(caller.port, process, folder / "instance")


@pytest.mark.parametrize("path", ["/admin/import", "/login"])
def test_a_large_body_is_refused_unread_to_those_who_may_not_upload(served: Served, path: str) -> None:
    head = f"POST {path} HTTP/1.1\r\nHost: x\r\nContent-Length: 1040000\r\n"
    form = "Content-Type: application/x-www-form-urlencoded\r\n\r\ntext="
    with socket.create_connection(("127.0.0.1", served.port), timeout=60) as connection:
        connection.sendall((head + form).encode())
        assert connection.recv(12) in (b"HTTP/1.1 413", b"HTTP/1.1 401")


def test_no_peer_says_where_the_site_is_mounted(served: Served) -> None:
    with socket.create_connection(("127.0.0.1", served.port), timeout=60) as connection:
        connection.sendall(b"GET /login HTTP/1.0\r\nHost: x\r\nSCRIPT_NAME: /elsewhere\r\n\r\n")
        page = b"".join(iter(lambda: connection.recv(65536), b""))
    assert page.startswith(b"HTTP/1.1 200") or page.startswith(b"HTTP/1.0 200")
    assert b"/elsewhere" not in page


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


def test_slow_readers_hold_one_thread_of_a_process(served: Served) -> None:
    """Eight connections ask for an export of some megabytes and read nothing."""
    with opened(at(served.instance)) as app:
        ada = Visitor(app)
        assert ada.register("Ada").status_code == 303
        with app.app_context():
            lengthen_export("Ada")
    head = f"GET /account/export HTTP/1.1\r\nHost: x\r\nCookie: s={ada.cookie}\r\n\r\n".encode()
    with ExitStack() as stack:
        for _ in range(8):
            slow = stack.enter_context(socket.socket())
            slow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            slow.connect(("127.0.0.1", served.port))
            slow.sendall(head)
        caller = Caller(served.port)
        started = time.monotonic()
        for _ in range(20):
            assert caller.request("GET", "/login")[0] == 200
        assert time.monotonic() - started < downloads.SENDING


# Systemd's handling of a socket unit.
HANDED = """
import os, sys
os.dup2(int(sys.argv[1]), 3)
os.environ |= {"LISTEN_PID": str(os.getpid()), "LISTEN_FDS": "1"}
os.execv(sys.executable, [sys.executable, "-m", *sys.argv[2:]])
"""


def test_a_restart_refuses_and_resets_no_connection(tmp_path: Path, originals: Originals) -> None:
    """With systemd's socket, as in the recipe, while visitors ask all the time."""
    originals.copy(prepare, tmp_path / "instance")
    environment = os.environ | {"INSTANCE_PATH": str(tmp_path / "instance"), **SETTING}
    answers: list[int] = []
    over = threading.Event()

    def visit(port: int) -> None:
        while not over.is_set():
            answers.append(Caller(port).request("GET", "/healthz")[0])

    def more_answers(asking: Sequence[Future[None]]) -> None:
        enough = len(answers) + 100
        wait_until(lambda: len(answers) > enough or any(each.done() for each in asking))

    with socket.create_server(("127.0.0.1", 0), backlog=2048) as listener, ThreadPoolExecutor() as visitors:
        handed = [sys.executable, "-c", HANDED, str(listener.fileno()), *WEB]
        start = partial(subprocess.Popen, handed, cwd=ROOT, env=environment, pass_fds=[listener.fileno()])
        server = start()
        asking = [visitors.submit(visit, listener.getsockname()[1]) for _ in range(4)]
        try:
            for _restart in range(RESTARTS):
                more_answers(asking)
                server.terminate()
                assert server.wait() == 0
                server = start()
            more_answers(asking)
        finally:
            over.set()
            for each in asking:
                each.result()  # raises a visitor's error
            server.terminate()
            server.wait()
    assert {*answers} == {200}
