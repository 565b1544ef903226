"""The command line: read puzzles as a stream, run one subcommand, print its results.

The subcommands are in `engine.commands`.

Exit status: 0 success, 1 a line is not a puzzle or a recipe can't be met, 2 wrong usage or no such file, 130
interrupted, 141 broken pipe.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from io import BytesIO
from pathlib import Path
from typing import BinaryIO, Final, TextIO

from . import formats
from .commands import SUMMARIES, Command, command_of
from .errors import PuzzleFormatError, RecipeError, missing
from .formats import Entry
from .version import __version__

OK, REFUSED, MISUSED, INTERRUPTED, UNHEARD = 0, 1, 2, 130, 141

_FIRST_BATCH: Final = 16  # small, so that the first results appear soon; later batches fill all cores
_LARGEST_BATCH: Final = 8192


def main(arguments: Sequence[str] | None = None) -> int:
    """Run `ninefold` with `arguments`, by default those of the process; returns the exit status."""
    given = sys.argv[1:] if arguments is None else list(arguments)
    try:
        parser = make_parser([name for name in SUMMARIES if name in given])
        options = parser.parse_args(given)
        if options.command is None:
            parser.print_help()
            return MISUSED
        command = command_of(options.command)
        with ExitStack() as opened:
            stream = opened.enter_context(_input(options.file)) if command.reads else None
            output = vars(options).get("output")
            out = opened.enter_context(Path(output).open("w", encoding="utf-8")) if output else sys.stdout
            return _run(command, options, stream, out)
    except OSError as error:
        if isinstance(error, BrokenPipeError):
            # Python flushes stdout again at exit, which would raise again.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            return UNHEARD
        return _say(f"{error.filename or 'output'}: {error.strerror}", MISUSED)
    except RecipeError as error:
        nearest = f"; the nearest found was {error.nearest}" if error.nearest else ""
        return _say(f"{error}{nearest}", REFUSED)
    except ModuleNotFoundError as error:
        return _say(str(missing(error)), REFUSED)
    except KeyboardInterrupt:
        return INTERRUPTED


def make_parser(used: Iterable[str] = SUMMARIES) -> argparse.ArgumentParser:
    """Return the parser of the command line; the man page is generated from it.

    used: the commands to add options for, which imports their modules.
    """
    parser = argparse.ArgumentParser(
        prog="ninefold",
        description="Generate, check, solve and explain Sudoku puzzles in all common text formats.",
        epilog="Run 'ninefold COMMAND --help' for a command's options and examples.",
    )
    parser.add_argument("--version", action="version", version=f"ninefold {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND")
    for name, summary in SUMMARIES.items():
        if name not in used:
            commands.add_parser(name, help=summary)
            continue
        command = command_of(name)
        sub = commands.add_parser(
            name,
            help=summary,
            description=f"{summary[0].upper()}{summary[1:]}.",
            epilog=f"examples:\n{command.examples}",
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        if command.reads:
            sub.add_argument(
                "file",
                nargs="?",
                default="-",
                metavar="FILE",
                help="a file of puzzles in any format, or one puzzle as text (default: stdin, also '-')",
            )
        sub.add_argument("--json", action="store_true", help="print one JSON object per line")
        if command.takes_jobs:
            sub.add_argument(
                "--jobs", type=_jobs, default=1, metavar="N", help="cores to use (default: 1; 0 for all)"
            )
        command.add_arguments(sub)
    return parser


def _jobs(text: str) -> int:
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"expected a number of cores, found {text!r}")
    return int(text) or os.cpu_count() or 1


def _input(name: str) -> BinaryIO:
    """Open standard input, a file, or the text of a puzzle if no file has that name."""
    if name == "-":
        return open(0, "rb", closefd=False)
    try:
        return Path(name).open("rb")
    except OSError:
        try:
            formats.parse_entry(name)
        except PuzzleFormatError:
            pass
        else:
            return BytesIO(name.encode("utf-8", "surrogateescape"))
        raise


def _run(command: Command, options: argparse.Namespace, stream: BinaryIO | None, out: TextIO) -> int:
    """Run a command and write its results."""
    status = OK

    def refuse(error: PuzzleFormatError) -> None:
        nonlocal status
        status = REFUSED
        _say(str(error), REFUSED)

    sizes = (1, 1) if command.one_by_one else (_FIRST_BATCH, _LARGEST_BATCH)
    batches = _batches(stream, refuse, *sizes) if stream is not None else iter(())
    show = json.JSONEncoder(ensure_ascii=False).encode if options.json else command.line
    for answer in command.answers(options, batches):
        if isinstance(answer, PuzzleFormatError):
            refuse(answer)
        else:
            out.write(show(answer) + "\n")
    out.flush()
    return status


def _batches(
    stream: BinaryIO, refuse: Callable[[PuzzleFormatError], None], size: int, largest: int
) -> Iterator[list[Entry]]:
    """Yield the entries of `stream` in lists that grow from `size` to `largest`; errors go to `refuse`."""
    batch: list[Entry] = []
    for item in formats.read(stream):
        if isinstance(item, PuzzleFormatError):
            refuse(item)
            continue
        batch.append(item)
        if len(batch) == size:
            yield batch
            sys.stdout.flush()
            batch, size = [], min(2 * size, largest)
    if batch:
        yield batch


def _say(sentence: str, status: int) -> int:
    print(f"ninefold: {sentence}", file=sys.stderr)
    return status


if __name__ == "__main__":
    sys.exit(main())
