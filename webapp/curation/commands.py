"""The desk on the command line, `flask desk`. Each command calls a service."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import BinaryIO

import click

import engine
from engine.generation import ANY
from webapp.bank import bank, exporting
from webapp.bank.selection import CURATED, Filters
from webapp.competition.daily import withdrawing
from webapp.competition.daily.slots import Seen
from webapp.curation.puzzles import exports, imports, orders, paper, reading
from webapp.curation.puzzles.tables import JobState
from webapp.curation.words import SYMMETRIES
from webapp.process.clock import now
from webapp.process.commands.reporting import Commands, Names, pour
from webapp.process.database import db, write_tx

STATUSES = click.Choice(list(map(str, CURATED)))
LEVELS = click.IntRange(min(bank.LEVELS), max(bank.LEVELS))

desk_commands = Commands("desk", help="Do what curators do: import, export, print, order, withdraw.")


@desk_commands.command("import")
@click.argument("file", type=click.File("rb"))
@click.option("--columns", default="", metavar="NAMES", help="Of a table, such as title,puzzle,,author.")
def import_command(file: BinaryIO, columns: str) -> None:
    """Import the puzzles of FILE (- for standard input) as candidates."""
    name = getattr(file, "name", "-").rpartition("/")[2]
    data = file.read(imports.LARGEST + 1)
    chosen = reading.named(columns, data[: reading.SAMPLE]) if columns else None
    number = imports.accept(data, name, None, now(), chosen, ask=False)
    with write_tx():
        imports.of_id(number).state = JobState.RUNNING
    imports.work(number, 0, lambda: False, now)
    batch = imports.of_id(number)
    db.session.refresh(batch)
    if batch.state == JobState.FAILED:
        raise click.ClickException(batch.message or "")
    counts = imports.report(batch).counts
    click.echo(f"Import {number}: " + ", ".join(f"{count} {state}" for state, count in counts.items()) + ".")


@desk_commands.command("export")
@click.option("--format", "kind", type=click.Choice(exporting.OFFERED), default="json", show_default=True)
@click.option("--status", type=STATUSES, help="Only puzzles of this status.")
@click.option("--level", type=LEVELS)
@click.option("--hardest", type=Names(list(engine.TECHNIQUES)), metavar="TECHNIQUE")
@click.option("--favorite", is_flag=True, help="Only the curators' favorites.")
def export_command(kind: str, **wanted: str) -> None:
    """Print puzzles in a format that other programs read."""
    for part in exports.export(None, Filters(**wanted), kind, now()):  # type: ignore[arg-type]
        pour(part)


@desk_commands.command("pdf")
@click.argument("file", type=click.File("wb"))
@click.option("--from", "first", metavar="DAY", default="", help="Dailies from this day on (2026-03-01).")
@click.option("--days", default="7", show_default=True, help="Of dailies.")
@click.option("--puzzle", type=int, multiple=True, metavar="NUMBER", help="Only these puzzles.")
@click.option("--status", type=STATUSES, help="Only puzzles of this status.")
@click.option("--level", type=LEVELS)
@click.option("--favorite", is_flag=True, help="Only the curators' favorites.")
@click.option("--per", default="4", show_default=True, help="Puzzles on a page: 1, 2, 4 or 6.")
@click.option("--solutions", default=paper.END, show_default=True, help="end or none.")
@click.option("--paper", default="a4", show_default=True, help="a4 or letter.")
@click.option("--heading", default="", help="Of every page.")
def pdf_command(
    file: BinaryIO,
    puzzle: tuple[int, ...],
    status: str | None,
    level: int | None,
    *,
    favorite: bool,
    **asked: str,
) -> None:
    """Print a week of dailies, or puzzles, into FILE as PDF (- for standard output)."""
    layout, heading, week = exports.read(asked | {"from": asked["first"]})
    if week is not None:
        file.write(exports.days(None, *week, heading, layout, now()))
        return
    wanted = Filters(status=status, level=level, favorite=favorite, ids=puzzle)
    file.write(exports.selection(None, wanted, heading, layout, now()))


@desk_commands.command("order")
@click.argument("count", type=click.IntRange(1, orders.MOST_COUNT))
@click.option("--level", type=LEVELS)
@click.option("--hardest", type=Names(list(engine.TECHNIQUES)), metavar="TECHNIQUE")
@click.option(
    "--symmetry",
    type=Names(list(SYMMETRIES)),
    metavar="SYMMETRY",
    default=ANY,
    show_default=True,
    help=f"Of the givens: {', '.join(SYMMETRIES)}.",
)
@click.option(
    "--minutes",
    type=click.IntRange(1, orders.LONGEST // timedelta(minutes=1)),
    default=orders.BUDGET // timedelta(minutes=1),
    show_default=True,
    help="The most work over all puzzles.",
)
def order_command(count: int, level: int | None, hardest: str | None, symmetry: str, minutes: int) -> None:
    """Order COUNT new candidates from the workers."""
    asked = {"level": level, "hardest": hardest, "symmetry": symmetry}
    recipe = {name: value for name, value in asked.items() if value is not None}
    number = orders.place(None, recipe, count, now(), timedelta(minutes=minutes))
    click.echo(f"Placed order {number}.")


@desk_commands.command("withdraw")
@click.argument("day", type=click.DateTime(["%Y-%m-%d"]), metavar="DAY")
@click.argument("level", type=int)
@click.option("--reason", required=True, help="Players see it.")
@click.option("--replacement", type=int, metavar="PUZZLE", help="The daily from now on.")
def withdraw_command(day: datetime, level: int, reason: str, replacement: int | None) -> None:
    """Withdraw the released daily of DAY at LEVEL: its times and points are void."""
    found = withdrawing.released(day.date(), level, now()).puzzle_id
    withdrawing.withdraw(None, Seen(day.date(), level, found), reason, replacement, now())
    click.echo(f"Puzzle {found} is withdrawn from {day:%Y-%m-%d} at level {level}.")
