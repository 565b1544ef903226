"""Operator commands: `flask serve`, `worker`, `bank`, `curators`. Each parses, calls a service and prints."""

from __future__ import annotations

import socket

import click
from flask import Flask, current_app
from flask.cli import AppGroup
from tqdm import tqdm

from webapp.bank import bank
from webapp.curation import curators
from webapp.process.clock import now
from webapp.process.ending import leave
from webapp.process.errors import Refusal
from webapp.process.proxies import this_app

bank_commands = AppGroup("bank", help="Manage the stock of puzzles.")
curator_commands = AppGroup("curators", help="Manage who can use the curation desk.")


@click.command("serve")
def serve_command() -> None:
    """Migrate, stock the bank, then run the web server and the worker until Ctrl-C."""
    from webapp.site.serve import serve

    app = this_app()
    leave(app, serve(app))


@click.command("worker")
@click.option(
    "--name",
    default=socket.gethostname,
    help="This worker's name. Restart it under this name to resume its work.",
)
def worker_command(name: str) -> None:
    """Run background jobs until Ctrl-C."""
    from webapp.site.jobs.worker import run

    run(this_app(), name)


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
def add_curator_command(name: str) -> None:
    """Make the player NAME a curator and print their authenticator key, once."""
    try:
        address = curators.add(name, now())
    except Refusal as error:
        raise click.ClickException(str(error)) from None
    click.echo("Add this to an authenticator app. It won't be shown again:")
    click.echo(address)


@curator_commands.command("remove")
@click.argument("name")
def remove_curator_command(name: str) -> None:
    """Remove the curator NAME, effective with their next request."""
    try:
        curators.remove(name, now())
    except Refusal as error:
        raise click.ClickException(str(error)) from None
    click.echo(f"{name} is no longer a curator.")


@curator_commands.command("list")
def list_curators_command() -> None:
    """List all curators."""
    for name in curators.all_names():
        click.echo(name)


def init_app(app: Flask) -> None:
    """Add the commands to `flask`."""
    app.cli.add_command(serve_command)
    app.cli.add_command(worker_command)
    app.cli.add_command(bank_commands)
    app.cli.add_command(curator_commands)
