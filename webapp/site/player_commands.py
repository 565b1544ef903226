"""Operator commands for players' accounts: `flask players`. Each calls a service and prints."""

from __future__ import annotations

from datetime import datetime

import click

from webapp.identity import players
from webapp.people import accounts, recovery
from webapp.process.clock import now
from webapp.process.commands.reporting import Commands, pour, printed, say
from webapp.web import security_log
from webapp.web.links import address_of

COMMANDS = Commands("players", help="Look after accounts, including those of curators.")


@COMMANDS.command("show")
@click.argument("name")
def show_command(name: str) -> None:
    """Print what the site knows about the player NAME."""
    row, found = accounts.summary(players.with_name(name).id)
    suspended = "no"
    if row.suspended:
        until = "for good" if row.suspended_until is None else f"until {_day(row.suspended_until)}"
        # A further line must not look like another fact.
        suspended = f"{until}: {row.suspension_reason}".replace("\n", f"\n{'':17}")
    for label, value in {
        "name": row.name,
        "number": row.id,
        "first seen": _day(row.created_at),
        "account since": _day(row.named_at),
        "last seen": _day(found.seen_at),
        "email": row.email or "none",
        "role": row.role or "none",
        "on leaderboards": row.listing,
        "suspended": suspended,
        "games": f"{found.games:,}, {found.finished:,} finished",
        "sessions": found.sessions,
    }.items():
        say(f"{label:16} {value}")


def _day(at: datetime | None) -> str:
    return "unknown" if at is None else f"{at:%Y-%m-%d}"


@COMMANDS.command("export")
@click.argument("name")
def export_command(name: str) -> None:
    """Print all data of the player NAME as JSON, like their own export."""
    for line in accounts.export_lines(players.with_name(name).id, now()):
        pour(line)


@COMMANDS.command("reset-link")
@click.argument("name")
def reset_link_command(name: str) -> None:
    """Print a link with which the player NAME sets a new password."""
    player_id = players.with_name(name).id
    address = address_of("recovery.choose", token=recovery.link_token(player_id, now()))
    security_log.note_command("recovery link made", player_id)
    click.echo("It works once, within an hour. Give it only to the player:")
    click.echo(address)


@COMMANDS.command("delete")
@click.argument("name")
@click.option("--yes", is_flag=True, help="Don't ask.")
def delete_command(name: str, *, yes: bool) -> None:
    """Delete the player NAME and all their data."""
    row, found = accounts.summary(players.with_name(name).id)
    player_id, name = row.id, row.name or ""
    role = f", {row.role}" if row.role else ""
    question = f"Delete {name}{role} with {found.games:,} games? This can't be undone."
    if not yes:
        click.confirm(printed(question), abort=True)
    accounts.forget(player_id)
    security_log.note_command("deleted", player_id)
    say(f"Deleted {name} (player {player_id}).")


@COMMANDS.command("sign-out")
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
        accounts.sign_out_everywhere(players.with_name(name).id)
        click.echo("Done.")
