"""Statements that run all the time, compiled once; and the rule that nothing is written by chance.

SQLAlchemy takes ten times as long as SQLite to look an indexed row up: it finds the compiled statement, and
makes contexts, cursors and results that a row or a count does not need. A `Statement` hands its compiled text
to the driver and converts values by the same types. Where somebody watches the engine, such as tracing or a
test, it runs as any other does.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextvars import ContextVar
from typing import Any, NamedTuple

import sqlalchemy as sa
from sqlalchemy.engine import Connection, Dialect

may_write: ContextVar[bool] = ContextVar("may_write", default=False)


class WriteOutsideTransaction(RuntimeError):
    """A write outside `write_tx()`: a programming error."""


def refuse_stray_writes(_cursor: Any, statement: str, *_more: Any) -> None:
    """Raise WriteOutsideTransaction for a write that nothing allows; called before each statement."""
    if not may_write.get() and statement.lstrip()[:6].upper() in ("INSERT", "UPDATE", "DELETE"):
        raise WriteOutsideTransaction(statement)


Convert = Callable[[Any], Any]
Values = Mapping[str, Any]  # by the names of the statement's parameters


class _Compiled(NamedTuple):
    """A statement for one database."""

    text: str
    names: Sequence[str]  # of its parameters, in the order of the text where the driver counts them
    by_position: bool
    incoming: Mapping[str, Convert]  # what converts values for the driver
    outgoing: Sequence[tuple[int, Convert]]  # what converts those of a column of the result

    def arguments(self, values: Values) -> Any:
        """Return the values as the driver takes them."""
        found = dict(values)
        for name, convert in self.incoming.items():
            found[name] = convert(found[name])
        return tuple([found[name] for name in self.names]) if self.by_position else found

    def row(self, found: Sequence[Any]) -> tuple[Any, ...]:
        """Return a row as Python has its values."""
        values = list(found)
        for index, convert in self.outgoing:
            values[index] = convert(values[index])
        return tuple(values)


class Statement:
    """One statement of SQLAlchemy's, for either database."""

    def __init__(self, statement: sa.Executable, columns: Sequence[str] = ()) -> None:
        """columns: those that an INSERT or UPDATE sets, which are parameters of the same names."""
        self._statement: Any = statement.execution_options(preserve_rowcount=True)  # of an INSERT too
        self._columns = list(columns) or None
        self._compiled: dict[str, _Compiled] = {}

    def rows(self, connection: Connection, values: Values) -> list[tuple[Any, ...]]:
        """Return the rows it reads."""
        if watched(connection):
            return [tuple(row) for row in connection.execute(self._statement, values)]
        compiled = self._for(connection.dialect)
        cursor = self._run(connection, compiled, values)
        found = cursor.fetchall()
        cursor.close()
        return [compiled.row(row) for row in found] if compiled.outgoing else found

    def changed(self, connection: Connection, *values: Values) -> int:
        """Run it with each of these values. Returns how many rows it stores, changes or deletes."""
        if watched(connection):
            return sum(connection.execute(self._statement, each).rowcount for each in values)
        count = 0
        for each in values:
            cursor = self._run(connection, self._for(connection.dialect), each)
            count += cursor.rowcount
            cursor.close()
        return count

    def _run(self, connection: Connection, compiled: _Compiled, values: Values) -> Any:
        cursor: Any = None
        try:
            cursor = connection.connection.cursor()
            refuse_stray_writes(cursor, compiled.text)
            cursor.execute(compiled.text, compiled.arguments(values))
        except Exception as error:
            # SQLAlchemy's own way to wrap an error of the driver and to drop a connection that is lost.
            connection._handle_dbapi_exception(error, compiled.text, None, cursor, None)
        return cursor

    def _for(self, dialect: Dialect) -> _Compiled:
        found = self._compiled.get(dialect.name)
        if found is None:
            found = self._compiled[dialect.name] = _compiled(self._statement, self._columns, dialect)
        return found


def watched(connection: Connection) -> bool:
    """Whether somebody listens to what this connection does."""
    return bool(connection._has_events or connection.engine._has_events)


def _compiled(statement: Any, columns: list[str] | None, dialect: Dialect) -> _Compiled:
    compiled: Any = statement.compile(dialect=dialect, column_keys=columns)
    incoming = {
        name: convert
        for name, parameter in compiled.binds.items()
        if (convert := parameter.type.dialect_impl(dialect).bind_processor(dialect)) is not None
    }
    outgoing = [
        (index, convert)
        for index, column in enumerate(getattr(statement, "selected_columns", ()))
        if (convert := column.type.dialect_impl(dialect).result_processor(dialect, None)) is not None
    ]
    names = compiled.positiontup if compiled.positional else list(compiled.binds)
    return _Compiled(str(compiled), names, compiled.positional, incoming, outgoing)
