"""Connect Alembic to the app's database; run through `flask db`."""

from __future__ import annotations

import warnings
from typing import Any

import sqlalchemy as sa
from alembic import context
from alembic.util import CommandError

from webapp.models import months
from webapp.process.commands import schema
from webapp.process.commands.reporting import Trouble
from webapp.process.database import Base, db, writing
from webapp.process.operation import patience

# Neither SQLite nor Alembic can compare such indexes.
warnings.filterwarnings("ignore", ".*expression-based index")


def compare_default(*compared: Any) -> bool | None:
    """Tell Alembic that SQLite's bracketed empty text is an equal default; it compares all others."""
    there, wanted = compared[3], compared[5]
    return False if (there, wanted) == ("('')", "") else None


def render_item(kind: str, item: Any, _context: Any) -> str | bool:
    """Render our column types as what they store, so that a migration doesn't depend on the site's code."""
    decorated = kind == "type" and isinstance(item, sa.types.TypeDecorator)
    return f"sa.{item.impl_instance!r}" if decorated else False


def number(_context: Any, _revision: Any, directives: list[Any]) -> None:
    """Name a new migration by the number that follows."""
    for directive in directives:
        directive.rev_id = f"{int(schema.revisions()[-1]) + 1:04}"


def run_migrations() -> None:
    """Run the requested migrations in one transaction on the app's own engine."""
    with writing(), db.engine.connect() as connection:
        driver = connection.connection.driver_connection
        assert driver is not None
        sqlite = connection.dialect.name == "sqlite"
        if sqlite:
            # Rebuilding a table must not delete the rows that reference it.
            driver.execute("PRAGMA foreign_keys=OFF").close()
        context.configure(
            connection=connection,
            target_metadata=Base.metadata,
            compare_server_default=compare_default,
            render_item=render_item,
            process_revision_directives=number,
            include_object=months.compared,
            render_as_batch=True,
        )
        try:
            with context.begin_transaction():
                if not sqlite:
                    # The limits are for players' requests; an index over a large table may take longer, and a
                    # busy machine may pause between two steps.
                    connection.exec_driver_sql("SET LOCAL statement_timeout = 0")
                    connection.exec_driver_sql("SET LOCAL lock_timeout = 0")
                    connection.exec_driver_sql("SET LOCAL idle_in_transaction_session_timeout = 0")
                context.run_migrations()
        except CommandError:
            if fault := schema.newer(connection):
                raise Trouble(fault) from None
            raise
        except sa.exc.DBAPIError as error:
            if patience.unavailable(error):
                raise
            raise Trouble(
                f"The database isn’t as its schema revision says: {error.orig}. Was it changed by hand? "
                "Nothing has changed. Restore the last backup with `flask restore --replace`, and upgrade."
            ) from None
        finally:
            if sqlite:
                # Without a migration to run, a read transaction is still open, and SQLite would ignore the
                # pragma.
                connection.rollback()
                driver.execute("PRAGMA foreign_keys=ON").close()


run_migrations()
