"""The recipes of docs/deployment for nginx and Caddy, run on loopback: the campaign `proxy`.

The files are used as they are but for names, ports and certificates. Clients have addresses of their own
(127.0.x.1). Checked are the guide's promises: a class of CROWD people at one address with nobody refused,
HTTP/2, static files, real client addresses whatever a client claims, limits by address, and that heads and
bodies sent slowly hold up no other client: a player's move takes at most twice as long beside them; and
behind nginx, that one of two hosts can be killed without a move being refused. Needs curl and openssl.
"""

from __future__ import annotations

import json
import re
import shutil
import socket
import ssl
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from tests.webapp.processes import ROOT, WEB, Caller, Process, free_port, running, wait_until
from tests.webapp.stocked import prepare
from tests.webapp.visitors import PASSWORD

KIT = ROOT / "docs" / "deployment"
HOST = "sudoku.example"
GRID = "...7..12.........4.8316...5..2..6.37..9...8..36.8..4..1...4956.5.........34..8..."
SLOW = 300  # connections that begin a request and continue a byte at a time
PUPILS = 30  # in a class, as many as CROWD allows
MOVES = 30  # of a player, timed alone and beside them
SKIPPED = 12  # seconds until nginx tries a failed host again
Make = Callable[[Path, int, Sequence[int]], list[str]]  # a proxy's command, of its port and the site's


class Client:
    """A player's browser, played by curl, from one address."""

    def __init__(self, port: int, address: str, folder: Path, jar: str = "") -> None:
        self.port, self.address, self.asked = port, address, 0
        self.jar = folder / f"cookies-{jar or address}"

    def ask(self, path: str, *more: str) -> tuple[int, str]:
        """Return status and body; 0 if there is no response."""
        self.asked += 1
        done = subprocess.run(
            [
                *(*self._curl(), "--write-out", "\n%{json}", *more, self._url(path)),
            ],
            capture_output=True,
            text=True,
            errors="replace",
            check=False,
        )
        body, _, written = done.stdout.rpartition("\n")
        facts = json.loads(written)
        self.version, self.took = facts["http_version"], float(facts["time_total"])
        return int(facts["http_code"]), body

    def together(self, paths: Sequence[str]) -> list[int]:
        """Request these at once over one connection, as a browser does. Returns their statuses."""
        self.asked += len(paths)
        wanted = [part for path in paths for part in ("--output", "/dev/null", self._url(path))]
        done = subprocess.run(
            [
                *(*self._curl(), "--parallel", "--parallel-immediate", "--compressed"),
                *("--write-out", "%{http_code}\n", *wanted),
            ],
            capture_output=True,
            text=True,
            check=False,
        )
        return [int(line) for line in done.stdout.split()]

    def sheet(self, page: str) -> str:
        """Return the address of a page's style sheet."""
        found = re.search(r'href="(/static/[^"]+\.css)"', page)
        assert found, page[:500]
        return found[1]

    def head(self, path: str) -> tuple[int, str]:
        """Return the status and the headers of a file, in lower case."""
        file = self.jar.with_suffix(".headers")
        status, _ = self.ask(path, "--header", "Accept-Encoding: br", "--dump-header", str(file))
        return status, file.read_text().lower()

    def _url(self, path: str) -> str:
        return f"https://{HOST}:{self.port}{path}"

    def _curl(self) -> list[str]:
        return [
            *("curl", "--silent", "--insecure", "--http2", "--max-time", "20"),
            *("--interface", self.address, "--resolve", f"{HOST}:{self.port}:127.0.0.1"),
            *("--cookie", str(self.jar), "--cookie-jar", str(self.jar)),
        ]

    def sign_up(self, name: str, *more: str) -> int:
        """Return the status of a sign-up by form."""
        page = self.ask("/register")[1]
        token = re.search(r'name="csrf_token"[^>]* value="([^"]+)"', page)
        assert token, page[:500]
        fields = {"csrf_token": token[1], "name": name, "password": PASSWORD}
        form = [part for key, value in fields.items() for part in ("--data-urlencode", f"{key}={value}")]
        return self.ask("/register", *form, "--referer", f"https://{HOST}:{self.port}/register", *more)[0]


def nginx(folder: Path, port: int, upstreams: Sequence[int]) -> list[str]:
    """Write nginx's configuration. Returns the command."""
    key, certificate = folder / "key.pem", folder / "cert.pem"
    subprocess.run(
        [
            *("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1"),
            *("-subj", f"/CN={HOST}", "-keyout", str(key), "-out", str(certificate)),
        ],
        check=True,
        capture_output=True,
    )
    recipe = (KIT / "nginx.conf").read_text()
    recipe = re.sub(r"listen \[::\].*", "", recipe)
    for old, new in {
        "listen 80;": f"listen 127.0.0.1:{free_port()};",
        "listen 443 ssl http2;": f"listen 127.0.0.1:{port} ssl http2;",
        "server 127.0.0.1:8000;": "".join(f"server 127.0.0.1:{each};" for each in upstreams),
        f"/etc/letsencrypt/live/{HOST}/fullchain.pem": str(certificate),
        f"/etc/letsencrypt/live/{HOST}/privkey.pem": str(key),
        "/var/lib/nginx/ninefold": str(folder / "cache"),
    }.items():
        assert old in recipe, old
        recipe = recipe.replace(old, new)
    folders = "\n".join(
        f"{kind}_temp_path {folder / kind};" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    whole = folder / "nginx.conf"
    whole.write_text(
        f"pid {folder / 'nginx.pid'};\ndaemon off;\nerror_log {folder / 'nginx-error.log'};\n"
        f"events {{ worker_connections 1024; }}\nhttp {{\naccess_log off;\n{folders}\n{recipe}\n}}\n"
    )
    return [shutil.which("nginx") or "/usr/sbin/nginx", "-p", str(folder), "-c", str(whole)]


def caddy(folder: Path, port: int, upstreams: Sequence[int]) -> list[str]:
    """Write Caddy's configuration. Returns the command."""
    recipe = (KIT / "Caddyfile").read_text()
    if subprocess.run(["caddy", "version"], capture_output=True, check=True).stdout < b"2.7":
        recipe = recipe.replace("request_buffers 2MB\n", "buffer_requests\n\t\tbuffer_responses\n")
        recipe = recipe.replace("response_buffers 64MB\n", "max_buffer_size 64MB\n")
    for old, new in {
        "{\n\tservers": "{\n\tadmin off\n\tauto_https disable_redirects\n\tskip_install_trust\n\tservers",
        "{$NINEFOLD_HOST:sudoku.example} {": f"https://{HOST}:{port} {{\n\tbind 127.0.0.1\n\ttls internal",
        "{$NINEFOLD_UPSTREAM:127.0.0.1:8000}": f"127.0.0.1:{upstreams[0]}",
    }.items():
        assert old in recipe, old
        recipe = recipe.replace(old, new, 1)
    whole = folder / "Caddyfile"
    whole.write_text(recipe)
    return ["env", f"HOME={folder}", "caddy", "run", "--adapter", "caddyfile", "--config", str(whole)]


@contextmanager
def site_behind(
    make: Make, more: dict[str, str], hosts: int = 1
) -> Iterator[tuple[int, Path, list[Process]]]:
    """Run the site and one proxy in front of it. Yields the proxy's port, a folder and the web servers."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        folder.chmod(0o755)  # nginx's workers run as another user
        instance = folder / "instance"
        prepare(instance)
        port, upstreams, servers = free_port(), [free_port() for _ in range(hosts)], []
        for upstream in upstreams:
            settings = {"PORT": str(upstream), "PUBLIC_URL": f"https://{HOST}:{port}", "PROXIES": "1"} | more
            server = running(*WEB, instance=instance, log=folder / "log", **settings)
            servers.append(stack.enter_context(server))
            wait_until(Caller(upstream).answers)
        with (folder / "proxy.log").open("wb") as log:
            process = subprocess.Popen(make(folder, port, upstreams), stdout=log, stderr=log)
        stack.callback(process.wait)
        stack.callback(process.terminate)
        wait_until(lambda: Client(port, "127.0.1.99", folder).ask("/healthz")[0] == 200, 60)
        yield port, folder, servers


def check(make: Make) -> None:
    """Run one proxy in front of the site and check every promise."""
    with site_behind(make, {"CROWD": "1"}) as (port, folder, _servers):
        players = [Client(port, f"127.0.{number}.1", folder) for number in range(2, 12)]  # a network each
        first = players[0]
        name = make.__name__

        status, page = first.ask("/")
        assert (status, first.version) == (200, "2"), (status, first.version)
        print(f"{name}: the home page over HTTP/2")

        status, headers = first.head(first.sheet(page))
        assert status == 200 and "immutable" in headers and "content-encoding: br" in headers, headers
        print(f"{name}: static files are compressed and kept for good")

        for number, player in enumerate(players[:6]):
            assert player.sign_up(f"Player{number}") == 303
        print(f"{name}: six sign-ups from six addresses")
        again = Client(port, first.address, folder / "again")
        again.jar.parent.mkdir()
        assert again.sign_up("Again") == 303
        more = Client(port, first.address, folder / "more")
        more.jar.parent.mkdir()
        spoofed = ("--header", "X-Forwarded-For: 203.0.113.9", "--header", "Forwarded: for=203.0.113.9")
        assert more.sign_up("Spoofed", *spoofed) == 429
        print(f"{name}: the third from one address is refused, whatever address it claims")

        mover = Mover(players[7])
        alone = mover.median(MOVES)
        began = time.monotonic()
        held = [_begun(port, number) for number in range(SLOW)]
        beside = mover.median(MOVES, meanwhile=lambda: _drip(held))
        print(
            f"{name}: a move takes {1000 * alone:.1f} ms, {1000 * beside:.1f} ms beside {SLOW} slow senders"
        )
        assert beside < 2 * alone, (alone, beside)
        wait_until(lambda: _closed(held), 60)
        print(f"{name}: requests that go no further are closed after {time.monotonic() - began:.0f} s")

        large = folder / "large"
        large.write_bytes(b"x" * 3_000_000)
        status, _ = players[8].ask("/enter", "--data-binary", f"@{large}")
        assert status in (413, 502, 0), status  # Caddy fails as it gathers the form, or ends the stream
        assert players[8].ask("/")[0] == 200
        print(f"{name}: a form of 3 MB is refused")


def check_class(make: Make) -> None:
    """Let a class open the site at once, from one address with the default limits; none may be refused."""
    with site_behind(make, {"CROWD": str(PUPILS)}) as (port, folder, _servers):
        pupils = [Client(port, "127.0.20.1", folder, jar=f"pupil{number}") for number in range(PUPILS)]
        began = time.monotonic()
        with ThreadPoolExecutor(PUPILS) as threads:
            refused = [
                status for lesson in threads.map(_lesson, pupils) for status in lesson if status >= 400
            ]
        took = time.monotonic() - began
        asked = sum(pupil.asked for pupil in pupils)
        print(f"{make.__name__}: {asked} requests of {PUPILS} pupils in {took:.0f} s, {len(refused)} refused")
        assert not refused, sorted(refused)
        if make is nginx:
            sheet = pupils[0].sheet(pupils[0].ask("/")[1])
            pupils[0].head(sheet)
            _status, headers = pupils[0].head(sheet)
            assert "x-cache: hit" in headers, headers
            print(f"{make.__name__}: static files come from its cache")


def check_hosts() -> None:
    """Kill each of two web hosts behind nginx in turn; the other one continues its games.

    A move is accepted only with the number after the last stored one, so that none can be lost or doubled.
    """
    with site_behind(nginx, {}, hosts=2) as (port, folder, servers):
        movers = [Mover(Client(port, f"127.0.{number}.1", folder)) for number in range(2, 12)]
        for server in servers:
            for mover in movers:
                mover.median(3)
            server.kill()
            slowest = max(mover.median(1) for _ in range(3) for mover in movers)
            print(f"nginx: moves after one of two hosts was killed take {slowest:.1f} s at most")
            server.start()
            wait_until(Caller(int(server.environment["PORT"])).answers)
            time.sleep(SKIPPED)


def _lesson(pupil: Client) -> list[int]:
    """Open home with all its files, sign up, enter a puzzle and make some moves. Returns every status."""
    status, page = pupil.ask("/")
    files = sorted(set(re.findall(r'"(/static/[^"]+)"', page)))
    assert status == 200 and len(files) > 5, (status, files)
    found = [status, *pupil.together(files)]
    name = f"Pupil {pupil.jar.name.removeprefix('cookies-pupil')}"
    # 503 asks for another try: on two cores, thirty passwords take longer than a request waits
    signed_up = [pupil.sign_up(name)]
    while signed_up[-1] == 503 and len(signed_up) < 20:
        time.sleep(5)  # as Retry-After says
        signed_up.append(pupil.sign_up(name))
    found.append(signed_up[-1])
    mover = Mover(pupil)
    mover.median(10)
    return [*found, pupil.ask("/leaderboard")[0], pupil.ask("/learn")[0]]


class Mover:
    """A player in a game."""

    def __init__(self, client: Client) -> None:
        self._client, self._seq = client, 0
        self._origin = ("--referer", f"https://{HOST}:{client.port}/")
        page = client.ask("/enter")[1]
        client.ask(
            "/attempts", *self._form(page, grid=GRID), "--dump-header", str(client.jar.with_suffix(".h"))
        )
        found = re.search(r"(?i)^location: (\S+)", client.jar.with_suffix(".h").read_text(), re.MULTILINE)
        assert found
        self._game = found[1].partition("?")[0]
        self._page = client.ask(self._game)[1]

    def _form(self, page: str, **fields: object) -> list[str]:
        token = re.search(r'name="csrf_token"[^>]* value="([^"]+)"', page)
        assert token, page[:500]
        given = {"csrf_token": token[1], **fields}
        parts = [part for key, value in given.items() for part in ("--data-urlencode", f"{key}={value}")]
        return [*parts, *self._origin, "--header", "HX-Request: true"]

    def median(self, count: int, meanwhile: Callable[[], None] = lambda: None) -> float:
        """Return the median seconds of a move."""
        times = []
        for _ in range(count):
            meanwhile()
            self._seq += 1
            move = self._form(self._page, seq=self._seq, kind="corner", cell=0, digit=self._seq % 9 + 1)
            status, text = self._client.ask(f"{self._game}/moves", *move)
            assert status == 200, (status, text[:500])
            times.append(self._client.took)
        return statistics.median(times)


def _connected(port: int, address: str) -> ssl.SSLSocket:
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    plain = socket.create_connection(("127.0.0.1", port), source_address=(address, 0))
    return context.wrap_socket(plain, server_hostname=HOST)


def _begun(port: int, number: int) -> ssl.SSLSocket:
    """Send half a head or half a body, from one of thirty addresses."""
    connection = _connected(port, f"127.0.1.{number % 30 + 1}")
    head = f"POST /enter HTTP/1.1\r\nHost: {HOST}\r\nContent-Type: application/x-www-form-urlencoded\r\n"
    body = "Content-Length: 60000\r\n\r\ngrid=" if number % 2 else "X-Half"
    connection.sendall((head + body).encode())
    connection.setblocking(False)
    return connection


def _drip(held: list[ssl.SSLSocket]) -> None:
    """Send one more byte of each."""
    for connection in held:
        with suppress(OSError):
            connection.send(b"1")


def _closed(held: list[ssl.SSLSocket]) -> bool:
    """Tell whether the proxy has closed them all."""
    for connection in list(held):
        try:
            while connection.recv(4096):
                pass
        except (ssl.SSLWantReadError, BlockingIOError):
            continue
        except OSError:
            pass
        connection.close()
        held.remove(connection)
    return not held


if __name__ == "__main__":
    for proxy in (nginx, caddy):
        if shutil.which(proxy.__name__, path=f"{sys.path[0]}:/usr/sbin:/usr/bin:/usr/local/bin"):
            check_class(proxy)
            check(proxy)
            if proxy is nginx:
                check_hosts()
        else:
            print(f"{proxy.__name__} is not installed: not checked")
