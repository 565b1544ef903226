"""Check that every published figure comes from a program that still runs: `make claims`.

In the documents of benchmarks/ and docs/, every table that a benchmark printed stands below its command:

<!-- python -m benchmarks leaderboard --> Ninefold 0.4.0, 2026-11-28. AMD EPYC ...

| database | page | ms by the clock |

<!-- end -->

Each of these commands is run here at its smallest size. It must print tables with the same columns and the
same rows, except rows whose data set, rival or database is missing. Every other benchmark, every target of
the Makefile and every campaign must start and end without an error. No run may write into the checkout.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final

from benchmarks.peers import rivals
from benchmarks.puzzles import STAND_IN
from benchmarks.tables import ROOT, names
from benchmarks.targets import dry_campaign, dry_start, targets
from tests.campaigns import CAMPAIGNS

PATIENCE: Final = 300  # seconds
BLOCK: Final = re.compile(r"<!-- python -m benchmarks ([^\n]+) -->\n(.*?)<!-- end -->", re.DOTALL)
MEASURED: Final = re.compile(r"^Ninefold [0-9.]+, \d{4}-\d\d-\d\d\. .+", re.MULTILINE)
TRIALS: Final = "trials"  # the column of a row's name that says how many; the smallest run has one
FEWEST_TRIALS: Final = 5
FIGURES: Final = "---:"  # a column that doesn't name the row


@dataclass(frozen=True, slots=True)
class Printed:
    """A printed table: its columns, and the cells that name each row."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Claim:
    """A command and the output that a document shows for it."""

    document: Path
    command: str
    measured: bool  # whether commit, date and machine are stated
    tables: tuple[Printed, ...]


def tables_in(text: str) -> Iterator[Printed]:
    """Read the tables of a text."""
    for block in re.findall(r"(?:^\|.*\|$\n?)+", text, re.MULTILINE):
        lines = [[cell.strip() for cell in line.strip("| \n").split(" |")] for line in block.splitlines()]
        if len(lines) > 1 and set("".join(lines[1])) <= set("|-: "):
            align = [cell.strip() for cell in block.splitlines()[1].strip("|").split("|")]
            keys = align.index(FIGURES) if FIGURES in align else len(align)
            yield Printed(tuple(lines[0]), tuple(tuple(line[:keys]) for line in lines[2:]))


def documents() -> list[Path]:
    """List the documents with tables."""
    return sorted([*ROOT.glob("benchmarks/*.md"), *ROOT.glob("docs/**/*.md")])


def claims() -> Iterator[Claim]:
    """Read the claims of all documents."""
    for document in documents():
        for command, text in BLOCK.findall(document.read_text()):
            yield Claim(document, command, bool(MEASURED.search(text)), tuple(tables_in(text)))


def at_hand(column: str, cell: str) -> bool:
    """Tell whether the data set, rival or database of a row is available."""
    if column == "set":
        folder = Path(os.environ.get("NINEFOLD_DATA") or "nowhere")
        return cell != STAND_IN and (not _is_shared(cell) or any(folder.glob(f"{cell}.*")))
    if column == "rival":
        return cell == "ours" or cell in rivals()
    return column != "database" or cell != "postgresql" or "TEST_DATABASE_URL" in os.environ


def _is_shared(name: str) -> bool:
    """Tell whether a cell names a shared data set: one word, with a digit or an underscore."""
    return re.fullmatch(r"[a-z]+[_\d]\w*", name) is not None


def differences(claim: Claim, printed: str) -> Iterator[str]:
    """List the differences between a run and its document; a claim without a table has none."""
    found = {table.columns: table.rows for table in tables_in(printed)}
    if claim.tables and not claim.measured:
        yield "no line says the version, the day and the machine"
    for table in claim.tables:
        if table.columns not in found:
            yield f"no table has the columns {' | '.join(table.columns)}"
            continue
        few = [row for row in table.rows if _trials(table, row) < FEWEST_TRIALS]
        yield from (f"too few trials: {' | '.join(row)}" for row in few)
        here, there = (
            {_named(table, row) for row in rows if all(map(at_hand, table.columns, row))}
            for rows in (table.rows, found[table.columns])
        )
        yield from (f"nothing printed the row {' | '.join(row)}" for row in sorted(here - there))
        yield from (f"the document has no row {' | '.join(row)}" for row in sorted(there - here))


def _trials(table: Printed, row: tuple[str, ...]) -> int:
    """Return a row's number of trials; many if the table has no such column."""
    cells = dict(zip(table.columns, row, strict=False))
    return int(cells.get(TRIALS, "1,000").replace(",", ""))


def _named(table: Printed, row: tuple[str, ...]) -> tuple[str, ...]:
    """Return the cells that name a row besides its number of trials."""
    return tuple(cell for column, cell in zip(table.columns, row, strict=False) if column != TRIALS)


def run(command: str) -> tuple[str, str]:
    """Run a benchmark at its smallest size. Returns its output and any error."""
    words = [sys.executable, "-m", "benchmarks", *command.split()]
    with tempfile.TemporaryFile("w+") as errors:
        try:
            done = subprocess.run(
                words,
                cwd=ROOT,
                env=os.environ | {"SMALLEST": "1"},
                stdout=subprocess.PIPE,
                stderr=errors,
                text=True,
                timeout=PATIENCE,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return "", f"did not end within {PATIENCE} s"
        errors.seek(0)
        return (
            done.stdout,
            "" if done.returncode == 0 else f"status {done.returncode}: {errors.read()[-2000:]}",
        )


def main() -> None:
    """Check every claim; exit with 1 if one is wrong."""
    subprocess.run([sys.executable, "-m", "engine.warm"], cwd=ROOT, stdout=subprocess.DEVNULL, check=True)
    before = _changed()
    wrong = 0
    documented: dict[str, list[Claim]] = {}
    for claim in claims():
        documented.setdefault(claim.command, []).append(claim)
    bare = [
        name for name in names() if name != "claims" and name not in {each.split()[0] for each in documented}
    ]
    checks: dict[str, Callable[[], list[str]]] = {
        f"python -m benchmarks {command}": partial(_faults, command, documented.get(command, []))
        for command in [*documented, *bare]
    }
    checks |= {f"make {target}": partial(dry_start, target) for target in targets()}
    checks |= {f"make campaign NAME={name}": partial(dry_campaign, name) for name in CAMPAIGNS}
    # Only the rows count, so parallel runs may slow each other
    with ThreadPoolExecutor(os.cpu_count()) as threads:
        for done in as_completed([threads.submit(_timed, what, check) for what, check in checks.items()]):
            text, failed = done.result()
            print(text, flush=True)
            wrong += failed
    if _changed() != before:
        print(f"FAILED          these runs wrote into the checkout:\n{_changed()}")
        wrong += 1
    print(f"{len(checks) - wrong} passed, {wrong} failed")
    if wrong:
        raise SystemExit(1)


def _changed() -> str:
    """Return the files that differ from the last commit, and how."""
    return subprocess.run(["git", "diff"], cwd=ROOT, capture_output=True, text=True, check=True).stdout


def _faults(command: str, documented: list[Claim]) -> list[str]:
    """Run a benchmark. Returns its differences from the documents."""
    printed, failed = run(command)
    if failed:
        return [failed]
    return [
        f"{claim.document.relative_to(ROOT)}: {fault}"
        for claim in documented
        for fault in differences(claim, printed)
    ]


def _timed(what: str, check: Callable[[], list[str]]) -> tuple[str, bool]:
    """Run a check. Returns its report, and whether it failed."""
    began = time.monotonic()
    faults = check()
    line = f"{'FAILED' if faults else 'ok':6} {time.monotonic() - began:6.1f} s  {what}"
    return "\n       ".join([line, *faults]), bool(faults)
