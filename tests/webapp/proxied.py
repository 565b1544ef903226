"""The recipes of docs/deployment for nginx and Caddy, run on loopback: `make proxy`.

The files are used as they are but for names, ports and certificates. Clients come from addresses of their
own (127.0.0.x). Checked is what the guide promises: HTTP/2, static files, real client addresses whatever a
client claims, limits by address, and half-sent headers that hold nobody else up. Needs curl and openssl.
"""

from __future__ import annotations

import json
import re
import shutil
import socket
import ssl
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

from tests.webapp.furnished import furnish
from tests.webapp.processes import ROOT, WEB, Caller, free_port, running, wait_until
from tests.webapp.visitors import PASSWORD

KIT = ROOT / "docs" / "deployment"
HOST = "sudoku.example"
HALF_SENT = 200  # connections that begin a request and never end it


class Client:
    """A player's browser, as curl plays it, from one address."""

    def __init__(self, port: int, address: str, folder: Path) -> None:
        self.port, self.address = port, address
        self.jar = folder / f"cookies-{address}"

    def ask(self, path: str, *more: str) -> tuple[int, str]:
        """Status and body; 0 if there is no answer."""
        done = subprocess.run(
            [
                *("curl", "--silent", "--insecure", "--http2", "--max-time", "20"),
                *("--interface", self.address, "--resolve", f"{HOST}:{self.port}:127.0.0.1"),
                *("--cookie", str(self.jar), "--cookie-jar", str(self.jar)),
                *("--write-out", "\n%{json}", *more, f"https://{HOST}:{self.port}{path}"),
            ],
            capture_output=True,
            text=True,
            errors="replace",
            check=False,
        )
        body, _, written = done.stdout.rpartition("\n")
        facts = json.loads(written)
        self.version = facts["http_version"]
        return int(facts["http_code"]), body

    def sign_up(self, name: str, *more: str) -> int:
        """The status of a sign-up by form."""
        page = self.ask("/register")[1]
        token = re.search(r'name="csrf_token"[^>]* value="([^"]+)"', page)
        assert token, page[:500]
        fields = {"csrf_token": token[1], "name": name, "password": PASSWORD}
        form = [part for key, value in fields.items() for part in ("--data-urlencode", f"{key}={value}")]
        return self.ask("/register", *form, "--referer", f"https://{HOST}:{self.port}/register", *more)[0]


def nginx(folder: Path, port: int, upstream: int) -> list[str]:
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
        "127.0.0.1:8000": f"127.0.0.1:{upstream}",
        f"/etc/letsencrypt/live/{HOST}/fullchain.pem": str(certificate),
        f"/etc/letsencrypt/live/{HOST}/privkey.pem": str(key),
    }.items():
        assert old in recipe, old
        recipe = recipe.replace(old, new)
    folders = "\n".join(
        f"{kind}_temp_path {folder / kind};" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    whole = folder / "nginx.conf"
    whole.write_text(
        f"pid {folder / 'pid'};\ndaemon off;\nerror_log {folder / 'error.log'};\n"
        f"events {{ worker_connections 1024; }}\nhttp {{\naccess_log off;\n{folders}\n{recipe}\n}}\n"
    )
    return [shutil.which("nginx") or "/usr/sbin/nginx", "-p", str(folder), "-c", str(whole)]


def caddy(folder: Path, port: int, upstream: int) -> list[str]:
    """Write Caddy's configuration. Returns the command."""
    recipe = (KIT / "Caddyfile").read_text()
    for old, new in {
        "{\n\tservers": "{\n\tadmin off\n\tauto_https disable_redirects\n\tskip_install_trust\n\tservers",
        "{$NINEFOLD_HOST:sudoku.example} {": f"https://{HOST}:{port} {{\n\tbind 127.0.0.1\n\ttls internal",
        "{$NINEFOLD_UPSTREAM:127.0.0.1:8000}": f"127.0.0.1:{upstream}",
    }.items():
        assert old in recipe, old
        recipe = recipe.replace(old, new, 1)
    whole = folder / "Caddyfile"
    whole.write_text(recipe)
    return ["env", f"HOME={folder}", "caddy", "run", "--adapter", "caddyfile", "--config", str(whole)]


def check(make: Callable[[Path, int, int], list[str]]) -> None:
    """Run one proxy in front of the site and ask for everything that is promised."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        folder.chmod(0o755)  # nginx's workers are of another user
        instance = folder / "instance"
        furnish(instance)
        upstream, port = free_port(), free_port()
        settings = {"PORT": str(upstream), "PUBLIC_URL": f"https://{HOST}:{port}", "PROXIES": "1"}
        stack.enter_context(running(*WEB, instance=instance, log=folder / "log", **settings))
        wait_until(Caller(upstream).answers)
        with (folder / "proxy.log").open("wb") as log:
            process = subprocess.Popen(make(folder, port, upstream), stdout=log, stderr=log)
        stack.callback(process.wait)
        stack.callback(process.terminate)
        players = [Client(port, f"127.0.0.{number}", folder) for number in range(2, 12)]
        first = players[0]
        wait_until(lambda: first.ask("/healthz")[0] == 200, 60)
        name = make.__name__

        status, page = first.ask("/")
        assert (status, first.version) == (200, "2"), (status, first.version)
        print(f"{name}: the home page over HTTP/2")

        sheet = re.search(r'href="(/static/[^"]+\.css)"', page)
        assert sheet, page[:500]
        status, _ = first.ask(sheet[1], "--header", "Accept-Encoding: br", "--dump-header", str(folder / "h"))
        headers = (folder / "h").read_text().lower()
        assert status == 200 and "immutable" in headers and "content-encoding: br" in headers, headers
        print(f"{name}: static files are compressed and kept for good")

        for number, player in enumerate(players[:6]):
            assert player.sign_up(f"Player{number}") == 303
        print(f"{name}: six sign-ups from six addresses")
        for number in range(4):
            again = Client(port, first.address, folder / f"again{number}")
            again.jar.parent.mkdir()
            assert again.sign_up(f"Again{number}") == 303
        more = Client(port, first.address, folder / "more")
        more.jar.parent.mkdir()
        spoofed = ("--header", "X-Forwarded-For: 203.0.113.9", "--header", "Forwarded: for=203.0.113.9")
        assert more.sign_up("Spoofed", *spoofed) == 429
        print(f"{name}: the sixth from one address is refused, whatever address it claims")

        held = [_half_sent(port) for _ in range(HALF_SENT)]
        began = time.monotonic()
        assert players[7].ask("/")[0] == 200
        took = time.monotonic() - began
        assert took < 5, took
        print(f"{name}: a page in {took:.2f} s beside {HALF_SENT} half-sent requests")
        wait_until(lambda: _closed(held), 60)
        print(f"{name}: half-sent requests are closed after {time.monotonic() - began:.0f} s")

        large = folder / "large"
        large.write_bytes(b"x" * 3_000_000)
        status, _ = players[8].ask("/enter", "--data-binary", f"@{large}")
        assert status in (413, 0), status  # over HTTP/2, Caddy may end the stream instead
        assert players[8].ask("/")[0] == 200
        print(f"{name}: a form of 3 MB is refused")


def _half_sent(port: int) -> ssl.SSLSocket:
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    plain = socket.create_connection(("127.0.0.1", port), source_address=("127.0.0.250", 0))
    connection = context.wrap_socket(plain, server_hostname=HOST)
    connection.sendall(f"GET / HTTP/1.1\r\nHost: {HOST}\r\nX-Half".encode())
    connection.setblocking(False)
    return connection


def _closed(held: list[ssl.SSLSocket]) -> bool:
    """Whether the proxy has given them all up."""
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
            check(proxy)
        else:
            print(f"{proxy.__name__} is not installed: not checked")
