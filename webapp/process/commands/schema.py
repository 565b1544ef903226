"""Which schema a database has, and this release needs. Only commands import Alembic, which is large."""

from __future__ import annotations

from argparse import Namespace
from functools import cache, partial
from pathlib import Path

import click
import sqlalchemy as sa
from sqlalchemy.engine import Connection

from webapp.process.config import ROOT
from webapp.process.database import db

MIGRATIONS = ROOT / "migrations"


def alembic(name: str, *words: str, folder: Path = MIGRATIONS, **options: str | bool) -> None:
    """Run a command of Alembic on the app's database, with the migrations in a folder."""
    from alembic import command
    from alembic.config import Config
    from alembic.util import CommandError

    config = Config(folder / "alembic.ini", cmd_opts=Namespace())
    config.set_main_option("script_location", str(folder))
    try:
        getattr(command, name)(config, *words, **options)
    except CommandError as error:
        raise click.ClickException(str(error)) from None


def upgrade(revision: str = "head") -> None:
    """Bring the app's database to a schema revision."""
    with db.engine.connect() as connection:
        there = _revisions_of(connection)
    if there != {revisions()[-1]}:  # Alembic takes a tenth of a restart
        alembic("upgrade", revision)


COMMANDS = (
    click.Command("upgrade", callback=upgrade, help="Bring the database to the schema of this release."),
    click.Command("current", callback=partial(alembic, "current"), help="Print the database’s revision."),
    click.Command("check", callback=partial(alembic, "check"), help="Compare the database with the models."),
    click.Command(
        "revision",
        params=[
            click.Option(["-m", "--message"], required=True),
            click.Option(["--autogenerate"], is_flag=True),
        ],
        callback=partial(alembic, "revision"),
        help="Add a migration with the next number, drafted with --autogenerate.",
    ),
)


@cache
def revisions() -> tuple[str, ...]:
    """The schema revisions this release knows, oldest first; the last is its own."""
    return tuple(sorted(file.name.partition("_")[0] for file in MIGRATIONS.glob("versions/*_*.py")))


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
    if not sa.inspect(connection).has_table("alembic_version"):
        return set()
    return set(connection.scalars(sa.text("SELECT version_num FROM alembic_version")))
