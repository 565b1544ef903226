"""Operator commands: `flask serve`, `worker`, `curators`, `rotate-key`. Each calls a service and prints."""

from __future__ import annotations

import os
import socket
from collections.abc import Sequence
from pathlib import Path

import click
from flask import Flask, current_app

from webapp.capability import capabilities_of, load
from webapp.curation import curators
from webapp.identity.players import with_name
from webapp.models import Role
from webapp.process import mail, signing
from webapp.process.children import leave, this_app
from webapp.process.clock import now
from webapp.process.commands import schema
from webapp.process.commands.reporting import Commands, OfSite, ReportedGroup, Trouble, say
from webapp.process.config import ROOT, SQLITE, Settings
from webapp.process.errors import SettingError
from webapp.process.mail import Mail, Refused
from webapp.site import doctor
from webapp.site import player_commands as players
from webapp.site.storage import commands as storage

curator_commands = Commands("curators", help="Manage who can use the curation desk.")
mail_commands = Commands("mail", help="Check that the site can send mail.")


@click.command("serve")
def serve_command() -> None:
    """Run everything on one machine.

    Migrates, stocks the bank, then runs the web server and the worker until Ctrl-C.
    """
    from webapp.site.serve import serve

    app = this_app()
    leave(app, serve(app))


@click.command("worker", cls=OfSite)
@click.option(
    "--name",
    default=socket.gethostname,
    help="This worker's name. Restart it under this name to resume its work.",
)
def worker_command(name: str) -> None:
    """Run background jobs until Ctrl-C."""
    from webapp.site.jobs.worker import run

    run(this_app(), name)


@click.command("rotate-key", cls=OfSite)
@click.option("--forget", is_flag=True, help="Accept only the newest key from now on.")
@click.option("--reseal", is_flag=True, help="Only reseal stored secrets with the newest key.")
def rotate_key_command(*, forget: bool, reseal: bool) -> None:
    """Add a signing key. Older ones are still accepted.

    Restart the site afterwards.
    """
    settings: Settings = current_app.extensions["settings"]
    file = settings.instance_path / signing.FILE
    if not reseal and (not file.exists() or settings.secret_key not in file.read_text()):
        raise click.ClickException(
            "The key is in the environment. Put a new one before it in SECRET_KEY, with a comma between, "
            "and restart the site. Before you drop the old key, run "
            "flask rotate-key --reseal."
        )
    # A key must not seal anything before the restart: the running site couldn't open it.
    if lost := curators.reseal():
        raise Trouble(
            f"No key opens the second factor of {', '.join(lost)}. Add the key that sealed it to "
            "SECRET_KEY, or remove these curators and add them again."
        )
    try:
        if reseal:
            done = "The newest key now seals all second factors. You can drop the older keys."
        elif forget:
            signing.keep(file, [settings.secret_key])
            done = "Dropped the older keys. Restart the site. Sessions that still use them are signed out."
        else:
            count = signing.rotate(file)
            done = f"Added a key. {count} keys are accepted. Restart the site to sign with the new one."
    except SettingError as error:
        raise click.ClickException(str(error)) from None
    click.echo(done)


@curator_commands.command("add")
@click.argument("name")
@click.option(
    "--role", type=click.Choice(list(map(str, Role))), help="Reviewer; administrator for the first."
)
def add_curator_command(name: str, role: str | None) -> None:
    """Make the player NAME a curator and print their second factor, once."""
    first = Role.REVIEWER if curators.has_administrator() else Role.ADMINISTRATOR
    address = curators.add(name, now(), role or first)
    click.echo("Scan this with an authenticator app. It won't be shown again:")
    click.echo(curators.in_the_terminal(address))
    click.echo(address)
    _print_codes(name)


@curator_commands.command("codes")
@click.argument("name")
def codes_command(name: str) -> None:
    """Print new recovery codes for the curator NAME, who has lost the second factor. Older codes end."""
    _print_codes(name)


def _print_codes(name: str) -> None:
    codes = curators.renew_codes(with_name(name).id, now())
    click.echo("Recovery codes. Each opens the desk once in place of a code from the app:")
    for code in codes:
        click.echo(code)


@curator_commands.command("remove")
@click.argument("name")
def remove_curator_command(name: str) -> None:
    """Remove the curator NAME. It takes effect with their next request."""
    curators.remove(name, now())
    say(f"{name} is no longer a curator.")


@curator_commands.command("list")
def list_curators_command() -> None:
    """List all curators with their roles."""
    for player in curators.everyone():
        say(f"{player.name} ({player.role})")


@mail_commands.command("test")
@click.argument("address")
def test_mail_command(address: str) -> None:
    """Send a mail to ADDRESS now, and print what the server answers."""
    settings: Settings = current_app.extensions["settings"]
    if settings.mail_url is None:
        raise Trouble("MAIL_URL isn’t set, so mails are only logged.")
    text = f"This is a test from {settings.address}. If you can read it, the site can send mail."
    try:
        answer = mail.deliver(settings.mail_url, Mail(address, "A test from Ninefold", text))
    except Refused as error:
        raise Trouble(f"The mail server did not accept it: {error}") from None
    say(f"The mail server accepted it: {answer}")
    click.echo("If it doesn't arrive, look at the server's own log and the folder for spam.")


COMMANDS = (
    serve_command,
    worker_command,
    ReportedGroup("db", schema.COMMANDS, help="Bring the database to the schema of a release."),
    curator_commands,
    mail_commands,
    rotate_key_command,
    players.COMMANDS,
    doctor.doctor_command,
    *storage.COMMANDS,
)
BEGINNING = {"serve", "db", "restore", "--help"}  # may run before there is a site


def require_site(words: Sequence[str]) -> None:
    """Raise SettingError if a command line of `flask` asks of a site that isn't there, before one is made."""
    names = {command.name for entry in load() for command in entry.commands}
    if BEGINNING.isdisjoint(words) and not names.isdisjoint(words) and not os.environ.get("DATABASE_URL"):
        folder = Path(os.environ.get("INSTANCE_PATH") or ROOT / "instance").absolute()
        if not (folder / SQLITE).exists():
            raise SettingError("INSTANCE_PATH", f"there is no site at {folder} yet")


def list_only_ours(flask_commands: click.Group) -> None:
    """Leave Flask's own commands out of `flask --help`.

    `run` is a development server without a worker, and `shell` can write past the checks of the services.
    """
    for name in ("run", "routes", "shell"):
        flask_commands.commands.pop(name, None)


def init_app(app: Flask) -> None:
    """Add the capabilities' commands to `flask`."""
    for entry in capabilities_of(app):
        for command in entry.commands:
            app.cli.add_command(command)
