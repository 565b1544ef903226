"""Errors of `flask` commands for an operator whose database cannot be used."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
import sqlalchemy as sa
from flask import Flask

from tests.thorough import one_in
from tests.webapp.processes import ROOT, START, running
from tests.webapp.stocked import at, opened
from webapp.process.commands.reporting import Reported
from webapp.process.database import db, writing
from webapp.process.errors import SettingError
from webapp.site.commands import require_site

DOWN = "postgresql://ninefold@127.0.0.1:1/ninefold"
OF_A_SITE = [
    ["curators", "list"],
    ["curators", "add", "Ada"],
    ["desk", "order", "3"],
    ["desk", "export"],
    ["rotate-key"],
    ["verify"],
    ["players", "show", "Ada"],
    ["players", "delete", "Ada"],
    ["curators", "codes", "Ada"],
    ["worker"],
]
OTHERS = [["db", "upgrade"], ["db", "current"], ["backup", "there"]]


def said(app: Flask, args: list[str]) -> str:
    """Run a command that fails cleanly: no traceback, status 1. Returns its output."""
    done = app.test_cli_runner().invoke(args=args)
    assert isinstance(done.exception, SystemExit), done.exception
    assert done.exit_code == 1
    return done.output


@pytest.fixture
def unmigrated(instance: Path) -> Iterator[Flask]:
    with opened(at(instance)) as app:
        yield app


def test_a_database_without_a_schema_gets_a_sentence(unmigrated: Flask) -> None:
    for args in OF_A_SITE:
        message = said(unmigrated, args)
        assert message == "Error: The database has no schema yet. Run `flask db upgrade` first.\n", args


def test_a_database_that_is_down_gets_a_sentence(instance: Path) -> None:
    with opened(at(instance, DATABASE_URL=DOWN)) as app:
        for args in one_in(3, OF_A_SITE + OTHERS):
            message = said(app, args)
            assert message.startswith("Error: "), args
            assert "onnection refused" in message and "\n" not in message.strip(), args


def run_sql(app: Flask, *statements: str) -> None:
    with app.app_context(), writing(), db.engine.begin() as connection:
        for statement in statements:
            connection.execute(sa.text(statement))


@pytest.mark.parametrize(
    ("command", "revision", "words"),
    [
        ("curators list", "9999", "of a newer release: this one does not know its schema 9999."),
        ("db upgrade", "9999", "of a newer release: this one does not know its schema 9999."),
        ("curators list", "0055", "of an older release (schema 0055). Run `flask db upgrade` first."),
        ("curators list", "0044", "from before the first release (schema 0044), too old to upgrade."),
    ],
)
def test_a_schema_of_another_release_gets_a_sentence(
    unmigrated: Flask, command: str, revision: str, words: str
) -> None:
    run_sql(
        unmigrated,
        "CREATE TABLE alembic_version (version_num VARCHAR)",
        f"INSERT INTO alembic_version VALUES ('{revision}')",  # noqa: S608
    )
    assert said(unmigrated, command.split()) == f"Error: The database is {words}\n"


def test_a_database_of_something_else_is_not_to_be_upgraded(unmigrated: Flask) -> None:
    run_sql(unmigrated, "CREATE TABLE customer (name TEXT)")
    assert "not Ninefold’s" in said(unmigrated, ["curators", "list"])


def test_every_command_reports_errors(app: Flask) -> None:
    """Also for future commands; only `serve` has its own message."""

    def silent(commands: dict[str, click.Command]) -> Iterator[str]:
        for name, command in commands.items():
            if not isinstance(command, Reported):
                yield from silent(command.commands) if isinstance(command, click.Group) else [name]

    assert list(silent(app.cli.commands)) == ["serve"]


@pytest.mark.slow
@pytest.mark.parametrize("command", ["verify", "backup"])
def test_a_command_makes_nothing_where_no_site_is(tmp_path: Path, command: str) -> None:
    """Also if INSTANCE_PATH was forgotten."""
    nowhere = tmp_path / "instance"
    args = ("flask", "--app", "wsgi", command, *[str(tmp_path / "backup")][: command == "backup"])
    with running(*args, instance=nowhere, log=tmp_path / "log") as process:
        assert process.popen.wait(START) == 1
    assert process.output() == f"INSTANCE_PATH: there is no site at {nowhere} yet\n"
    assert [path.name for path in tmp_path.iterdir()] == ["log"]


def test_some_commands_need_no_site_yet(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("INSTANCE_PATH", str(tmp_path))
    monkeypatch.delenv("DATABASE_URL", raising=False)
    for line in ("restore backup", "db upgrade", "verify --help", "--help"):
        require_site(["flask", "--app", "wsgi", *line.split()])
    with pytest.raises(SettingError, match="there is no site at"):
        require_site(["flask", "--app", "wsgi", "curators", "list"])


@pytest.mark.slow
def test_the_list_of_commands_is_the_operators(instance: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "flask", "--app", "wsgi", "--help"],
        cwd=ROOT,
        env={**os.environ, "INSTANCE_PATH": str(instance), "COLUMNS": "80"},
        capture_output=True,
        text=True,
    )
    rows = [line.split(maxsplit=1) for line in done.stdout.partition("Commands:\n")[2].splitlines()]
    listed = [name for name, _about in rows]
    assert {"backup", "doctor", "mail", "players", "serve"} <= set(listed)
    assert not {"run", "routes", "shell"} & set(listed)
    assert [about for _name, about in rows if about.endswith("...")] == []


def test_a_long_list_of_names_wraps(unmigrated: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    done = unmigrated.test_cli_runner().invoke(args=["desk", "order", "3", "--hardest", "skyscrapper"])
    assert done.exit_code == 2
    assert "Did you mean skyscraper?" in done.output
    assert max(map(len, done.output.splitlines())) <= 80
    for command in ("order", "export", "import", "schedule"):
        shown = unmigrated.test_cli_runner().invoke(args=["desk", command, "--help"]).output
        assert max(map(len, shown.splitlines())) <= 80, shown


def test_help_needs_no_database(unmigrated: Flask) -> None:
    assert unmigrated.test_cli_runner().invoke(args=["curators", "list", "--help"]).exit_code == 0
