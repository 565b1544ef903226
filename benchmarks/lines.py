"""Minimal kept-alive connections for load tests: a costly client would halve the server's rate."""

from __future__ import annotations

import asyncio
import re

AGAIN = 0.5  # seconds until a lost request is sent again, as the page does with moves
_LENGTH = re.compile(rb"\r\ncontent-length: (\d+)", re.IGNORECASE)
_CLOSING = re.compile(rb"\r\nconnection: close", re.IGNORECASE)


class _Connection(asyncio.Protocol):
    """A connection with one request at a time. asyncio's streams would cost twice as much."""

    def __init__(self) -> None:
        self.open = True
        self.transport: asyncio.WriteTransport
        self._arrived = bytearray()
        self._waiting: asyncio.Future[tuple[bytes, bytes]] | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.WriteTransport)
        self.transport = transport

    def connection_lost(self, _error: Exception | None) -> None:
        self.open = False
        if self._waiting is not None and not self._waiting.done():
            self._waiting.set_exception(ConnectionResetError())

    def data_received(self, data: bytes) -> None:
        self._arrived += data
        end = self._arrived.find(b"\r\n\r\n")
        if end < 0 or self._waiting is None:
            return
        length = _LENGTH.search(self._arrived, 0, end)
        if len(self._arrived) < end + 4 + int(length[1] if length else 0):
            return
        head, body = bytes(self._arrived[:end]), bytes(self._arrived[end + 4 :])
        self._arrived.clear()
        if _CLOSING.search(head):  # servers do so now and then, to spread their load
            self.close()
        self._waiting.set_result((head, body))

    def close(self) -> None:
        self.open = False
        self.transport.close()

    async def ask(self, request: bytes) -> tuple[bytes, bytes]:
        self._waiting = asyncio.get_running_loop().create_future()
        self.transport.write(request)
        return await self._waiting


class Line:
    """One connection at a time to a local port, reopened when the server has closed it."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.lost = 0  # requests that were sent again
        self._connection: _Connection | None = None

    async def ask(self, request: bytes) -> tuple[bytes, bytes]:
        """Return head and body of the response, sending the request again until there is one.

        One request at a time; use it in one event loop until it is closed.
        """
        while True:
            try:
                if self._connection is None or not self._connection.open:
                    loop = asyncio.get_running_loop()
                    _, self._connection = await loop.create_connection(_Connection, "127.0.0.1", self.port)
                return await self._connection.ask(request)
            except OSError:
                self.lost += 1
                await asyncio.sleep(AGAIN)

    def close(self) -> None:
        """Close the connection; the next request opens another."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None
