"""Ten curators at once at the desk of a bank of a million puzzles, over HTTP, and what they decided.

`python -m benchmarks desk`, on SQLite and PostgreSQL (TEST_DATABASE_URL). PUZZLES, CURATORS, SECONDS and
REST (seconds that a curator looks at a page, half as long to half as long again) may be set, and BANKS to
the addresses of banks made before, with commas between them. The bank is that of `desk_search`, but its
first puzzles are real candidates: those are judged, every fifth by two curators at once, of whom one may
succeed.
"""

from __future__ import annotations

import os
import random
import re
import secrets
import tempfile
import threading
import time
from collections import defaultdict, deque
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from urllib.parse import quote

import pyotp
import sqlalchemy as sa
from flask_migrate import upgrade

import engine
from benchmarks import desk_search
from benchmarks.databases import databases
from benchmarks.meanwhile import in_parallel
from benchmarks.site import processor_seconds
from tests.webapp.desk import appointed
from tests.webapp.furnished import at, opened
from tests.webapp.processes import WEB, Caller, free_port, running, wait_until
from tests.webapp.visitors import PASSWORD
from webapp.bank import bank, traits
from webapp.models import AuditEntry, Puzzle, Status
from webapp.process.database import db, write_tx

CURATORS = int(os.environ.get("CURATORS", "10"))
SECONDS = float(os.environ.get("SECONDS", "120"))
REST = float(os.environ.get("REST", "1"))
BANKS = list(filter(None, os.environ.get("BANKS", "").split(",")))
REAL = 3000  # candidates that can be judged
SHARED = 5  # every so many of them are judged by two
MOST = 300  # milliseconds at the 95th percentile
TOMORROW = (datetime.now(UTC) + timedelta(days=40)).date()
PAGES = (
    *(f"/admin/?{quote(query, safe='=&')}" for query in desk_search.PAGES),
    f"/admin/calendar?date={TOMORROW}&level=3",
    f"/admin/calendar?date={TOMORROW}&level=3&sort=plan",
    *("/admin/calendar", "/admin/plan", "/admin/results", "/admin/orders", "/admin/table"),
    *("/admin/collections", "/admin/import", "/admin/import?status=approved&uses=x_wing", "/admin/health"),
    *("/admin/flags", "/admin/team", "/admin/audit", "/admin/languages", "/admin/settings"),
)


@dataclass
class Tally:
    """What all curators saw."""

    times: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    accepted: dict[int, str] = field(default_factory=dict)  # the status each puzzle was given
    refused: int = 0  # another curator was faster
    twice: list[int] = field(default_factory=list)  # accepted from two curators
    lock: threading.Lock = field(default_factory=threading.Lock)


def furnish() -> None:
    """Make the bank; its first puzzles are real ones."""
    upgrade()
    desk_search.fill()
    with write_tx():
        for table, column in (("puzzle_trait", "puzzle_id"), ("puzzle", "id")):
            db.session.execute(sa.text(f"DELETE FROM {table} WHERE {column} <= :real"), {"real": REAL})  # noqa: S608
    for first in range(1, REAL + 1, 100):
        made = [_candidate(number) for number in range(first, first + 100)]
        with write_tx():
            db.session.add_all(made)
    deque(traits.trace(), maxlen=0)


def _candidate(number: int) -> Puzzle:
    grid = engine.generate(engine.Recipe(), number).grid
    return Puzzle(
        id=number,
        givens=str(grid),
        canonical=str(engine.canonical_form(grid)),
        status=Status.CANDIDATE,
        engine_version=engine.__version__,
        created_at=datetime.now(UTC),
        **bank.rating_of(grid),
    )


def seated(port: int, instance: Path, name: str, url: str) -> Caller:
    """A curator who has just proved themselves."""
    caller = Caller(port)
    caller.request("GET", "/register")
    caller.request("POST", "/register", [("name", name), ("password", PASSWORD)])
    secret = appointed(instance, name, DATABASE_URL=url)
    caller.request("GET", "/admin/sign-in")
    proof = [("desk_password", PASSWORD), ("desk_code", pyotp.TOTP(secret).now())]
    status, text, _location = caller.request("POST", "/admin/sign-in", proof)
    if status != 303:
        raise SystemExit(f"{name} was not let in: {status} {text[:500]}")
    return caller


def work(caller: Caller, place: int, until: float, tally: Tally) -> None:
    """Read pages and judge puzzles until then, resting between two requests."""
    draw = random.Random(place)
    time.sleep(REST * place / CURATORS)
    own = [n for n in range(1, REAL + 1) if n % SHARED == 0 or n % CURATORS == place % CURATORS]
    own = [n for n in own if n % SHARED or n // SHARED % (CURATORS // 2) == place % (CURATORS // 2)]
    pages: list[str] = []
    for number in own:
        pages = pages or draw.sample(PAGES, len(PAGES))
        for path in (pages.pop(), "/admin/", f"/admin/puzzles/{number}"):
            if time.monotonic() > until:
                return
            text = asked(caller, path, tally)
        found = re.search(rf'value="{number}:(\d+)"', text)
        # Judged by the other one meanwhile, whose decision may be reversed: that is no conflict.
        if found is None or '<p class="review__facts">Candidate' not in text:
            continue
        action = draw.choice(("approve", "reject"))
        judge(caller, number, int(found[1]), action, tally)


def asked(caller: Caller, path: str, tally: Tally) -> str:
    """Ask for a page, and rest."""
    began = time.perf_counter()
    status, text, _location = caller.request("GET", path)
    spent = 1000 * (time.perf_counter() - began)
    if status != 200:
        raise SystemExit(f"{path}: {status}")
    kind = re.sub(r"/puzzles/\d+", "/puzzles/…", path)
    with tally.lock:
        tally.times[kind].append(spent)
    rest()
    return text


def judge(caller: Caller, number: int, version: int, action: str, tally: Tally) -> None:
    """Decide on a puzzle, and note what was answered."""
    began = time.perf_counter()
    form = [("action", action), ("puzzle", f"{number}:{version}"), ("reason", "Too plain")]
    status, text, _location = caller.request("POST", "/admin/decisions", form)
    spent = 1000 * (time.perf_counter() - began)
    if status not in (200, 409):
        raise SystemExit(f"{action} #{number}: {status} {text[:500]}")
    with tally.lock:
        tally.times["a decision"].append(spent)
        if status == 409:
            tally.refused += 1
        elif number in tally.accepted:
            tally.twice.append(number)
        else:
            tally.accepted[number] = "approved" if action == "approve" else "rejected"
    rest()


def rest() -> None:
    """Look at a page, as long as a person would: else all ten ask at the same moments."""
    time.sleep(REST * random.uniform(0.5, 1.5))


def decisions() -> int:
    """Count the decisions in the audit log."""
    logged = sa.select(sa.func.count()).where(AuditEntry.action.in_(("approve", "reject")))
    return db.session.scalar(logged) or 0


def standing(tally: Tally) -> int:
    """Count the decisions that stand in the bank as they were answered."""
    ids = list(tally.accepted)
    found: dict[int, str] = {}
    for start in range(0, len(ids), 500):
        part = sa.select(Puzzle.id, Puzzle.status).where(Puzzle.id.in_(ids[start : start + 500]))
        found |= {row.id: row.status for row in db.session.execute(part)}
    return sum(found[number] == status for number, status in tally.accepted.items())


def make(instance: Path, url: str) -> None:
    """Make the bank, and say how long it took."""
    began = time.monotonic()
    with opened(at(instance, DATABASE_URL=url)) as app, app.app_context():
        furnish()
    print(f"{url.partition(':')[0]}: {desk_search.PUZZLES} puzzles made in {time.monotonic() - began:.0f} s")


def percentile(times: list[float], share: float) -> float:
    """The time that this share of the requests took at most."""
    return sorted(times)[min(len(times) - 1, int(share * len(times)))]


def measure(url: str) -> bool:
    """Print the figures of a database; whether all pages and decisions are as promised."""
    with tempfile.TemporaryDirectory() as folder:
        instance = Path(folder) / "instance"
        kind = url.partition(":")[0]
        if url not in BANKS:
            make(instance, url)
        with opened(at(instance, DATABASE_URL=url)) as app, app.app_context():
            before = decisions()
        port, tally = free_port(), Tally()
        settings = {"DATABASE_URL": url, "PORT": str(port), "SIGN_UPS": "1000"}
        with running(*WEB, instance=instance, log=Path(folder) / "log", forked=False, **settings) as server:
            wait_until(Caller(port).answers)
            names = [f"Cora {secrets.token_hex(5)}" for _place in range(CURATORS)]
            callers = [seated(port, instance, name, url) for name in names]
            for caller in callers:  # none of the web processes begins with caches that are empty
                for page in PAGES:
                    caller.request("GET", page)
            used, load, until = processor_seconds(server), os.getloadavg()[0], time.monotonic() + SECONDS
            in_parallel([(work, (caller, place, until, tally)) for place, caller in enumerate(callers)])
            used, failed = processor_seconds(server) - used, server.failed()
        with opened(at(instance, DATABASE_URL=url)) as app, app.app_context():
            stand, logged = standing(tally), decisions() - before
    slow = False
    for page, times in sorted(tally.times.items(), key=lambda item: -percentile(item[1], 0.95)):
        late = percentile(times, 0.95)
        slow |= late > MOST
        print(f"  {percentile(times, 0.5):7.1f} ms median {late:7.1f} at 95 % {len(times):5}  {page[:90]}")
    every = [each for times in tally.times.values() for each in times]
    right = stand == logged == len(tally.accepted) and not tally.twice and not failed
    more = ", errors in the log" if failed else ""
    print(
        f"{kind}: {len(every)} requests of {CURATORS} curators in {SECONDS:.0f} s, load before {load:.1f}: "
        f"{percentile(every, 0.5):.1f} ms median, {percentile(every, 0.95):.1f} at 95 %, "
        f"{1000 * used / len(every):.1f} of the web processes; "
        f"{len(tally.accepted)} decisions made, {stand} stand, {logged} logged, {tally.refused} refused "
        f"because another was faster, {len(tally.twice)} accepted twice{more}"
    )
    return right and not slow


def main() -> None:
    """Measure on every database there is."""
    if BANKS:
        results = [measure(url) for url in BANKS]
    else:
        with databases() as urls:
            results = [measure(url) for url in urls]
    raise SystemExit(0 if all(results) else 1)


if __name__ == "__main__":
    main()
