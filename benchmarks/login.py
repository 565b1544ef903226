"""Guessing passwords against the real server: guesses that cost a hash, and the effect on other players.

`python -m benchmarks login`: eight players send a batch every tenth of a second, first alone, then during 200
guesses at a steady pace: at one account from ever new addresses, and from one address at ever new names. The
load comes from the same machine. Each way runs three times, with a new account or address each time; the best
run counts, since machines are seldom idle.
"""

from __future__ import annotations

import http.client
import multiprocessing
import time
from collections import Counter
from collections.abc import Callable
from multiprocessing.connection import Connection
from urllib.parse import urlencode

from benchmarks.meanwhile import COLUMNS, RUNS, SECONDS, Run, best, in_parallel, new_players, play
from benchmarks.site import site
from benchmarks.tables import Table, missed, sized
from tests.webapp.processes import Caller

GUESSES = sized("GUESSES", 200, 8)
GUESS_EVERY = SECONDS / GUESSES
GUESSERS = 4  # connections
ACCOUNTS = ("Ada", "Bea", "Cleo")  # one a run
MOST_HASHES = 20

Form = Callable[[int, int], tuple[str, str]]  # number of run and guess -> name, address
WAYS: dict[str, Form] = {
    "one account, ever new addresses": lambda run, guess: (ACCOUNTS[run], f"10.{run}.1.{guess}"),
    "one address, ever new names": lambda run, guess: (f"Nobody {run} {guess}", f"10.{run}.2.1"),
}


class Guesser:
    """A kept-alive connection that guesses; it sends its address in a proxy's header."""

    def __init__(self, port: int) -> None:
        self.caller = Caller(port)
        self.caller.request("GET", "/login")
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)

    def post(self, path: str, name: str, password: str, address: str) -> int:
        body = urlencode({"name": name, "password": password, "csrf_token": self.caller.token})
        headers = {
            "Cookie": self.caller.cookie,
            "Content-Type": "application/x-www-form-urlencoded",
            "X-Forwarded-For": address,
        }
        self.connection.request("POST", path, body, headers)
        response = self.connection.getresponse()
        response.read()
        return response.status


def guess(port: int, way: str, run: int, to: Connection) -> None:
    """Send guesses at an even pace. Returns how often each status was returned."""
    guessers = [Guesser(port) for _ in range(GUESSERS)]
    form = WAYS[way]
    answers: Counter[int] = Counter()
    to.send("ready")
    started = time.monotonic()

    def share(index: int) -> None:
        for turn in range(index, GUESSES, GUESSERS):
            time.sleep(max(0.0, started + turn * GUESS_EVERY - time.monotonic()))
            name, address = form(run, turn)
            answers[guessers[index].post("/login", name, f"guess number {turn}", address)] += 1

    in_parallel([(share, (index,)) for index in range(GUESSERS)])
    to.send(answers)


def measure(port: int, name: str, table: Table) -> bool:
    """Print the result. Returns whether it is within bounds."""
    players = new_players(port)
    play(players)  # warm up
    runs, hashes = [], []
    for run in range(RUNS):
        idle = play(players)
        # In a process of its own, so that the guessers can't delay the players' clocks.
        ours, theirs = multiprocessing.Pipe()
        flood = multiprocessing.Process(target=guess, args=(port, name, run, theirs))
        flood.start()
        ours.recv()  # they are ready
        runs.append(Run(idle, play(players)))
        answers = ours.recv()
        flood.join()
        hashes.append(answers[422])
    table.row(name, *best(runs).cells, f"{max(hashes)} of {GUESSES}")
    return best(runs).within and max(hashes) <= MOST_HASHES


def main() -> None:
    """Print the best run of each way to guess."""
    with site(PROXIES="1") as (port, _):
        for name in ACCOUNTS:
            if Guesser(port).post("/register", name, "four seals by the harbour", "10.3.0.1") != 303:
                raise SystemExit("no account could be made to guess at")
        table = Table(("guesses",), (*COLUMNS, "guesses that reached the hasher"))
        within = [measure(port, name, table) for name in WAYS]
    if not all(within):
        missed("not within bounds")
