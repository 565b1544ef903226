"""Operator commands for mail: `flask mail`."""

from __future__ import annotations

import click
from flask import current_app

from webapp.process import mail
from webapp.process.commands.reporting import Commands, Trouble, say
from webapp.process.config import Settings
from webapp.process.mail import Mail, Refused

COMMANDS = Commands("mail", help="Check that the site can send mail.")


@COMMANDS.command("test")
@click.argument("address")
def test_command(address: str) -> None:
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
