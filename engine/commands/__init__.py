"""Subcommands of the command line, one per file, imported on use."""

from __future__ import annotations

from importlib import import_module
from types import MappingProxyType
from typing import Final

from .command import Command

__all__ = ["SUMMARIES", "Command", "command_of"]

SUMMARIES: Final = MappingProxyType(
    {
        "solve": "solve each puzzle",
        "check": "check that each puzzle is valid, unique and minimal",
        "rate": "rate each puzzle by several schemes",
        "explain": "solve each puzzle like a human and explain every step",
        "find": "find every instance of a technique",
        "draw": "draw each puzzle, or a step in it, as SVG",
        "generate": "generate puzzles with a unique solution",
        "vary": "print equivalent puzzles, with digits relabeled and rows and columns reordered",
        "canon": "print the canonical form of each puzzle",
        "compile": "compile the kernels for this very processor, ahead of their first use",
    }
)
"""What each command does, in the order of the help."""


def command_of(name: str) -> Command:
    """Return a command, a key of SUMMARIES."""
    command: Command = import_module(f"{__name__}.{name}").COMMAND
    return command
