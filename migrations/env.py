"""How Alembic reaches the app's database; run through `flask db`."""

from __future__ import annotations

from alembic import context
from flask import current_app

from webapp.database import Base, db, writing


def run_migrations() -> None:
    """Run what is asked for in one transaction on the app's own engine."""
    sqlite = db.engine.dialect.name == "sqlite"
    with writing(), db.engine.connect() as connection:
        if sqlite:
            # A table that is rebuilt must not take the rows that point at it along.
            connection.connection.driver_connection.execute("PRAGMA foreign_keys=OFF").close()
        context.configure(
            connection=connection,
            target_metadata=Base.metadata,
            compare_server_default=True,
            **current_app.extensions["migrate"].configure_args,
        )
        with context.begin_transaction():
            context.run_migrations()
        if sqlite:
            connection.connection.driver_connection.execute("PRAGMA foreign_keys=ON").close()


run_migrations()
