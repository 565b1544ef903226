"""Which schema a database has, and which this release needs."""

from __future__ import annotations

from functools import cache

import sqlalchemy as sa
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy.engine import Connection

from webapp.process.config import ROOT


@cache
def revisions() -> tuple[str, ...]:
    """The schema revisions this release knows, oldest first; the last is its own."""
    chain = list(ScriptDirectory(str(ROOT / "migrations")).walk_revisions())
    return tuple(script.revision for script in reversed(chain))


def newer(connection: Connection) -> str | None:
    """Return a sentence for the operator if this release doesn't know the database's schema, else None."""
    return unknown(_revisions_of(connection))


def unknown(found: set[str]) -> str | None:
    """Return the same for the revisions of a database."""
    if others := found.difference(revisions()):
        if max(others) < revisions()[0]:
            return (
                f"The database is from before the first release (schema {max(others)}), too old to upgrade."
            )
        return f"The database is of a newer release: this one does not know its schema {', '.join(others)}."
    return None


def fault(connection: Connection) -> str | None:
    """Return a sentence for the operator if this release can't use the database; None if it can."""
    if (found := _revisions_of(connection)) == {revisions()[-1]}:
        return None
    if found:
        return newer(connection) or (
            f"The database is of an older release (schema {', '.join(found)}). Run `flask db upgrade` first."
        )
    if sa.inspect(connection).get_table_names():
        return "The database holds tables that are not Ninefold’s. Use another database."
    return "The database has no schema yet. Run `flask db upgrade` first."


def _revisions_of(connection: Connection) -> set[str]:
    return set(MigrationContext.configure(connection).get_current_heads())
