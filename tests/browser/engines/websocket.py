"""A WebSocket to a local browser, with the subset that WebDriver BiDi needs: whole text messages, in
order.
"""

from __future__ import annotations

import base64
import os
import socket
import struct

TEXT, CLOSE, PING, PONG = 1, 8, 9, 10


class WebSocket:
    """A connection to ws://127.0.0.1:`port``path`."""

    def __init__(self, port: int, path: str, timeout: float) -> None:
        self._socket = socket.create_connection(("127.0.0.1", port), timeout)
        key = base64.b64encode(os.urandom(16)).decode()
        lines = [
            f"GET {path} HTTP/1.1",
            f"Host: 127.0.0.1:{port}",
            "Upgrade: websocket",
            "Connection: Upgrade",
        ]
        lines += [f"Sec-WebSocket-Key: {key}", "Sec-WebSocket-Version: 13", "", ""]
        self._socket.sendall("\r\n".join(lines).encode())
        answer = b""
        while b"\r\n\r\n" not in answer:
            part = self._socket.recv(4096)
            if not part:
                raise ConnectionError("no WebSocket")
            answer += part
        head, _, self._rest = answer.partition(b"\r\n\r\n")
        if b" 101 " not in head.splitlines()[0]:
            raise ConnectionError(head.decode())

    def send(self, text: str) -> None:
        self._send(TEXT, text.encode())

    def patience(self, seconds: float) -> None:
        """Set how long to wait for a message."""
        self._socket.settimeout(seconds)

    def receive(self) -> str:
        """Return the next message."""
        message = b""
        while True:
            first, size = self._read(2)
            size &= 127
            if size > 125:
                (size,) = struct.unpack(">H" if size == 126 else ">Q", self._read(2 if size == 126 else 8))
            data = self._read(size)
            if first & 15 == PING:
                self._send(PONG, data)
            elif first & 15 == CLOSE:
                raise ConnectionError("the browser has closed the connection")
            elif first & 15 != PONG:
                message += data
                if first & 128:
                    return message.decode()

    def close(self) -> None:
        self._socket.close()

    def _send(self, kind: int, data: bytes) -> None:
        mask, size = os.urandom(4), len(data)
        if size < 126:
            length = bytes([size | 128])
        else:  # as short as it can be, or the browser closes the connection
            length = struct.pack(">BH", 126 | 128, size) if size < 1 << 16 else struct.pack(">BQ", 255, size)
        masked = bytes(byte ^ mask[place % 4] for place, byte in enumerate(data))
        self._socket.sendall(bytes([kind | 128]) + length + mask + masked)

    def _read(self, size: int) -> bytes:
        while len(self._rest) < size:
            part = self._socket.recv(65536)
            if not part:
                raise ConnectionError("the browser has gone")
            self._rest += part
        data, self._rest = self._rest[:size], self._rest[size:]
        return data
