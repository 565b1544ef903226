"""The web server's side: a worker that no slow sender can hold up, its log and its memory."""

from __future__ import annotations

import os
import random
import re
import signal
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from selectors import EVENT_READ
from socket import SHUT_RDWR, SHUT_WR, socket
from typing import Any

from gunicorn.glogging import Logger
from gunicorn.workers.gthread import STOP_KEEPALIVE_LINGER, TConn, ThreadWorker

from webapp.process.operation import logs

WHOLE_REQUEST = 10.0  # seconds in which a request must have arrived; a phone needs one or two
SLOWEST = 64 * 1024  # bytes a second in which a longer body must come, beside WHOLE_REQUEST
LARGEST_HEAD = 64 * 1024  # bytes; gunicorn refuses more itself
LARGEST_BODY = 128 * 1024  # bytes gathered before a thread takes over; forms end at 64 KB
LARGEST_FORM = 2 * 1024 * 1024  # bytes of any other request, the limit in docs/deployment too
LARGEST_UPLOAD = 66 * 1024 * 1024  # bytes of a curator's file and the form around it, and there
# These begin the only requests that may be so long.
UPLOADS = (b"POST /admin/import ", b"POST /api/v1/imports ", b"POST /api/v1/imports?")
# Seconds until a connection is closed, so that its client opens another. Those of a worker that died are all
# taken by the others, which would keep them: one of two workers had four fifths of 500 racers.
LONGEST_CONNECTION = 30.0
LOOK_AFTER = 50  # requests between two looks at how large a worker is
_LENGTH = re.compile(rb"^content-length:[ \t]*(\d+)[ \t]*\r?$", re.MULTILINE | re.IGNORECASE)
_CHUNKED = re.compile(rb"^transfer-encoding:", re.MULTILINE | re.IGNORECASE)
_CLOSE = "Connection: close\r\nContent-Length: 0\r\n"
_PAGE = os.sysconf("SC_PAGE_SIZE")
_ENDING = (signal.SIGINT, signal.SIGQUIT, signal.SIGTERM)

AtOnce = Callable[[bytes], bytes | None]  # the answer to a whole request, if it needs no thread


def _nothing(_request: bytes) -> None:
    """Answer nothing at once."""


def hold_endings() -> None:
    """Keep signals waiting while a worker is made, until it knows what they mean (`Worker.init_signals`).

    Before that it has its parent's handlers, which note a signal that nobody there will read: a worker told
    to end at its very start stayed until it was killed.
    """
    signal.pthread_sigmask(signal.SIG_BLOCK, _ENDING)


def take_endings() -> None:
    """Let those signals come, and those that waited."""
    signal.pthread_sigmask(signal.SIG_UNBLOCK, _ENDING)


def refusal(request: bytes) -> str | None:
    """Why a request gets no thread: its length is unknown or beyond all we take; None if it gets one."""
    end = request.find(b"\r\n\r\n")
    if end < 0:
        return None
    head = request[:end]
    if _CHUNKED.search(head):  # neither browsers nor the proxies of docs/deployment send forms in chunks
        return "411 Length Required"
    digits = max((found.lstrip(b"0") for found in _LENGTH.findall(head)), key=len, default=b"")
    most = LARGEST_UPLOAD if head.startswith(UPLOADS) else LARGEST_FORM
    too_large = len(digits) > len(str(most)) or int(digits or b"0") > most
    return "413 Content Too Large" if too_large else None


def arrived(request: bytes) -> bool:
    """Whether a thread can answer this, which is not refused, without waiting for the rest of it."""
    end = request.find(b"\r\n\r\n")
    if end < 0:
        return len(request) > LARGEST_HEAD
    head, body = request[:end], len(request) - end - 4
    if body >= LARGEST_BODY:
        return True
    length = _LENGTH.search(head)
    return length is None or body >= int(length[1])


def unfinished(request: bytes) -> int:
    """How many bytes of its body a thread that got this still has to wait for."""
    head, _blank, body = bytes(request).partition(b"\r\n\r\n")
    length = _LENGTH.search(head)
    return 0 if length is None else max(0, int(length[1]) - len(body))


class Allowance:
    """A socket to read the rest of a body from, which must come in time as a whole and in each part.

    Without the first, a sender of a byte a second holds a thread for hours; without the second, one that has
    gone holds it as long as its body would have been welcome.
    """

    def __init__(self, connection: socket, rest: int) -> None:
        self._socket = connection
        self._until = time.monotonic() + WHOLE_REQUEST + rest / SLOWEST

    def recv(self, size: int) -> bytes:
        """Return what has arrived, at most `size` bytes. Raises TimeoutError."""
        left = self._until - time.monotonic()
        if left <= 0:
            raise TimeoutError("the body comes too slowly")
        self._socket.settimeout(min(left, WHOLE_REQUEST))
        try:
            return self._socket.recv(size)
        finally:
            self._socket.settimeout(WHOLE_REQUEST)  # the answer has its own


class Worker(ThreadWorker):  # type: ignore[misc]  # gunicorn has no types
    """Gunicorn's threaded worker, with requests gathered before they get a thread.

    Its threads wait for a request that has begun: two hundred clients that each sent half a head stopped a
    site with eight threads for 20 seconds. Here the loop gathers what arrives, for WHOLE_REQUEST seconds. The
    loop itself answers what the site can answer from memory (`at_once` of its extensions).
    """

    def load_wsgi(self) -> None:
        """Load the site, and what of it answers at once."""
        super().load_wsgi()
        self.at_once: AtOnce = self.wsgi.extensions.get("at_once", _nothing)

    def init_signals(self) -> None:
        """Take the signals that came since this process began, too."""
        super().init_signals()
        take_endings()

    def accept(self, listener: socket) -> None:
        """Wait for a new connection's request without a thread."""
        try:
            client, address = listener.accept()
        except (BlockingIOError, ConnectionAbortedError):
            return
        self.nr_conns += 1
        conn = TConn(self.cfg, client, address, listener.getsockname())
        conn.until = time.monotonic() + random.uniform(0.5, 1.0) * LONGEST_CONNECTION
        self._gather(conn)

    def on_client_socket_readable(self, conn: Any, client: socket) -> None:
        """Answer the next request of a connection that was kept alive, or gather it."""
        try:
            data = client.recv(LARGEST_HEAD)
        except (BlockingIOError, InterruptedError):
            return
        except OSError:
            data = b""
        self.keepalived_conns.remove(conn)
        if data and self._answer(conn, data):
            conn.set_timeout()
            self.keepalived_conns.append(conn)
            return
        self.poller.unregister(client)
        if data:
            self._gather(conn, data)
        else:  # closed by the client
            self._drop(conn)

    def on_pending_socket_readable(self, conn: Any, client: socket) -> None:
        """Take what has arrived, and give the request to a thread once it is whole."""
        try:
            data = client.recv(LARGEST_HEAD)
        except (BlockingIOError, InterruptedError):
            return
        except OSError:
            data = b""
        if data and conn.refused:  # read and forgotten: closed with it unread, it would take the answer along
            return
        conn.gathered += data
        if data and self._refuse(conn):
            return
        if data and not arrived(conn.gathered):
            return
        self.poller.unregister(client)
        self.pending_conns.remove(conn)
        if not data:  # closed by the client
            self._drop(conn)
            return
        conn.init()
        if self._answer(conn, bytes(conn.gathered)):
            conn.sock.setblocking(False)
            conn.set_timeout()
            self.keepalived_conns.append(conn)
            self.poller.register(client, EVENT_READ, partial(self.on_client_socket_readable, conn))
            return
        conn.parser.unreader.unread(bytes(conn.gathered))
        super().enqueue_req(conn)

    def enqueue_req(self, conn: Any) -> None:
        """Go on with the next request of a connection, of which a part came together with the one before."""
        self._gather(conn, conn.parser.unreader.take_buffered())

    def finish_request(self, conn: Any, fs: Any) -> None:
        """Keep the connection for the next request, or wait for its client to close it without a thread.

        Gunicorn waits for that in the loop, up to two seconds in which nobody else is heard.
        """
        if fs.cancelled() or fs.exception() is not None or fs.result() or conn.sock.fileno() < 0:
            super().finish_request(conn, fs)
            return
        with suppress(OSError):
            conn.sock.shutdown(SHUT_WR)
        conn.refused = True
        self._wait_for(conn)
        if not self.alive:  # the cap at the stop's start did not see this one
            conn.timeout = min(conn.timeout, time.monotonic() + STOP_KEEPALIVE_LINGER)

    def handle_request(self, req: Any, conn: Any) -> Any:
        """Answer a request; a thread waits for the rest of a body as long as its Allowance."""
        if time.monotonic() > conn.until:
            req.force_close()
        unreader = conn.parser.unreader
        if rest := unfinished(conn.gathered):
            unreader.sock = Allowance(conn.sock, rest)  # the site then sees a client that has gone
        conn.gathered = bytearray()
        try:
            return super().handle_request(req, conn)
        finally:
            unreader.sock = conn.sock

    def _answer(self, conn: Any, request: bytes) -> bool:
        """Whether this needed no thread. The connection is not registered for anything else then."""
        answer = self.at_once(request) if self.alive and time.monotonic() < conn.until else None
        if answer is None:
            return False
        conn.sock.setblocking(False)  # the loop waits for no client
        try:
            whole = conn.sock.send(answer) == len(answer)
        except OSError:
            whole = False
        if not whole:  # nobody reads what came before, or has gone: the next look finds it closed
            with suppress(OSError):
                conn.sock.shutdown(SHUT_RDWR)
        return True

    def _gather(self, conn: Any, begun: bytes = b"") -> None:
        conn.gathered = bytearray(begun)
        conn.refused = False
        if refusal(begun) is None and arrived(begun):
            conn.parser.unreader.unread(begun)
            super().enqueue_req(conn)
            return
        self._wait_for(conn)
        self._refuse(conn)

    def _wait_for(self, conn: Any) -> None:
        """Take what arrives on a connection, for WHOLE_REQUEST seconds."""
        conn.sock.setblocking(False)
        conn.timeout = time.monotonic() + WHOLE_REQUEST
        if len(self.pending_conns) >= self.worker_connections // 2:
            oldest = self.pending_conns.popleft()
            self.poller.unregister(oldest.sock)
            self._drop(oldest)
        self.pending_conns.append(conn)
        self.poller.register(conn.sock, EVENT_READ, partial(self.on_pending_socket_readable, conn))

    def _refuse(self, conn: Any) -> bool:
        """Answer a request that gets no thread. The connection stays until the client or its time ends it."""
        status = refusal(conn.gathered)
        if status is not None:
            conn.refused = True
            conn.gathered.clear()
            with suppress(OSError):
                conn.sock.send(
                    f"HTTP/1.1 {status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n".encode()
                )
                conn.sock.shutdown(SHUT_WR)
        return status is not None

    def _drop(self, conn: Any) -> None:
        self.nr_conns -= 1
        conn.close()

    def _cap_keepalive(self, deadline: float) -> None:
        """When the worker stops, wait for what has not arrived no longer than for kept connections."""
        super()._cap_keepalive(deadline)
        for conn in self.pending_conns:
            conn.timeout = min(conn.timeout, deadline)


class ServerLog(Logger):  # type: ignore[misc]  # gunicorn has no types
    """Gunicorn's errors as lines; the site itself logs requests, by routes in place of addresses."""

    def setup(self, cfg: Any) -> None:
        """Set up logging; called by gunicorn at its start."""
        super().setup(cfg)
        logs.take_over("gunicorn.error")


def memory() -> int:
    """Return this process's resident memory in bytes; 0 where the system does not tell."""
    try:
        return int(Path("/proc/self/statm").read_text().split()[1]) * _PAGE
    except OSError:
        return 0


def recycle(worker: Any, most: int) -> None:
    """Have the worker leave after its present requests if it holds more than `most` bytes.

    Asked after each request, it looks once in LOOK_AFTER: a look takes as long as a fortieth of a batch.
    """
    if worker.alive and worker.nr % LOOK_AFTER == 0 and (held := memory()) > most:
        worker.log.warning("worker holds %s MB and is replaced", held // 2**20)
        worker.alive = False
