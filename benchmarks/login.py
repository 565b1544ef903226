"""Guessing passwords against the real server: how many guesses cost a hash, and what other players notice.

`python -m benchmarks login`: eight players send a batch every tenth of a second, first alone, then while 200
guesses come at a steady pace: at one account from ever new addresses, and from one address at ever new names.
The load comes from the same machine. Each way three times, at an account or from an address that is new each
time; the best run counts, since machines are seldom idle.
"""

from __future__ import annotations

import http.client
import multiprocessing
import statistics
import threading
import time
from collections import Counter
from collections.abc import Callable
from multiprocessing.connection import Connection
from urllib.parse import urlencode

from benchmarks.moves import Player
from benchmarks.site import site
from tests.webapp.processes import Caller

PLAYERS = 8
EVERY = 0.1  # seconds between two batches of a player
GUESSES = 200
GUESS_EVERY = 0.02  # seconds
GUESSERS = 4  # connections
RUNS = 3
ACCOUNTS = ("Ada", "Bea", "Cleo")  # one a run
MOST_HASHES, MOST_MEDIAN, MOST_99 = 20, 1.5, 4.0
SECONDS = GUESSES * GUESS_EVERY

Form = Callable[[int, int], tuple[str, str]]  # number of run and guess -> name, address
WAYS: dict[str, Form] = {
    "one account, ever new addresses": lambda run, guess: (ACCOUNTS[run], f"10.{run}.1.{guess}"),
    "one address, ever new names": lambda run, guess: (f"Nobody {run} {guess}", f"10.{run}.2.1"),
}


class Guesser:
    """One kept-alive connection that guesses; its address is what the header of a proxy says."""

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


def play(players: list[Player]) -> list[float]:
    """Milliseconds of every batch within SECONDS, sorted."""
    times: list[float] = []

    def steadily(player: Player, offset: float) -> None:
        started = time.monotonic() + offset
        for turn in range(int(SECONDS / EVERY)):
            time.sleep(max(0.0, started + turn * EVERY - time.monotonic()))
            times.append(1000 * player.batch())

    in_parallel([(steadily, (player, index * EVERY / PLAYERS)) for index, player in enumerate(players)])
    return sorted(times)


def guess(port: int, way: str, run: int, to: Connection) -> None:
    """Send how often each status was the answer to guesses that come at an even pace."""
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


def in_parallel(work: list[tuple[Callable[..., None], tuple[object, ...]]]) -> None:
    threads = [threading.Thread(target=target, args=arguments) for target, arguments in work]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def measure(port: int, name: str) -> bool:
    """Print what came of it; whether it is within bounds."""
    players = [Player(port) for _ in range(PLAYERS)]
    play(players)  # warm up
    medians, highs, hashes = [], [], []
    print(name)
    for run in range(RUNS):
        idle = play(players)
        # In a process of its own: what the guessers do must not hold up the players' clocks.
        ours, theirs = multiprocessing.Pipe()
        flood = multiprocessing.Process(target=guess, args=(port, name, run, theirs))
        flood.start()
        ours.recv()  # they stand ready
        busy = play(players)
        answers = ours.recv()
        flood.join()
        hashes.append(answers[422])
        medians.append(statistics.median(busy) / statistics.median(idle))
        highs.append(_late(busy) / _late(idle))
        print(
            f"  idle {statistics.median(idle):5.1f} ms, 99 % {_late(idle):6.1f} ms;"
            f"  guessed at {statistics.median(busy):5.1f} ms, 99 % {_late(busy):6.1f} ms"
            f"  ({medians[-1]:.2f} and {highs[-1]:.2f} times; answers {dict(answers)})"
        )
    ratio, high = min(
        zip(medians, highs, strict=True), key=lambda run: max(run[0] / MOST_MEDIAN, run[1] / MOST_99)
    )
    print(
        f"  best: {ratio:.2f} times the median (at most {MOST_MEDIAN}),"
        f" {high:.2f} times the 99 % (at most {MOST_99});"
        f" at most {max(hashes)} of {GUESSES} guesses reached the hasher (at most {MOST_HASHES})"
    )
    return ratio <= MOST_MEDIAN and high <= MOST_99 and max(hashes) <= MOST_HASHES


def _late(times: list[float]) -> float:
    """What 99 % of sorted times stay under."""
    return times[min(len(times) - 1, int(0.99 * len(times)))]


def main() -> None:
    with site(PROXIES="1") as (port, _):
        for name in ACCOUNTS:
            if Guesser(port).post("/register", name, "four seals by the harbour", "10.3.0.1") != 303:
                raise SystemExit("no account could be made to guess at")
        within = [measure(port, name) for name in WAYS]
    if not all(within):
        raise SystemExit("not within bounds")
