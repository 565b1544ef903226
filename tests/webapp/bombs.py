"""Uploads that would exhaust a server if it accepted them, sent over a socket, byte by byte if need be."""

from __future__ import annotations

import socket
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import chain, repeat

from tests.webapp.processes import Caller

BOUNDARY = "seam"
PART = (
    f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="bomb"\r\n'
    "Content-Type: application/octet-stream\r\n\r\n"
)
END = f"\r\n--{BOUNDARY}--\r\n"
PIECE = 16 * 1024  # bytes of an endless body at a time
PATIENCE = 10  # seconds without a response
UNDER_WAY = 64 * 1024  # bytes that our end of a socket buffers at most; by default it would be megabytes

_ENTITIES = "".join(
    f'<!ENTITY e{number} "{f"&e{number - 1};" * 10}">' for number in range(1, 10)
)  # ten to the tenth letters, once they are expanded


@dataclass(frozen=True)
class Refusal:
    """The server's response."""

    status: int
    seconds: float
    sent: int  # bytes of the body sent before it


def endless_chunks(caller: Caller) -> Refusal:
    """Send a file in chunks that never ends."""
    pieces = chain([PART.encode()], repeat(b"5" * PIECE))
    chunks = (f"{len(piece):x}\r\n".encode() + piece + b"\r\n" for piece in pieces)
    return _sent(caller, "Transfer-Encoding: chunked", chunks)


def _file(caller: Caller, text: str) -> Refusal:
    body = f"{PART}{text}{END}".encode()
    return _sent(caller, f"Content-Length: {len(body)}", iter([body]))


def _sent(caller: Caller, length: str, body: Iterator[bytes]) -> Refusal:
    """Send until there is a response; a response before a closed connection counts too."""
    head = (
        f"POST /admin/import HTTP/1.1\r\nHost: 127.0.0.1:{caller.port}\r\nCookie: {caller.cookie}\r\n"
        f"X-CSRFToken: {caller.token}\r\n{length}\r\n"
        f"Content-Type: multipart/form-data; boundary={BOUNDARY}\r\n\r\n"
    )
    sent, answer = 0, b""
    with socket.create_connection(("127.0.0.1", caller.port), timeout=PATIENCE) as connection:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, UNDER_WAY)
        started = time.monotonic()
        connection.sendall(head.encode())
        connection.setblocking(False)
        left = b""
        while not answer and time.monotonic() - started < PATIENCE:
            left = left or next(body, b"")
            try:
                taken = connection.send(left) if left else 0
                sent, left = sent + taken, left[taken:]
            except BlockingIOError:
                time.sleep(0.001)
            except OSError:  # it has closed the connection
                pass
            try:
                answer = connection.recv(65536)
            except BlockingIOError:
                time.sleep(0 if left else 0.001)
            except OSError:
                break
            else:
                if not answer:
                    break
        seconds = time.monotonic() - started
    status = answer.split(maxsplit=2)[1] if answer.startswith(b"HTTP/1.1 ") else b"0"
    return Refusal(int(status), seconds, sent)


def _document(doctype: str, entity: str) -> str:
    head = f'<?xml version="1.0"?><!DOCTYPE opensudoku [{doctype}]>'
    return f'{head}<opensudoku><game data="&{entity};"/></opensudoku>'


BOMBS: dict[str, Callable[[Caller], Refusal]] = {
    "2 GB declared": partial(_sent, length="Content-Length: 2147483648", body=repeat(bytes(PIECE))),
    "endless chunks": endless_chunks,
    "300,000 elements deep": partial(_file, text="<opensudoku>" + "<a>" * 300_000),
    "10^10 letters": partial(_file, text=_document(f'<!ENTITY e0 "1234567890">{_ENTITIES}', "e9")),
    "an entity of a file": partial(_file, text=_document('<!ENTITY e SYSTEM "file:///etc/passwd">', "e")),
}
