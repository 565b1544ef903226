"""Subcommands of the command line, one a file, in the order in which the help lists them."""

from __future__ import annotations

from types import MappingProxyType
from typing import Final

from engine.commands import canon, check, draw, explain, find, generate, rate, solve, vary
from engine.commands.command import Command

__all__ = ["COMMANDS", "Command"]

COMMANDS: Final = MappingProxyType(
    {
        command.name: command
        for command in (
            solve.COMMAND,
            check.COMMAND,
            rate.COMMAND,
            explain.COMMAND,
            find.COMMAND,
            draw.COMMAND,
            generate.COMMAND,
            vary.COMMAND,
            canon.COMMAND,
        )
    }
)
