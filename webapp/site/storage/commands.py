"""Operator commands for stored data: `flask backup`, `restore`, `verify`, `copy`, `prune`, `forget`."""

from __future__ import annotations

from pathlib import Path

import click
import sqlalchemy as sa
from flask import current_app
from tqdm import tqdm

from webapp.models import Attempt
from webapp.people import accounts
from webapp.process.clock import now
from webapp.process.commands.telling import OfSite, Told
from webapp.process.config import Settings
from webapp.process.database import db
from webapp.process.errors import NotFound
from webapp.process.proxies import this_app
from webapp.site.storage import backup, copying, pruning, restore, verify


def _settings() -> Settings:
    settings: Settings = current_app.extensions["settings"]
    return settings


@click.command("backup", cls=Told)
@click.argument("target", type=click.Path(path_type=Path))
def backup_command(target: Path) -> None:
    """Back up the running site to a new folder, TARGET."""
    manifest = backup.backup(_settings(), target, now())
    size = sum(file["bytes"] for file in manifest.files.values())
    games, moves = manifest.rows["attempt"], manifest.rows["move"]
    click.echo(f"Backed up {games:,} games and {moves:,} moves to {target} ({size / 1e6:,.1f} MB).")


@click.command("restore", cls=Told)
@click.argument("source", type=click.Path(path_type=Path))
@click.option("--replace", is_flag=True, help="Replace the data the site has now.")
def restore_command(source: Path, *, replace: bool) -> None:
    """Restore the backup SOURCE. Stop the site first."""
    manifest = restore.restore(_settings(), source, now(), replace=replace)
    games, moves = manifest.rows["attempt"], manifest.rows["move"]
    click.echo(f"Restored {games:,} games and {moves:,} moves, as of {manifest.made_at}.")


@click.command("verify", cls=OfSite)
def verify_command() -> None:
    """Replay every game and compare the result with what is stored."""
    total = db.session.scalar(sa.select(sa.func.count()).select_from(Attempt))
    with tqdm(total=total, unit="game", disable=None) as bar:
        found = verify.verify(now(), bar.update)
    click.echo(
        f"Replayed {found.moves:,} moves of {found.attempts:,} games, {found.dailies:,} leaderboards "
        f"and {found.players:,} ratings."
    )
    if found.changed_since:
        click.echo(f"{found.changed_since:,} frozen leaderboards have lost or regained solves since.")
    for difference in found.shown:
        click.echo(difference, err=True)
    if found.different:
        raise click.ClickException(f"{found.different:,} differences found.")
    click.echo("No differences found.")


@click.command("copy", cls=Told)
@click.option("--to", required=True, help="An empty database: postgresql://HOST/DATABASE.")
def copy_command(to: str) -> None:
    """Copy the site from SQLite to PostgreSQL. Stop the site first. If interrupted, run it again."""
    from webapp import create_app

    with tqdm(unit="row", disable=None) as bar:

        def show(table: str, rows: int) -> None:
            bar.set_description(table)
            bar.update(rows)

        copied = copying.copy(create_app, _settings(), copying.target_url(to), now(), show)
    for table in copied:
        click.echo(f"{table.table:20} {table.rows:>13,} rows, {table.sums:>3} sums equal")
    click.echo(f"Copied {sum(table.rows for table in copied):,} rows. Set DATABASE_URL, then start the site.")


@click.command("prune", cls=OfSite)
def prune_command() -> None:
    """Delete expired data. The worker does the same once a day."""
    pruned = pruning.prune(this_app(), now())
    for rule, count in pruned.items():
        click.echo(f"Deleted {count:>6,} {rule.what} ({rule.when}).")


@click.command("forget", cls=OfSite)
@click.argument("numbers", type=int, nargs=-1, required=True, metavar="NUMBER...")
def forget_command(numbers: tuple[int, ...]) -> None:
    """Delete players by NUMBER once more after a restored backup has brought them back."""
    for number in numbers:
        try:
            accounts.forget(number)
        except NotFound:
            click.echo(f"Player {number} does not exist or is already deleted.")
        else:
            click.echo(f"Deleted player {number} and all their data.")


COMMANDS = (
    backup_command,
    restore_command,
    verify_command,
    copy_command,
    prune_command,
    forget_command,
)
