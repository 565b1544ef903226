"""Large answers: built in a file before they are sent, one at a time in a process, in small pieces.

A slow reader would otherwise hold a thread and a snapshot of the database for as long as they like. The web
server's sockets buffer what any page has (webapp/process/server.py), so a thread waits for downloads alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from tempfile import TemporaryFile
from threading import Lock
from typing import IO, Any

from flask import Response

from webapp.process.database import Busy, db

PIECE = 32 * 1024  # bytes
SENDING = 10.0  # seconds for the socket to take a piece; slower readers are cut off
_one = Lock()


class _File(Iterator[bytes]):
    """The pieces of a file, which is closed after the last, or with the response."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file

    def __next__(self) -> bytes:
        piece = b"" if self._file.closed else self._file.read(PIECE)
        if not piece:
            self.close()
            raise StopIteration
        return piece

    def __del__(self) -> None:
        """Close the file of a response that nobody closed."""
        self.close()

    def close(self) -> None:
        """Let the next download begin."""
        if not self._file.closed:
            self._file.close()
            _one.release()


def download(parts: Iterable[str], content_type: str, name: str) -> Response:
    """Return the response with this file, once it is complete. Raises Busy while another is being sent."""
    if not _one.acquire(blocking=False):
        raise Busy("another download is being sent")
    file = TemporaryFile()  # noqa: SIM115 # closed with the response
    pieces = _File(file)
    try:
        for part in parts:
            file.write(part.encode())
        size = file.tell()
        file.seek(0)
        db.session.rollback()  # ends the snapshot
    except BaseException:
        pieces.close()
        raise
    headers = {"Content-Disposition": f"attachment; filename={name}", "Content-Length": str(size)}
    return Response(pieces, content_type=content_type, headers=headers)


def in_pieces(inner: Any) -> Any:
    """Return the WSGI app with its answers in pieces, each of which the client must take in time."""

    def answer(environ: dict[str, Any], start_response: Any) -> Any:
        parts = inner(environ, start_response)
        socket = environ.get("gunicorn.socket")
        if socket is None:
            return parts
        socket.settimeout(SENDING)
        return _Pieces(parts)

    return answer


class _Pieces:
    """An iterable of bytes, divided into pieces."""

    def __init__(self, parts: Any) -> None:
        self._parts = parts

    def __iter__(self) -> Iterator[bytes]:
        for part in self._parts:
            if len(part) <= PIECE:
                yield part
            else:
                for start in range(0, len(part), PIECE):
                    yield part[start : start + PIECE]

    def close(self) -> None:
        """Close the parts, too."""
        if hasattr(self._parts, "close"):
            self._parts.close()
