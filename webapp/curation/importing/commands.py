"""The desk on the command line: `flask desk import`, `export`, `order`, `schedule`. Each calls a service."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import BinaryIO

import click
from flask import current_app

import engine
from engine.generation.symmetry import ANY, Symmetry
from webapp.bank import bank, exporting
from webapp.bank.selection import CURATED, Filters
from webapp.curation.calendar import calendar
from webapp.curation.calendar.calendar import SlotChoice
from webapp.curation.importing import exports, importing
from webapp.curation.orders import orders
from webapp.curation.orders.orders import Wish
from webapp.process.clock import now
from webapp.process.commands.telling import Commands

desk_commands = Commands("desk", help="Do what curators do: import, export, order, schedule.")


@desk_commands.command("import")
@click.argument("file", type=click.File("rb"))
def import_command(file: BinaryIO) -> None:
    """Import the puzzles of FILE (- for standard input) as candidates, a large file by the workers."""
    name = getattr(file, "name", "-").rpartition("/")[2]
    batch, done = importing.accept(file, name, None, now())
    if not done:
        click.echo(f"Import {batch} waits for a worker.")
        return
    counts = importing.report(batch).counts
    click.echo(f"Import {batch}: " + ", ".join(f"{count} {state}" for state, count in counts.items()) + ".")


@desk_commands.command("export")
@click.option("--format", "kind", type=click.Choice(exporting.OFFERED), default="json", show_default=True)
@click.option("--status", type=click.Choice(list(map(str, CURATED))), help="Only puzzles of this status.")
@click.option("--level", type=click.IntRange(min(bank.LEVELS), max(bank.LEVELS)))
@click.option("--uses", type=click.Choice(list(engine.TECHNIQUES)), metavar="TECHNIQUE")
@click.option("--tag")
def export_command(
    kind: str, status: str | None, level: int | None, uses: str | None, tag: str | None
) -> None:
    """Print puzzles in a format that other programs read."""
    wanted = Filters(status=status, level=level, uses=uses, tag=tag)
    for part in exports.export(None, wanted, kind, now()):
        click.echo(part, nl=False)


@desk_commands.command("order")
@click.argument("count", type=click.IntRange(1, orders.MOST_COUNT))
@click.option("--level", type=click.IntRange(min(bank.LEVELS), max(bank.LEVELS)))
@click.option("--hardest", type=click.Choice(list(engine.TECHNIQUES)), metavar="TECHNIQUE")
@click.option(
    "--symmetry", type=click.Choice([*(each.value for each in Symmetry), ANY]), default=ANY, show_default=True
)
@click.option(
    "--minutes",
    type=click.IntRange(1, orders.LONGEST // timedelta(minutes=1)),
    default=30,
    show_default=True,
    help="The most work over all puzzles.",
)
def order_command(count: int, level: int | None, hardest: str | None, symmetry: str, minutes: int) -> None:
    """Order COUNT new candidates from the workers."""
    asked = {"level": level, "hardest": hardest, "symmetry": symmetry}
    recipe = {name: value for name, value in asked.items() if value is not None}
    number = orders.place(Wish(recipe, count, timedelta(minutes=minutes)), None, now())
    click.echo(f"Placed order {number}.")


@desk_commands.command("schedule")
@click.argument("day", type=click.DateTime(["%Y-%m-%d"]), metavar="DAY")
@click.argument("level", type=int)
@click.argument("puzzle", type=int)
@click.option("--instead", type=int, metavar="PUZZLE", help="The puzzle that is there now.")
@click.option("--sure", is_flag=True, help="Even if its technique comes three days in a row.")
def schedule_command(day: datetime, level: int, puzzle: int, instead: int | None, *, sure: bool) -> None:
    """Make PUZZLE the daily of DAY (such as 2026-03-01) at LEVEL."""
    if current_app.extensions["settings"].two_person:
        raise click.ClickException("With TWO_PERSON=1, dailies are drafted and released at the desk.")
    calendar.assign(None, day.date(), level, SlotChoice(puzzle), instead, now(), sure=sure)
    click.echo(f"Puzzle {puzzle} is the daily of {day:%Y-%m-%d} at level {level}.")
