"""A curator's import of 5,000 mixed lines, and malicious uploads, against the real server.

`python -m benchmarks imports` prints the outcome of each kind of line beside the expected one, the time until
the report, the growth of the web processes' memory, and the time to reject a decompression bomb.

With LARGE=100000, files with that many lines in total instead, each of at most 64 MiB, imported by a worker
during play: lines a second, the players' batches before and meanwhile, and the memory of the web processes.
Every tenth line is a puzzle of a new class, the others are equivalents of it; the report's counts show both.
With KILLS=3 the worker is killed that many times, every KILLED_AFTER seconds.
"""

from __future__ import annotations

import csv
import http.client
import io
import random
import re
import time
from collections.abc import Iterator
from contextlib import closing
from itertools import count, islice
from pathlib import Path

import engine
from benchmarks import meanwhile
from benchmarks.site import compiled, processor_seconds, site
from benchmarks.tables import Table, missed, sized
from engine.formats import FORMATS, Entry
from engine.generation.transform import random_transformation
from engine.kernels.rng import seeded
from tests.random_inputs import random_inputs
from tests.webapp.bombs import BOMBS, BOUNDARY, END, PART
from tests.webapp.desk import caller_at_the_desk
from tests.webapp.processes import WORKER, Caller, Process, running
from webapp.curation.puzzles.imports import LARGEST

LINES = sized("LINES", 5_000, 40)
RUNS = sized("RUNS", 3)
KILLS = sized("KILLS", 0, 0)
KILLED_AFTER = 30.0  # seconds
# Formats whose lines a file can mix, with their weights.
KINDS = {
    "line": 40,
    "sdm": 20,
    "hodoku": 10,
    "csv": 10,
    "puzzle_bank": 5,
    "json": 5,
    "sudokuwiki": 2,
    "sudokupad": 2,
}
MOST_SECONDS, MOST_MEGABYTES, MOST_REFUSAL = 2.0, 64.0, 1.0


def mixed(seed: int) -> tuple[list[str], list[str]]:
    """Return the lines of a file, and the states that its report must show.

    Of ten lines five are puzzles, two repeat them unchanged or transformed, two are grids without a unique
    solution, and one is damaged.
    """
    draw = random.Random(seed)
    fresh = [engine.generate(engine.Recipe(), seed * 100_000 + number).grid for number in range(LINES // 2)]
    unfit = (grid for kind, grid in random_inputs(seed, LINES) if kind != "unique")
    lines: list[tuple[int | str, str]] = [(number, _written(grid, draw)) for number, grid in enumerate(fresh)]
    for number in count():
        if len(lines) == LINES:
            break
        which = draw.randrange(len(fresh))
        grid = fresh[which]
        if number % 5 == 0:
            lines.append((which, _written(grid, draw)))
        elif number % 5 == 1:
            transformed = random_transformation(seeded(draw.getrandbits(64))).apply(grid)
            lines.append((which, _written(transformed, draw)))
        elif number % 5 == 2:
            lines.append(("invalid", _damaged(str(grid), draw)))
        else:
            other = next(unfit)
            lines.append(("invalid" if other.faults() else "not_unique", str(other)))
    draw.shuffle(lines)
    return [text for _what, text in lines], list(_states([what for what, _text in lines]))


def _states(lines: list[int | str]) -> Iterator[str]:
    """Return the expected states; the first of equal puzzles is the new one."""
    met = set()
    for what in lines:
        yield what if isinstance(what, str) else "duplicate" if what in met else "new"
        met.add(what)


def _written(grid: engine.Grid, draw: random.Random) -> str:
    (kind,) = draw.choices(list(KINDS), list(KINDS.values()))
    return FORMATS[kind].write(Entry(grid))


def _damaged(line: str, draw: random.Random) -> str:
    """Damage a line: an invalid character, or a cut."""
    at = draw.randrange(30, 80)
    return line[:at] if draw.random() < 0.5 else line[:at] + draw.choice("xyz?") + line[at + 1 :]


def processes(site: Process) -> list[int]:
    """Return the web processes: the children of gunicorn's first."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rpartition(")")[2].split()
        except OSError:  # ended meanwhile
            continue
        if int(fields[1]) == site.popen.pid:
            found.append(int(stat.parent.name))
    return found


def megabytes(pid: int, what: str) -> float:
    """Return VmRSS, the memory a process uses now, or VmHWM, its peak since the last reset."""
    status = Path(f"/proc/{pid}/status").read_text()
    return int(status.partition(f"{what}:")[2].split()[0]) / 1024


def brought(caller: Caller, text: str) -> tuple[float, str, str]:
    """Upload a file. Returns seconds until the report's first page, its address, and the page."""
    body = f"{PART}{text}{END}".encode()
    headers = {
        "Cookie": caller.cookie,
        "X-CSRFToken": caller.token,
        "Content-Type": f"multipart/form-data; boundary={BOUNDARY}",
    }
    started = time.monotonic()
    with closing(http.client.HTTPConnection("127.0.0.1", caller.port, timeout=60)) as connection:
        connection.request("POST", "/admin/import", body, headers)
        response = connection.getresponse()
        refusal = response.read().decode()
        if response.status != 303:
            raise SystemExit(f"the import was refused: {response.status}: {refusal[:2000]}")
    address = response.headers["Location"]
    _status, page, _location = caller.request("GET", address)
    return time.monotonic() - started, address, page


def measure(caller: Caller, server: Process, seed: int, table: Table) -> bool:
    """Import a file and print the result. Returns whether it is within bounds."""
    lines, expected = mixed(seed)
    text = "\n".join(lines) + "\n"
    workers = processes(server)
    before = {pid: megabytes(pid, "VmRSS") for pid in workers}
    for pid in workers:
        Path(f"/proc/{pid}/clear_refs").write_text("5")  # reset the peak
    used = processor_seconds(server)
    seconds, address, page = brought(caller, text)
    used = processor_seconds(server) - used
    peak = max(megabytes(pid, "VmHWM") - before[pid] for pid in workers)
    _status, listed, _location = caller.request("GET", f"{address}.csv")
    report = list(csv.DictReader(io.StringIO(listed)))
    states = [row["state"] for row in report]
    numbered = [int(row["line"]) for row in report] == list(range(1, LINES + 1))
    wrong = [
        number for number, pair in enumerate(zip(expected, states, strict=False), 1) if pair[0] != pair[1]
    ]
    for number in islice(wrong, 5):
        line, state = lines[number - 1][:100], expected[number - 1]
        print(f"  line {number}: {line!r}: {state}, reported as {report[number - 1]}")
    figures = f"{len(report):,}", f"{len(wrong)}", f"{seconds:.2f}", f"{used:.2f}", f"{peak:.0f}"
    table.row(f"file {seed + 1}", *figures)
    whole = numbered and not wrong and "Download report" in page
    return whole and seconds < MOST_SECONDS and peak < MOST_MEGABYTES


def large(count: int) -> None:
    """Import large files and print the time and memory they took."""
    draw = random.Random(1)
    lines: list[str] = []
    while len(lines) < count:
        grid = engine.generate(engine.Recipe(), len(lines)).grid
        lines += [str(random_transformation(seeded(draw.getrandbits(64))).apply(grid)) for _turn in range(10)]
    space = (63 << 20) // count - 83
    padding = " " * space + "x" if space > 0 else ""  # a comment fills the file
    lines = [line + padding for line in lines[:count]]
    most = (LARGEST - 1024) // (len(lines[0]) + 1)  # lines of a file
    texts = ["\n".join(lines[at : at + most]) for at in range(0, count, most)]
    with site() as (port, server):
        instance = Path(server.environment["INSTANCE_PATH"])
        caller = caller_at_the_desk(port, instance)
        log, ahead = instance / "worker.log", {"BANK_STOCK": "1"}
        with running(*WORKER, instance=instance, log=log, forked=False, **ahead) as worker:
            players = meanwhile.new_players(port)
            idle = meanwhile.play(players)
            workers = processes(server)
            before = {pid: megabytes(pid, "VmRSS") for pid in workers}
            for pid in workers:
                Path(f"/proc/{pid}/clear_refs").write_text("5")
            brought_all = [brought(caller, text) for text in texts]
            busy: list[float] = []
            began, kills = time.monotonic(), 0
            pages = [""]
            while not all('data-state="done"' in page or 'data-state="failed"' in page for page in pages):
                busy += meanwhile.play(players)
                if kills < KILLS and time.monotonic() - began > (kills + 1) * KILLED_AFTER:
                    worker.kill()
                    worker.start()
                    kills += 1
                pages = [caller.request("GET", address)[1] for _seconds, address, _page in brought_all]
            took = time.monotonic() - began
            peak = max(megabytes(pid, "VmHWM") - before[pid] for pid in workers)
        counts = [re.findall(r"<b>(\d+)</b></a>", page) for page in pages]
    table = Table(("large files",), ("measured",))
    for what, figure in (
        ("lines, files", f"{count:,}, {len(texts)}"),
        ("all, new, duplicates ...", "; ".join(", ".join(each) for each in counts)),
        ("imported in", f"{took:.0f} s, {count / took:,.0f} lines a second, {kills} kills on the way"),
        ("a web process grew by at most", f"{peak:.0f} MB"),
        ("batches of players, median: times idle", f"{meanwhile.Run(idle, sorted(busy)).median:.2f}"),
    ):
        table.row(what, figure)


def main() -> None:
    """Print the results for the files and the malicious uploads, or for LARGE files."""
    compiled()
    if count := sized("LARGE", 0, 0):
        large(count)
        return
    with site() as (port, server):
        instance = Path(server.environment["INSTANCE_PATH"])
        caller = caller_at_the_desk(port, instance)
        limits = (f"report after, s (at most {MOST_SECONDS:g})", "processor s")
        peak = f"memory, MB (at most {MOST_MEGABYTES:g})"
        table = Table(("file",), ("lines reported", "reported wrong", *limits, peak))
        within = [measure(caller, server, seed, table) for seed in range(RUNS)]
        table = Table(
            ("upload that means harm",), ("answers", f"after, s (at most {MOST_REFUSAL:g})", "KiB sent")
        )
        for name, bomb in BOMBS.items():
            refusals = [bomb(caller) for _ in range(RUNS)]
            slowest = max(refusal.seconds for refusal in refusals)
            answers = sorted({refusal.status for refusal in refusals})
            sent = max(refusal.sent for refusal in refusals) / 1024
            table.row(name, ", ".join(map(str, answers)), f"{slowest:.2f}", f"{sent:,.0f}")
            within.append(slowest < MOST_REFUSAL and set(answers) <= {413, 422})
    if not all(within):
        missed("not within bounds")
