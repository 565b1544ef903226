"""Large answers: built in a file before they are sent, one at a time in a process, in small pieces.

A slow reader would otherwise hold a thread and a snapshot of the database for as long as they like. The web
server's sockets buffer what any page has (webapp/process/server.py), so a thread waits for downloads alone.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from tempfile import TemporaryFile
from threading import Lock
from typing import IO, Any
from weakref import finalize

from flask import Response
from werkzeug.wsgi import ClosingIterator

from webapp.process.database import Busy, db

PIECE = 32 * 1024  # bytes
SENDING = 10.0  # seconds for the socket to take a piece; slower readers are cut off
_one = Lock()


def download(parts: Iterable[str | bytes], content_type: str, name: str) -> Response:
    """Return the response with this file, once it is complete. Raises Busy while another is being sent."""
    if not _one.acquire(blocking=False):
        raise Busy("another download is being sent")
    file = TemporaryFile()  # noqa: SIM115 # closed with the response
    try:
        for part in parts:
            file.write(part.encode() if isinstance(part, str) else part)
        size = file.tell()
        file.seek(0)
        db.session.rollback()  # ends the snapshot
    except BaseException:
        _end(file)
        raise
    headers = {"Content-Disposition": f"attachment; filename={name}", "Content-Length": str(size)}
    response = Response(iter(partial(file.read, PIECE), b""), content_type=content_type, headers=headers)
    response.call_on_close(finalize(response, _end, file))  # once, even if nobody closes the response
    return response


def _end(file: IO[bytes]) -> None:
    file.close()
    _one.release()


def in_pieces(inner: Any) -> Any:
    """Return the WSGI app with its answers in pieces, each of which the client must take in time."""

    def answer(environ: dict[str, Any], start_response: Any) -> Any:
        parts = inner(environ, start_response)
        socket = environ.get("gunicorn.socket")
        if socket is None:
            return parts
        socket.settimeout(SENDING)
        pieces = (part[start : start + PIECE] for part in parts for start in range(0, len(part), PIECE))
        return ClosingIterator(pieces, getattr(parts, "close", None))

    return answer
