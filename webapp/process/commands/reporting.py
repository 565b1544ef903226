"""Click commands that report an error in one sentence and exit with status 1."""

from __future__ import annotations

import shutil
import sys
import textwrap
from collections.abc import Iterator
from contextlib import contextmanager
from difflib import get_close_matches
from typing import Any

import click
import sqlalchemy as sa
from flask import current_app
from flask.cli import AppGroup, ScriptInfo

from webapp.process.commands import schema
from webapp.process.database import Busy, db
from webapp.process.errors import Refusal
from webapp.process.operation.patience import unavailable

DRIVERS = ("sqlite3", "pysqlite3", "psycopg")  # of databases; a command loads the one it needs


class Trouble(click.ClickException):
    """An error that stops a command; its text is a sentence for the operator."""

    def format_message(self) -> str:
        """Return the sentence, which may quote others."""
        return printed(self.message)


def printed(text: str) -> str:
    """Return a text for a terminal: what doesn't print as its number."""
    return "".join(mark if mark in "\n\t" or mark.isprintable() else f"<U+{ord(mark):04X}>" for mark in text)


def say(text: str, *, err: bool = False) -> None:
    """Print a line that may quote players, curators or files: what doesn't print as its number."""
    click.echo(printed(text), err=err)


def pour(text: str) -> None:
    """Print a part of a document: unchanged into a file or a pipe, like `say` on a terminal."""
    click.echo(printed(text) if sys.stdout.isatty() else text, nl=False)


@contextmanager
def reported() -> Iterator[None]:
    """Raise Trouble in place of a refusal or an error of the database."""
    try:
        yield
    except Refusal as error:
        raise Trouble(str(error)) from None
    except Busy:
        raise Trouble("The database is busy. Try again in a minute.") from None
    except Exception as error:
        driver = type(error).__module__.partition(".")[0] in DRIVERS
        if not driver and not isinstance(error, (sa.exc.DBAPIError, sa.exc.TimeoutError)):
            raise
        reason = str(getattr(error, "orig", error)).partition("\n")[0]
        away = isinstance(error, sa.exc.SQLAlchemyError) and unavailable(error)
        name = "DATABASE_URL: cannot use the database" if away else "The database reports"
        raise Trouble(f"{name}: {reason}") from None


class Reported(click.Command):
    """A command that doesn't need the site, or loads it itself."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command and report its errors."""
        if not current_app:
            ctx.with_resource(ctx.ensure_object(ScriptInfo).load_app().app_context())
        with reported():
            self.check()
            return super().invoke(ctx)

    def check(self) -> None:
        """Raise Trouble if the command can't run."""


class OfSite(Reported):
    """A command that needs a database with this release's schema."""

    def check(self) -> None:
        """Raise Trouble if the database has another schema."""
        with db.engine.connect() as connection:
            fault = schema.fault(connection)
        if fault is not None:
            raise Trouble(fault)


class Names(click.Choice[str]):
    """One of many names: an unknown one gets the nearest, and the list wraps at the width of the terminal."""

    def get_invalid_choice_message(self, value: str, ctx: click.Context | None) -> str:  # noqa: ARG002 # click passes it
        """Return the message about a name that isn't in the list."""
        near = get_close_matches(value, self.choices, 1)
        meant = f"Did you mean {near[0]}? " if near else ""
        width = shutil.get_terminal_size().columns
        listed = textwrap.fill(", ".join(self.choices), width, break_on_hyphens=False)
        return f"unknown name {value!r}.\n\n{meant}The names are:\n\n{listed}"


class Commands(AppGroup):
    """A group of commands that all need the site."""

    command_class = OfSite


class ReportedGroup(Reported, click.Group):
    """A group of third-party commands."""
