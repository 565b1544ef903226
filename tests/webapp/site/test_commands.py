"""What `flask` commands say to an operator whose database cannot be used."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import click
import pytest
import sqlalchemy as sa
from flask import Flask

from tests.webapp.furnished import at, opened
from tests.webapp.processes import START, running
from webapp.process.commands.telling import Told
from webapp.process.database import db, writing
from webapp.site.commands import ask_of_a_site

DOWN = "postgresql://ninefold@127.0.0.1:1/ninefold"
OF_A_SITE = [
    ["curators", "list"],
    ["curators", "add", "Ada"],
    ["players", "suspend", "Ada", "--reason", "bots"],
    ["bank", "fill"],
    ["desk", "order", "3"],
    ["desk", "export"],
    ["rotate-key"],
    ["verify"],
    ["prune"],
    ["forget", "1"],
    ["worker"],
]
OTHERS = [["db", "upgrade"], ["db", "current"], ["backup", "there"]]


def said(app: Flask, args: list[str]) -> str:
    """What a command says that fails as it should: no traceback, status 1."""
    done = app.test_cli_runner().invoke(args=args)
    assert isinstance(done.exception, SystemExit), done.exception
    assert done.exit_code == 1
    return done.output


@pytest.fixture
def unmigrated(tmp_path: Path) -> Iterator[Flask]:
    with opened(at(tmp_path)) as app:
        yield app


@pytest.mark.parametrize("args", OF_A_SITE, ids=" ".join)
def test_a_database_without_a_schema_is_told_in_a_sentence(unmigrated: Flask, args: list[str]) -> None:
    told = said(unmigrated, args)
    assert told == "Error: The database has no schema yet. Run `flask db upgrade` first.\n"


@pytest.mark.parametrize("args", OF_A_SITE + OTHERS, ids=" ".join)
def test_a_database_that_is_down_is_told_in_a_sentence(tmp_path: Path, args: list[str]) -> None:
    with opened(at(tmp_path, DATABASE_URL=DOWN)) as app:
        told = said(app, args)
    assert told.startswith("Error: ")
    assert "onnection refused" in told and "\n" not in told.strip()


def run_sql(app: Flask, *statements: str) -> None:
    with app.app_context(), writing(), db.engine.begin() as connection:
        for statement in statements:
            connection.execute(sa.text(statement))


@pytest.mark.parametrize("args", [["curators", "list"], ["db", "upgrade"]], ids=" ".join)
def test_a_schema_of_a_newer_release_is_told_in_a_sentence(unmigrated: Flask, args: list[str]) -> None:
    run_sql(
        unmigrated,
        "CREATE TABLE alembic_version (version_num VARCHAR)",
        "INSERT INTO alembic_version VALUES ('9999')",
    )
    told = said(unmigrated, args)
    assert told == "Error: The database is of a newer release: this one does not know its schema 9999.\n"


def test_a_schema_of_an_older_release_is_told_in_a_sentence(unmigrated: Flask) -> None:
    run_sql(
        unmigrated,
        "CREATE TABLE alembic_version (version_num VARCHAR)",
        "INSERT INTO alembic_version VALUES ('0001')",
    )
    assert "an older release (schema 0001)" in said(unmigrated, ["curators", "list"])


def test_a_database_of_something_else_is_not_to_be_upgraded(unmigrated: Flask) -> None:
    run_sql(unmigrated, "CREATE TABLE customer (name TEXT)")
    assert "not Ninefold’s" in said(unmigrated, ["curators", "list"])


def test_every_command_tells_what_goes_wrong(app: Flask) -> None:
    """Also those to come: `serve` alone has its own words."""

    def untold(commands: dict[str, click.Command]) -> Iterator[str]:
        for name, command in commands.items():
            if not isinstance(command, Told):
                yield from untold(command.commands) if isinstance(command, click.Group) else [name]

    assert list(untold(app.cli.commands)) == ["serve"]


@pytest.mark.slow
@pytest.mark.parametrize("command", ["verify", "backup"])
def test_a_command_makes_nothing_where_no_site_is(tmp_path: Path, command: str) -> None:
    """Also not where INSTANCE_PATH was forgotten."""
    nowhere = tmp_path / "instance"
    args = ("flask", "--app", "wsgi", command, *[str(tmp_path / "backup")][: command == "backup"])
    with running(*args, instance=nowhere, log=tmp_path / "log") as process:
        assert process.popen.wait(START) == 1
    assert process.output() == f"INSTANCE_PATH: there is no site at {nowhere} yet\n"
    assert [path.name for path in tmp_path.iterdir()] == ["log"]


@pytest.mark.parametrize(
    ("line", "needed"),
    [
        ("curators list", True),
        ("restore backup", False),
        ("db upgrade", False),
        ("verify --help", False),
        ("--help", False),
    ],
)
def test_some_commands_may_be_run_before_there_is_a_site(line: str, needed: bool) -> None:
    assert ask_of_a_site(["flask", "--app", "wsgi", *line.split()]) is needed


def test_help_needs_no_database(unmigrated: Flask) -> None:
    assert unmigrated.test_cli_runner().invoke(args=["curators", "list", "--help"]).exit_code == 0
