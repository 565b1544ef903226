"""Floods of reads against the real server: the effect of one guest's 16 connections on other players.

`python -m benchmarks floods`: eight players send a batch every tenth of a second, first alone, then while one
guest at another address asks for the same page as fast as the site answers. The load comes from the same
machine, in a process of its own. Each page is flooded three times; the best run counts, since machines are
seldom idle.
"""

from __future__ import annotations

import http.client
import multiprocessing
import time
from collections import Counter
from multiprocessing.connection import Connection

from benchmarks.meanwhile import COLUMNS, RUNS, SECONDS, Run, best, in_parallel, new_players, play
from benchmarks.site import site
from benchmarks.tables import Table, missed, sized
from tests.webapp.processes import Caller

CONNECTIONS = sized("CONNECTIONS", 16, 2)
PAGES = ("/archive", "/leaderboard", "/learn", "/analysis")
MOST_99 = 3.0  # relative to the idle one


def flood(port: int, page: str, run: int, to: Connection) -> None:
    """Ask for a page on all connections. Returns how often each status was returned."""
    guest = Caller(port)
    guest.request("GET", "/")
    headers = {"Cookie": guest.cookie, "X-Forwarded-For": f"10.4.{run}.1"}
    answers: Counter[int] = Counter()
    end = time.monotonic() + SECONDS

    def ask() -> None:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
        while time.monotonic() < end:
            connection.request("GET", page, headers=headers)
            response = connection.getresponse()
            response.read()
            answers[response.status] += 1

    to.send("ready")
    in_parallel([(ask, ())] * CONNECTIONS)
    to.send(answers)


def measure(port: int, page: str, number: int, table: Table) -> bool:
    """Print the result. Returns whether it is within bounds."""
    players = new_players(port)
    play(players)  # warm up
    runs, answers = [], Counter[int]()
    for run in range(RUNS):
        idle = play(players)
        ours, theirs = multiprocessing.Pipe()
        guest = multiprocessing.Process(target=flood, args=(port, page, RUNS * number + run, theirs))
        guest.start()
        ours.recv()
        runs.append(Run(idle, play(players)))
        answers += ours.recv()
        guest.join()
    table.row(page, *best(runs).cells, f"{answers[200]:,}", f"{answers[429]:,}")
    return best(runs).late <= MOST_99


def main() -> None:
    """Print the best run for each page."""
    with site(PROXIES="1") as (port, _):
        table = Table(("page",), (*COLUMNS, "pages shown", "refused"))
        within = [measure(port, page, number, table) for number, page in enumerate(PAGES)]
    if not all(within):
        missed("not within bounds")
