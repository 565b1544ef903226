"""Operator commands: `flask serve`, `worker`, `bank`, `curators`, `players`. Each calls a service, prints."""

from __future__ import annotations

import socket
from collections.abc import Callable, Sequence

import click
from flask import Flask, current_app
from flask_migrate.cli import db as migrations
from tqdm import tqdm

from webapp.bank import bank
from webapp.curation.importing.commands import desk_commands
from webapp.curation.moderation import moderation
from webapp.curation.team import curators
from webapp.models import Role
from webapp.people import accounts
from webapp.process.clock import now
from webapp.process.commands.ending import leave
from webapp.process.commands.telling import Commands, OfSite, ToldGroup
from webapp.process.config import SECRET, SettingError, Settings, keep, rotate
from webapp.process.proxies import this_app
from webapp.site.storage import commands as storage

bank_commands = Commands("bank", help="Manage the stock of puzzles.")
curator_commands = Commands("curators", help="Manage who can use the curation desk.")
player_commands = Commands("players", help="Moderate accounts, including those of curators.")
db_commands = ToldGroup(
    "db", migrations.commands, callback=migrations.callback, params=migrations.params, help=migrations.help
)


@click.command("serve")
def serve_command() -> None:
    """Migrate, stock the bank, then run the web server and the worker until Ctrl-C."""
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
    """Add a new signing key and keep accepting older ones. Restart the site afterwards."""
    settings: Settings = current_app.extensions["settings"]
    file = settings.instance_path / SECRET
    if not reseal and (not file.exists() or settings.secret_key not in file.read_text()):
        raise click.ClickException(
            "The key is in the environment. Move it from SECRET_KEY to the front of SECRET_KEY_FALLBACKS, "
            "set SECRET_KEY to a new one, and restart the site. Before you drop the old key, run "
            "flask rotate-key --reseal."
        )
    # A new key seals nothing before the restart: the site that is running could not open it.
    if lost := curators.reseal():
        raise click.ClickException(
            f"No key opens the second factor of {', '.join(lost)}. Add the key that sealed it to "
            "SECRET_KEY_FALLBACKS, or remove these curators and add them again."
        )
    try:
        if reseal:
            done = "The newest key now seals all second factors. You can drop the older keys."
        elif forget:
            keep(file, [settings.secret_key])
            done = "Dropped the older keys. Restart the site. Sessions that still use them are signed out."
        else:
            done = (
                f"Added a key. {rotate(file)} keys are accepted. Restart the site to sign with the new one."
            )
    except SettingError as error:
        raise click.ClickException(str(error)) from None
    click.echo(done)


@bank_commands.command("fill")
@click.option(
    "--target", type=click.IntRange(1), help="Fresh puzzles to keep per level (default: BANK_STOCK)."
)
def fill_command(target: int | None) -> None:
    """Generate approved puzzles until every level has enough fresh ones."""
    target = target or current_app.extensions["settings"].bank_stock
    missing = sum(max(0, target - count) for count in bank.fresh_stock().values())
    added = sum(
        1 for _ in tqdm(bank.stock_up(target, now(), rated=True), total=missing, unit="puzzle", disable=None)
    )
    click.echo(f"Added {added} puzzles.")


@curator_commands.command("add")
@click.argument("name")
@click.option(
    "--role", type=click.Choice(list(map(str, Role))), default=str(Role.ADMINISTRATOR), show_default=True
)
def add_curator_command(name: str, role: str) -> None:
    """Make the player NAME a curator and print their authenticator key, once."""
    address = curators.add(name, now(), role)
    click.echo("Add this to an authenticator app. It won't be shown again:")
    click.echo(address)


@curator_commands.command("remove")
@click.argument("name")
def remove_curator_command(name: str) -> None:
    """Remove the curator NAME. It takes effect with their next request."""
    curators.remove(name, now())
    click.echo(f"{name} is no longer a curator.")


@curator_commands.command("list")
def list_curators_command() -> None:
    """List all curators with their roles."""
    for player in curators.everyone():
        click.echo(f"{player.name} ({player.role})")


@player_commands.command("suspend")
@click.argument("name")
@click.option(
    "--days", type=click.IntRange(1, moderation.MOST_DAYS), help="How many days (default: for good)."
)
@click.option("--reason", required=True, help="The player will see it.")
def suspend_command(name: str, days: int | None, reason: str) -> None:
    """Suspend the player NAME from all leaderboards."""
    _moderate(
        lambda player_id, _seen: moderation.suspend(None, player_id, _state(player_id), days, reason, now()),
        name,
    )


@player_commands.command("lift")
@click.argument("name")
def lift_command(name: str) -> None:
    """End the suspension of the player NAME."""
    _moderate(
        lambda player_id, _seen: moderation.lift(None, player_id, _state(player_id), "", now()),
        name,
    )


@player_commands.command("hide")
@click.argument("name")
def hide_command(name: str) -> None:
    """Hide the name of the player NAME on leaderboards."""
    _moderate(lambda player_id, seen: moderation.hide(None, player_id, seen, "", now()), name)


@player_commands.command("rename")
@click.argument("name")
@click.argument("new")
def rename_command(name: str, new: str) -> None:
    """Rename the player NAME to NEW."""
    _moderate(lambda player_id, seen: moderation.rename(None, player_id, seen, new, "", now()), name)


@player_commands.command("sign-out")
@click.argument("name", required=False)
@click.option(
    "--all", "everybody", is_flag=True, help="Sign out every player with an account, including curators."
)
def sign_out_command(name: str | None, everybody: bool) -> None:
    """End every session of the player NAME, or of all players."""
    if everybody == (name is not None):
        raise click.UsageError("Give a NAME or --all.")
    if name is None:
        click.echo(f"Sessions ended: {accounts.sign_out_everybody()}.")
    else:
        _moderate(lambda player_id, _seen: accounts.sign_out_everywhere(player_id), name)


def _state(player_id: int) -> str:
    return moderation.state(moderation.player(player_id))


def _moderate(act: Callable[[int, str], None], name: str) -> None:
    act(*moderation.with_name(name))
    click.echo("Done.")


COMMANDS = (
    serve_command,
    worker_command,
    db_commands,
    bank_commands,
    curator_commands,
    desk_commands,
    rotate_key_command,
    player_commands,
    *storage.COMMANDS,
)
BEGINNING = {"serve", "db", "restore", "--help"}  # may be run where no site is yet


def ask_of_a_site(words: Sequence[str]) -> bool:
    """Whether a command line of `flask` makes sense only where a site is already."""
    return BEGINNING.isdisjoint(words) and any(command.name in words for command in COMMANDS)


def init_app(app: Flask) -> None:
    """Add the commands to `flask`."""
    for command in COMMANDS:
        app.cli.add_command(command)
