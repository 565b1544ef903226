"""Commands that tell what goes wrong in one sentence, with exit status 1."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import click
import psycopg
import sqlalchemy as sa
from flask import current_app
from flask.cli import AppGroup, ScriptInfo

from webapp.process.commands import schema
from webapp.process.database import Busy, db, sqlite_module
from webapp.process.errors import Refusal


class Trouble(click.ClickException):
    """Why a command did nothing, in a sentence for the operator."""


@contextmanager
def _told() -> Iterator[None]:
    try:
        yield
    except Refusal as error:
        raise Trouble(str(error)) from None
    except Busy:
        raise Trouble("The database is busy. Try again in a minute.") from None
    except (
        sqlite3.Error,
        sqlite_module()[0].Error,
        psycopg.Error,
        sa.exc.DBAPIError,
        sa.exc.TimeoutError,
    ) as error:
        reason = str(getattr(error, "orig", error)).partition("\n")[0]
        raise Trouble(f"The database reports: {reason}") from None


class Told(click.Command):
    """A command that needs no site, or looks for one itself."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run it."""
        if not current_app:
            ctx.with_resource(ctx.ensure_object(ScriptInfo).load_app().app_context())
        with _told():
            self.check()
            return super().invoke(ctx)

    def check(self) -> None:
        """Raise Trouble if it cannot be run."""


class OfSite(Told):
    """A command that needs a database with the schema of this release."""

    def check(self) -> None:
        """Raise Trouble if the database has another schema."""
        with db.engine.connect() as connection:
            fault = schema.fault(connection)
        if fault is not None:
            raise Trouble(fault)


class Commands(AppGroup):
    """A group of commands, which all need the site."""

    command_class = OfSite


class ToldGroup(Told, click.Group):
    """A group of commands made by others."""
