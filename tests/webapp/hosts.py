"""Three web hosts, a worker, a database and a proxy, each a host of its own: the campaign `hosts`, as root.

Hosts are network namespaces joined by a bridge in a namespace that this process creates, so nothing reaches
another network, and everything disappears with it. nginx runs with the recipe of docs/deployment.
Clients make moves as fast as the server responds, while one host is killed and while another is disconnected.
Checked: no acknowledged move is lost, and no response is an error but 502, 503 and 504.
"""

from __future__ import annotations

import http.client
import logging
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter, deque
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from pathlib import Path

import psycopg

from tests.webapp.processes import ROOT, Caller, free_port, wait_until
from tests.webapp.proxied import KIT, nginx_with
from webapp import create_app
from webapp.bank import bank
from webapp.process.clock import now
from webapp.process.config import Settings
from webapp.process.database import close, db
from webapp.site import serve

NETWORK = "10.213.7"
NUMBERS = {"database": 10, "worker": 11, "front": 12, "web1": 21, "web2": 22, "web3": 23}
WEB_HOSTS = ("web1", "web2", "web3")
CLIENTS = 16
EACH = float(os.environ.get("SECONDS_EACH", "20"))  # seconds of each measurement


def run(*command: str) -> None:
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


class Host:
    """A namespace with an address and a cable, and processes in it."""

    def __init__(self, name: str) -> None:
        self.name, self.address = name, f"{NETWORK}.{NUMBERS[name]}"
        self.inside = ("ip", "netns", "exec", name)
        self._cable = f"to-{name}"
        self._processes: list[subprocess.Popen[bytes]] = []
        run("ip", "netns", "add", name)
        run("ip", "link", "add", self._cable, "type", "veth", "peer", "name", "eth0", "netns", name)
        run("ip", "link", "set", self._cable, "master", "lan", "up")
        run("ip", "-n", name, "addr", "add", f"{self.address}/24", "dev", "eth0")
        for device in ("lo", "eth0"):
            run("ip", "-n", name, "link", "set", device, "up")

    def start(self, *command: str, log: Path, **environment: str) -> None:
        """Start a process here."""
        with log.open("ab") as output:
            process = subprocess.Popen(
                [*self.inside, *command], cwd=ROOT, env=os.environ | environment, stdout=output, stderr=output
            )
        self._processes.append(process)

    def kill(self) -> None:
        """Kill it, as a power failure does."""
        found = subprocess.run(("ip", "netns", "pids", self.name), capture_output=True, check=False)
        for pid in map(int, found.stdout.split()):
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        for process in self._processes:
            process.wait()
        self._processes.clear()

    def pull(self) -> None:
        """Disconnect it: packets in both directions are lost silently."""
        run("ip", "link", "set", self._cable, "down")

    def plug(self) -> None:
        run("ip", "link", "set", self._cable, "up")


class Front(Host):
    """nginx with the recipe, but for https and the limit of requests, since all clients have one address."""

    def begin(self, folder: Path) -> None:
        recipe = (KIT / "nginx.conf").read_text()
        plain = recipe[: recipe.index("server {")] + recipe[recipe.rindex("server {") :]
        plain = re.sub(r"(?m)^\s*(ssl_|listen \[|limit_).*\n", "", plain)
        for old, new in {
            "listen 443 ssl http2;": f"listen {self.address}:80;",
            "    server 127.0.0.1:8000;\n": "".join(
                f"    server {NETWORK}.{NUMBERS[each]}:8000;\n" for each in WEB_HOSTS
            ),
            "X-Forwarded-Proto https": "X-Forwarded-Proto http",
        }.items():
            assert old in plain, old
            plain = plain.replace(old, new)
        self.start(*nginx_with(folder, f"{plain}\n", main="user root;"), log=folder / "front.log")


class Client(threading.Thread):
    """Pauses and resumes, which are moves that any board takes; records every response."""

    def __init__(self, host: str) -> None:
        super().__init__(daemon=True)
        self.caller = Caller(80, host)
        self.attempt = ""
        self.acknowledged = 0
        self.answers: list[tuple[float, int, float]] = []  # when, the status, and how long it took
        self.over = threading.Event()

    def run(self) -> None:
        while not self.attempt:
            with suppress(AssertionError, OSError, http.client.HTTPException):  # no response in time
                self.attempt = self.caller.start()
        while not self.over.is_set():
            seq = self.acknowledged + 1
            kind = "resume" if seq % 2 == 0 else "pause"
            form: list[tuple[str, object]] = [("seq", seq), ("kind", kind), ("cell", ""), ("digit", "")]
            began = time.monotonic()
            try:
                status = self.caller.request("POST", f"{self.attempt}/moves", form)[0]
            except (OSError, http.client.HTTPException):
                status = 0
            self.answers.append((began, status, time.monotonic() - began))
            if status == 200:
                self.acknowledged = seq
            else:
                self.over.wait(0.1)


class Clients:
    """All of them, for a while."""

    def __init__(self, host: str) -> None:
        self.all = [Client(host) for _ in range(CLIENTS)]
        for client in self.all:
            client.start()
        wait_until(lambda: all(client.acknowledged for client in self.all))

    def report(self, title: str, since: float) -> str:
        """Report the responses since then."""
        found = [answer for client in self.all for answer in list(client.answers) if answer[0] >= since]
        seconds = time.monotonic() - since
        times = sorted(took for _at, _status, took in found)
        statuses = dict(Counter(status for _at, status, _took in found))
        rate = statuses.get(200, 0) / seconds
        return (
            f"{title}: {rate:.0f} moves a second, median {1000 * times[len(times) // 2]:.0f} ms,"
            f" 99 % {1000 * times[int(0.99 * len(times))]:.0f} ms, slowest {times[-1]:.1f} s,"
            f" answers {statuses}"
        )

    def stop(self) -> None:
        for client in self.all:
            client.over.set()
        for client in self.all:
            client.join()


@contextmanager
def network() -> Iterator[dict[str, Host]]:
    """Create the hosts, joined by a bridge on which this process has an address."""
    run("ip", "link", "set", "lo", "up")
    run("ip", "link", "add", "lan", "type", "bridge")
    run("ip", "addr", "add", f"{NETWORK}.1/24", "dev", "lan")
    run("ip", "link", "set", "lan", "up")
    with ExitStack() as stack:
        hosts = {}
        for name in NUMBERS:
            hosts[name] = Front(name) if name == "front" else Host(name)
            stack.callback(hosts[name].kill)
        yield hosts


@contextmanager
def postgresql(folder: Path, host: Host) -> Iterator[str]:
    """Run a PostgreSQL of its own on this host, by the newest programs. Yields its URL."""
    programs = max(Path("/usr/lib/postgresql").glob("*/bin"))
    store, port = folder / "postgresql", free_port()
    store.mkdir()
    shutil.chown(store, "postgres")  # root may not run a server, so the packages' own user does

    def run_there(program: str, *arguments: str) -> None:
        who = (*host.inside, "runuser", "-u", "postgres", "--")
        subprocess.run([*who, programs / program, "-D", store, *arguments], check=True, cwd="/")

    run_there("initdb", "-A", "trust", "-U", "postgres", "-E", "UTF8")
    with (store / "pg_hba.conf").open("a") as rules:
        rules.write("host all all samenet trust\n")
    options = f"-p {port} -c unix_socket_directories={store} -c listen_addresses={host.address}"
    run_there("pg_ctl", "-w", "-l", str(store / "log"), "-o", options, "start")
    try:
        yield f"postgresql://postgres@{host.address}:{port}/postgres"
    finally:
        run_there("pg_ctl", "-w", "-m", "immediate", "stop")


def main() -> Iterator[str]:
    """Run the campaign. Yields its report. Raises AssertionError."""
    with tempfile.TemporaryDirectory() as name, network() as hosts:
        folder = Path(name)
        folder.chmod(0o777)  # servers of another user write there
        with postgresql(folder, hosts["database"]) as url:
            yield from check(folder, url, hosts)


def check(folder: Path, url: str, hosts: dict[str, Host]) -> Iterator[str]:
    direct = {"SECRET_KEY": "of-all-hosts-" + 32 * "x", "CROWD": "10000", "DATABASE_URL": url}
    app = create_app(Settings.from_environment({"INSTANCE_PATH": str(folder / "instance")} | direct))
    serve.prepare(app)
    with app.app_context():
        deque(bank.stock_up(CLIENTS, now(), rated=False), maxlen=0)
        db.session.remove()
        close()
    flask = (sys.executable, "-m", "flask", "--app", "wsgi")
    hosts["worker"].start(
        *flask,
        "worker",
        log=folder / "worker.log",
        INSTANCE_PATH=str(folder / "worker"),
        BANK_STOCK="3",
        **direct,
    )
    for name in WEB_HOSTS:
        start_web(hosts[name], folder, direct)
    for name in WEB_HOSTS:
        wait_until(partial(Caller(8000, hosts[name].address).answers, "/"))
    front = hosts["front"]
    assert isinstance(front, Front)
    front.begin(folder)
    wait_until(lambda: Caller(80, front.address).answers("/"))
    clients = Clients(front.address)
    time.sleep(5)  # until kernels and templates are loaded everywhere

    since = time.monotonic()
    hosts["web2"].kill()
    time.sleep(EACH)
    yield clients.report("one killed", since)
    start_web(hosts["web2"], folder, direct)
    wait_until(partial(Caller(8000, hosts["web2"].address).answers, "/"))

    since = time.monotonic()
    hosts["web3"].pull()
    time.sleep(EACH)
    yield clients.report("the cable of another pulled", since)
    hosts["web3"].plug()
    time.sleep(12)  # nginx skips a failed host for ten seconds
    since = time.monotonic()
    time.sleep(EACH / 2)
    yield clients.report("all three back", since)
    clients.stop()
    yield compared_moves(clients, url)


def start_web(host: Host, folder: Path, shared: dict[str, str]) -> None:
    """Start the web processes of one host."""
    own = folder / host.name
    own.mkdir(exist_ok=True)
    own.chmod(0o777)
    host.start(
        *(sys.executable, "-m", "gunicorn", "-c", "python:webapp.process.server", "wsgi:app"),
        log=own / "web.log",
        **shared,
        INSTANCE_PATH=str(own / "instance"),
        HOST=host.address,
        PORT="8000",
        PROXIES="1",
    )


def compared_moves(clients: Clients, url: str) -> str:
    """Compare the acknowledged moves with the stored ones. Raises AssertionError."""
    with psycopg.connect(url) as connection:
        rows = connection.execute("SELECT attempt_id, count(*), max(seq) FROM move GROUP BY 1").fetchall()
    stored = {attempt: (count, last) for attempt, count, last in rows}
    sent = 0
    for client in clients.all:
        count, last = stored[client.attempt.split("?")[0].rpartition("/")[2]]
        assert count == last, f"{count} moves up to the number {last}"
        assert client.acknowledged <= last <= client.acknowledged + 1, (
            f"{client.acknowledged} acknowledged, {last} kept"
        )
        sent += client.acknowledged
    statuses = {status for client in clients.all for _at, status, _took in client.answers}
    assert statuses <= {200, 502, 503, 504}, statuses
    return f"{sent} moves acknowledged, none lost or stored twice"


if __name__ == "__main__":
    if os.getuid() != 0 or not shutil.which("ip"):
        sys.exit("Namespaces take root and iproute2: nothing was checked.")
    if not shutil.which("nginx"):
        sys.exit("nginx is not installed: nothing was checked.")
    if "ALONE" not in os.environ:  # in namespaces of its own, with a list of namespaces of its own
        inside = 'mount -t tmpfs tmpfs /run/netns && ALONE=1 exec "$0" -m tests.webapp.hosts'
        Path("/run/netns").mkdir(exist_ok=True)
        os.execvp("unshare", ["unshare", "--net", "--mount", "sh", "-c", inside, sys.executable])
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("stopped"))  # so that the servers end too
    logging.disable(logging.INFO)  # of the site that makes puzzles here
    for line in main():
        print(line, flush=True)
