"""The recipe for pgbouncer, run on loopback: the campaign `pool`. Needs pgbouncer and TEST_DATABASE_URL.

Players make moves through web processes whose eight connections share three of PostgreSQL's. The pool is
killed once on the way. Checked: no acknowledged move is lost, no response is an error but 503, and PostgreSQL
never has more connections than the pool may open.
"""

from __future__ import annotations

import getpass
import http.client
import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter, deque
from pathlib import Path

import sqlalchemy as sa

from tests.thorough import amount
from tests.webapp.conftest import empty_database
from tests.webapp.processes import ROOT, STOP, WEB, Caller, free_port, running, wait_until
from webapp import create_app
from webapp.bank import bank
from webapp.process.clock import now
from webapp.process.config import Settings
from webapp.process.database import db
from webapp.site import serve

PLAYERS = 16
MOVES = amount("POOLED", 60, 1000)  # of each player
SIZE = 3  # connections of the pool


def configured(url: str, folder: Path, port: int, size: int) -> Path:
    """Write the recipe for this server and that many connections to a folder. Returns the file."""
    server = sa.make_url(url)
    recipe = (ROOT / "docs" / "deployment" / "pgbouncer.ini").read_text()
    for pattern, value in {
        r"host=\S+ port=\S+ dbname=\S+": f"host={server.host} port={server.port or 5432} "
        f"dbname={server.database} user={server.username or getpass.getuser()}"
        + (f" password={server.password}" if server.password else ""),
        r"(?<=listen_port = ).*": str(port),
        r"(?<=auth_type = ).*": "any",
        r"auth_file = .*": "",
        r"(?<=default_pool_size = ).*": str(size),
        r"(?<=logfile = ).*": str(folder / "pgbouncer.log"),
        r"(?<=pidfile = ).*": str(folder / "pgbouncer.pid"),
    }.items():
        recipe, found = re.subn(pattern, value, recipe)
        assert found == 1, pattern
    file = folder / "pgbouncer.ini"
    file.write_text(recipe)
    return file


class Pool:
    """pgbouncer with the recipe, but for names, ports and passwords."""

    def __init__(self, url: str, folder: Path) -> None:
        self.port = free_port()
        self.file = configured(url, folder, self.port, SIZE)
        self.start()

    def start(self) -> None:
        """Start it as another user if we are root, because pgbouncer refuses to run as root."""
        user = ("-u", "postgres") if os.getuid() == 0 else ()
        program = shutil.which("pgbouncer", path=f"{os.environ['PATH']}:/usr/sbin")
        if program is None:
            sys.exit("pgbouncer is not installed: nothing was checked.")
        quiet = subprocess.DEVNULL
        self.process = subprocess.Popen([program, *user, str(self.file)], stdout=quiet, stderr=quiet)

    def kill(self) -> None:
        self.process.kill()
        self.process.wait(STOP)


class Player(threading.Thread):
    """Pauses and resumes, which are moves that any board takes."""

    def __init__(self, port: int) -> None:
        super().__init__()
        self.caller = Caller(port)
        self.attempt = ""
        self.statuses: Counter[int] = Counter()
        self.acknowledged = 0

    def run(self) -> None:
        self.attempt = self.caller.start()
        while self.acknowledged < MOVES:
            seq = self.acknowledged + 1
            fields = [
                ("seq", seq),
                ("kind", "resume" if seq % 2 == 0 else "pause"),
                ("cell", ""),
                ("digit", ""),
            ]
            try:
                status = self.caller.request("POST", f"{self.attempt}/moves", fields)[0]
            except (OSError, http.client.HTTPException):
                status = 0
            self.statuses[status] += 1
            if status == 200:
                self.acknowledged = seq
            else:
                time.sleep(0.2)


def main() -> None:
    """Run it and print the results. Raises AssertionError."""
    server = os.environ.get("TEST_DATABASE_URL")
    if server is None:
        sys.exit("Set TEST_DATABASE_URL to a PostgreSQL server.")
    with tempfile.TemporaryDirectory() as name, empty_database(server, "pooled") as url:
        folder = Path(name)
        folder.chmod(0o777)  # the pool's user writes its log there
        instance = folder / "instance"
        app = create_app(Settings.from_environment({"INSTANCE_PATH": str(instance), "DATABASE_URL": url}))
        serve._prepare(app)
        with app.app_context():
            deque(bank.stock_up(PLAYERS, now(), rated=False), maxlen=0)
            db.session.remove()
            db.engine.dispose()
        pool = Pool(url, folder)
        try:
            _check(pool, url, folder, instance)
        finally:
            pool.kill()


def _check(pool: Pool, url: str, folder: Path, instance: Path) -> None:
    through = sa.make_url(url).set(host="127.0.0.1", port=pool.port, database="ninefold")
    through = through.update_query_dict({"pgbouncer": "true"})
    settings = {"DATABASE_URL": through.render_as_string(hide_password=False)}
    port = free_port()
    direct = sa.create_engine(sa.make_url(url).set(drivername="postgresql+psycopg"), poolclass=sa.NullPool)
    most = 0
    with running(*WEB, instance=instance, log=folder / "web.log", PORT=str(port), **settings) as web:
        wait_until(lambda: Caller(port).answers("/"))
        players = [Player(port) for _ in range(PLAYERS)]
        began = time.monotonic()
        for player in players:
            player.start()
        with direct.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
            count = "SELECT count(*) - 1 FROM pg_stat_activity WHERE datname = current_database()"
            wait_until(lambda: sum(player.acknowledged for player in players) > PLAYERS * MOVES // 2)
            most = connection.exec_driver_sql(count).scalar_one()
            pool.kill()
            wait_until(lambda: Caller(port).request("GET", "/daily")[0] == 503)
            pool.start()
            down = time.monotonic()
            wait_until(lambda: Caller(port).request("GET", "/daily")[0] == 200)
            back = time.monotonic() - down
            while any(player.is_alive() for player in players):
                most = max(most, connection.exec_driver_sql(count).scalar_one())
                time.sleep(0.1)
        took = time.monotonic() - began
        assert web.stop() == 0
    statuses = sum((player.statuses for player in players), Counter[int]())
    with direct.connect() as connection:
        stored = connection.scalar(sa.text("SELECT count(*) FROM move"))
    direct.dispose()
    acknowledged = sum(player.acknowledged for player in players)
    print(f"{acknowledged} moves acknowledged and {stored} stored in {took:.0f} s, answers {dict(statuses)}")
    print(f"PostgreSQL had {most} connections at most; back {back:.1f} s after the pool")
    assert stored == acknowledged
    assert most <= SIZE
    assert set(statuses) <= {0, 200, 503}


if __name__ == "__main__":
    main()
