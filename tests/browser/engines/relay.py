"""A relay between a browser and a server that fails on command, request by request."""

from __future__ import annotations

import http.client
import socket
import struct
import threading
import time
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

PASS, HANG, RESET, BAD, SLOW, TWICE, LOST = "pass", "hang", "reset", "502", "slow", "twice", "lost"
LATE = 3.0  # seconds that a slow response takes
Fate = Callable[[str, str], str]  # of a method and a path


class Relay(ThreadingHTTPServer):
    """Listen on a port of its own; `fate` decides the outcome of each request.

    hang: it is never answered. reset: the connection breaks before the server has it. lost: it breaks after
    the server has responded. 502: a proxy's error. slow: the response is late. twice: it arrives a second
    time.
    """

    daemon_threads = True

    def __init__(self, port: int, visitor: str) -> None:
        super().__init__(("127.0.0.1", 0), _Request)
        self.upstream, self.visitor = port, visitor
        self.fate: Fate = self.passing
        self.prelude = b""  # what runs before the site's script
        self.over = threading.Event()
        self.url = f"http://127.0.0.1:{self.server_address[1]}"
        threading.Thread(target=self.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()

    @staticmethod
    def passing(_method: str, _path: str) -> str:
        """Let everything through."""
        return PASS

    def close(self) -> None:
        self.over.set()
        self.shutdown()
        self.server_close()

    def handle_error(self, *_where: Any) -> None:
        """Ignore errors: a browser may close the connection at any time."""


class _Request(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Relay

    def do_GET(self) -> None:
        self._answer()

    def do_POST(self) -> None:
        self._answer()

    def log_message(self, *_text: Any) -> None:
        pass

    def _answer(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        fate = self.server.fate(self.command, self.path)
        if fate == HANG:
            self._hang()
        elif fate == RESET:
            self._reset()
        elif fate == BAD:
            page = b"<!doctype html><title>502 Bad Gateway</title><h1>502 Bad Gateway</h1>"
            self._write(502, [("Content-Type", "text/html")], page)
        else:
            if fate == TWICE:
                self._ask(body)
            answer = self._ask(body)
            if fate == SLOW:
                time.sleep(LATE)
            if fate == LOST:
                self._reset()
            else:
                self._write(*answer)

    def _hang(self) -> None:
        """Block until the browser gives up or the test is over."""
        self.connection.settimeout(0.2)
        while not self.server.over.is_set():
            try:
                if not self.connection.recv(1):
                    break
            except TimeoutError:
                continue
            except OSError:
                break
        self.close_connection = True

    def _reset(self) -> None:
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.connection.close()
        self.close_connection = True

    def _ask(self, body: bytes) -> tuple[int, list[tuple[str, str]], bytes]:
        connection = http.client.HTTPConnection("127.0.0.1", self.server.upstream, timeout=60)
        try:
            headers = {name: value for name, value in self.headers.items() if name.lower() != "connection"}
            headers["X-Forwarded-For"] = self.server.visitor
            prelude = self.server.prelude if "/js/main" in self.path else b""
            if prelude:
                headers.pop("Accept-Encoding", None)
            connection.request(self.command, self.path, body or None, headers)
            answer = connection.getresponse()
            return answer.status, answer.getheaders(), prelude + answer.read()
        finally:
            connection.close()

    def _write(self, status: int, headers: list[tuple[str, str]], body: bytes) -> None:
        self.send_response_only(status)
        for name, value in headers:
            if name.lower() not in ("content-length", "transfer-encoding", "connection"):
                self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
