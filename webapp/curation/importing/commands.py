"""The desk on the command line, `flask desk`. Each command calls a service."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import BinaryIO

import click

import engine
from engine.generation import ANY, Symmetry
from webapp.bank import bank, exporting
from webapp.bank.selection import CURATED, Filters
from webapp.competition.daily import withdrawing
from webapp.competition.daily.schedule import Seen
from webapp.curation.importing import exports, importing, paper, printing
from webapp.curation.orders import orders
from webapp.curation.orders.orders import Wish
from webapp.process.clock import now
from webapp.process.commands.reporting import Commands, Names, pour

SYMMETRIES = [*(each.value for each in Symmetry), ANY]

desk_commands = Commands("desk", help="Do what curators do: import, export, print, order, withdraw.")


@desk_commands.command("import")
@click.argument("file", type=click.File("rb"))
@click.option("--columns", default="", metavar="NAMES", help="Of a table, such as title,puzzle,,author.")
def import_command(file: BinaryIO, columns: str) -> None:
    """Import the puzzles of FILE (- for standard input) as candidates, a large file by the workers."""
    name = getattr(file, "name", "-").rpartition("/")[2]
    batch, done = importing.accept(file, name, None, now(), columns)
    if not done:
        click.echo(f"Import {batch} waits for a worker.")
        return
    counts = importing.report(batch).counts
    click.echo(f"Import {batch}: " + ", ".join(f"{count} {state}" for state, count in counts.items()) + ".")


@desk_commands.command("export")
@click.option("--format", "kind", type=click.Choice(exporting.OFFERED), default="json", show_default=True)
@click.option("--status", type=click.Choice(list(map(str, CURATED))), help="Only puzzles of this status.")
@click.option("--level", type=click.IntRange(min(bank.LEVELS), max(bank.LEVELS)))
@click.option("--uses", type=Names(list(engine.TECHNIQUES)), metavar="TECHNIQUE")
@click.option("--tag")
def export_command(
    kind: str, status: str | None, level: int | None, uses: str | None, tag: str | None
) -> None:
    """Print puzzles in a format that other programs read."""
    wanted = Filters(status=status, level=level, uses=uses, tag=tag)
    for part in exports.export(None, wanted, kind, now()):
        pour(part)


@desk_commands.command("pdf")
@click.argument("file", type=click.File("wb"))
@click.option("--from", "first", metavar="DAY", default="", help="Dailies from this day on (2026-03-01).")
@click.option("--days", default="7", show_default=True, help="Of dailies.")
@click.option("--puzzle", type=int, multiple=True, metavar="NUMBER", help="Only these puzzles.")
@click.option("--status", type=click.Choice(list(map(str, CURATED))), help="Only puzzles of this status.")
@click.option("--level", type=click.IntRange(min(bank.LEVELS), max(bank.LEVELS)))
@click.option("--tag")
@click.option("--per", default="4", show_default=True, help="Puzzles on a page: 1, 2, 4 or 6.")
@click.option("--solutions", default=paper.END, show_default=True, help="end, foot (upside down) or none.")
@click.option("--paper", default="a4", show_default=True, help="a4 or letter.")
@click.option("--heading", default="", help="Of every page.")
def pdf_command(
    file: BinaryIO,
    puzzle: tuple[int, ...],
    status: str | None,
    level: int | None,
    tag: str | None,
    **asked: str,
) -> None:
    """Print a week of dailies, or puzzles, into FILE as PDF (- for standard output)."""
    layout, heading, week = printing.read(asked | {"from": asked["first"]})
    if week is not None:
        file.write(printing.days(None, *week, heading, layout, now()))
        return
    wanted = Filters(status=status, level=level, tag=tag, ids=puzzle)
    file.write(printing.selection(None, wanted, heading, layout, now()))


@desk_commands.command("order")
@click.argument("count", type=click.IntRange(1, orders.MOST_COUNT))
@click.option("--level", type=click.IntRange(min(bank.LEVELS), max(bank.LEVELS)))
@click.option("--hardest", type=Names(list(engine.TECHNIQUES)), metavar="TECHNIQUE")
@click.option(
    "--symmetry",
    type=Names(SYMMETRIES),
    metavar="SYMMETRY",
    default=ANY,
    show_default=True,
    help=f"Of the givens: {', '.join(SYMMETRIES)}.",
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


@desk_commands.command("withdraw")
@click.argument("day", type=click.DateTime(["%Y-%m-%d"]), metavar="DAY")
@click.argument("level", type=int)
@click.option("--reason", required=True, help="Players see it.")
@click.option("--replacement", type=int, metavar="PUZZLE", help="The daily from now on.")
def withdraw_command(day: datetime, level: int, reason: str, replacement: int | None) -> None:
    """Withdraw the released daily of DAY at LEVEL: its times and points are void."""
    slot = Seen(day.date(), level, withdrawing.released(day.date(), level, now()).puzzle_id)
    withdrawing.withdraw(None, slot, reason, replacement, now())
    click.echo(f"Puzzle {slot.puzzle} is withdrawn from {day:%Y-%m-%d} at level {level}.")
