"""Operator commands for stored data: `flask backup`, `restore`, `verify`, `copy`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click
import sqlalchemy as sa
from flask import current_app
from tqdm import tqdm

from webapp.models import Attempt
from webapp.people import accounts
from webapp.process.clock import now
from webapp.process.commands.reporting import OfSite, Reported, say
from webapp.process.commands.schema import upgrade
from webapp.process.config import Settings
from webapp.process.database import close, db
from webapp.process.errors import NotFound
from webapp.site.storage import backup, keeping, restore, verify


def _settings() -> Settings:
    settings: Settings = current_app.extensions["settings"]
    return settings


@click.command("backup", cls=Reported)
@click.argument("target", type=click.Path(path_type=Path), required=False)
@click.option("--into", type=click.Path(path_type=Path), help="A folder of backups, named by their time.")
@click.option("--keep", help=f"Which backups stay there, by hours, days or weeks (default: {keeping.USUAL}).")
def backup_command(target: Path | None, into: Path | None, keep: str | None) -> None:
    """Back up the running site.

    To a new folder, TARGET, or --into a folder of backups.
    --keep 24h,30d keeps one backup an hour for 24 hours and one a day for 30 days.
    """
    if (target is None) == (into is None) or (keep is not None and into is None):
        raise click.UsageError("Give a TARGET, or --into with or without --keep.")
    if into is not None:
        rules = keeping.parse_rules(keep or keeping.USUAL)
        target, manifest, deleted = keeping.backup_into(_settings(), into, rules, now())
        if names := [path.name for path in deleted]:
            shown = ", ".join(names) if len(names) < 4 else f"{names[0]} to {names[-1]}"
            click.echo(f"Deleted {len(names):,} older backups: {shown}.")
    elif target is not None:
        manifest = backup.backup(_settings(), target, now())
    keeping.record(manifest)
    size = sum(file["bytes"] for file in manifest.files.values())
    games, moves = manifest.rows["attempt"], manifest.rows["move"]
    say(f"Backed up {games:,} games and {moves:,} moves to {target} ({size / 1e6:,.1f} MB).")


@click.command("restore", cls=Reported)
@click.argument("source", type=click.Path(path_type=Path))
@click.option("--replace", is_flag=True, help="Replace the data the site has now.")
@click.option(
    "--forget", "numbers", type=int, multiple=True, metavar="NUMBER", help="Delete this player again."
)
def restore_command(source: Path, numbers: Sequence[int], *, replace: bool) -> None:
    """Restore the backup SOURCE. Stop the site first.

    Give --forget for each player who was deleted after the backup. It upgrades an older backup, too.
    """
    manifest = restore.restore(_settings(), source, now(), replace=replace)
    games, moves = manifest.rows["attempt"], manifest.rows["move"]
    say(f"Restored {games:,} games and {moves:,} moves, as of {manifest.made_at}.")
    if numbers:
        close()  # what the restore has replaced
        upgrade()
    for number in numbers:
        try:
            accounts.forget(number)
        except NotFound:
            click.echo(f"The backup has no player {number}.")
        else:
            click.echo(f"Deleted player {number} and all their data.")


@click.command("verify", cls=OfSite)
def verify_command() -> None:
    """Replay every game and compare with what is stored."""
    total = db.session.scalar(sa.select(sa.func.count()).select_from(Attempt))
    with tqdm(total=total, unit="game", disable=None) as bar:
        found = verify.verify(now(), bar.update)
    click.echo(
        f"Replayed {found.moves:,} moves of {found.attempts:,} games and {found.dailies:,} leaderboards."
    )
    for difference in found.shown:
        say(difference, err=True)
    if found.different:
        raise click.ClickException(f"{found.different:,} differences found.")
    click.echo("No differences found.")


@click.command("copy", cls=Reported)
@click.option("--to", required=True, help="An empty database: postgresql://HOST/DATABASE.")
def copy_command(to: str) -> None:
    """Copy the site from SQLite to PostgreSQL. Stop the site first. If interrupted, run it again."""
    from webapp import create_app
    from webapp.site.storage import copying

    with tqdm(unit="row", disable=None) as bar:

        def show(table: str, rows: int) -> None:
            bar.set_description(table)
            bar.update(rows)

        copied = copying.copy(create_app, _settings(), copying.target_url(to), now(), show)
    for table, rows in copied.items():
        click.echo(f"{table:20} {rows:>13,} rows, all equal")
    click.echo(f"Copied {sum(copied.values()):,} rows. Set DATABASE_URL, then start the site.")


COMMANDS = (backup_command, restore_command, verify_command, copy_command)
