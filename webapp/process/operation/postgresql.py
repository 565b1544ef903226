"""Connections to PostgreSQL, imported where DATABASE_URL asks for it: the driver takes 9 MB."""

from __future__ import annotations

from typing import Any

import psycopg
from flask import has_request_context
from psycopg.pq import TransactionStatus

from webapp.process.operation.patience import LONGEST


class Connection(psycopg.Connection[Any]):
    """A connection that times out, within a request, on a server that accepts packets but doesn't answer.

    PostgreSQL's own timeouts don't run while it is frozen, and TCP sees every packet acknowledged.
    """

    def wait(self, gen: Any, interval: float = 0.1, timeout: float | None = None) -> Any:
        """Run a step of the protocol; the connection is closed if there is no answer in time."""
        if timeout is not None or not has_request_context():
            return super().wait(gen, interval, timeout)
        try:
            return super().wait(gen, interval, LONGEST)
        except psycopg.OperationalError:
            if self.info.transaction_status == TransactionStatus.ACTIVE:
                self.close()
            raise
