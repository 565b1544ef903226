"""Rate a file of any size over the worker processes of a Dask cluster; restart it, and it continues.

    pip install path/to/ninefold/checkout 'dask[distributed]'
    python rate_a_million.py puzzles.txt ratings            on all cores of this machine
    python rate_a_million.py puzzles.txt ratings tcp://...  on a cluster, where all see both paths

Each part of the file becomes a table in the folder, which appears when it is complete. Existing parts are not
rated again, and another worker takes the part of a killed one: nothing is lost.
"""

import csv
import os
import sys
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import ninefold
import numpy as np

PART = 1 << 17  # bytes: some 1,600 puzzles, a second or two of work


def lines_of(source: Path, part: int) -> Iterator[str]:
    """Yield the lines that begin in a part of the file; each line is in exactly one part."""
    with source.open("rb") as file:
        if part:
            file.seek(part * PART - 1)
            file.readline()
        while file.tell() < (part + 1) * PART and (line := file.readline()):
            yield line.decode("utf-8", "replace").strip()


def rate_part(source: Path, target: Path, part: int) -> int:
    """Write the ratings of a part, in the order of its lines. Returns their number."""
    lines = [line for line in lines_of(source, part) if line]
    grids: list[ninefold.Grid] = []
    faults: dict[int, str] = {}
    for number, line in enumerate(lines):
        try:
            grids.append(ninefold.parse(line))
        except ninefold.PuzzleFormatError as error:
            faults[number] = str(error)
            grids.append(ninefold.Grid(bytes(81)))
    ratings = ninefold.rate_many(
        np.array([grid.array() for grid in grids], np.uint8).reshape(-1, 81), schemes=["explainer"], jobs=1
    )
    unfinished = target / f".{part:08}.{os.getpid()}"
    with unfinished.open("w", newline="") as out:
        table = csv.writer(out)
        for number, line in enumerate(lines):
            fault = faults.get(number, "")
            table.writerow(
                [line, fault or ratings["verdict"][number], "" if fault else ratings["explainer"][number]]
            )
    unfinished.replace(target / f"{part:08}.csv")  # whole or not at all
    return len(lines)


def parts_left(source: Path, target: Path) -> Iterator[int]:
    """Yield the unfinished parts; a file of 82 GB has 626,000."""
    for part in range(-(-source.stat().st_size // PART)):
        if not (target / f"{part:08}.csv").exists():
            yield part


def main(source: Path, target: Path, address: str | None = None) -> None:
    import dask  # type: ignore[import-not-found]
    from dask.distributed import Client, as_completed  # type: ignore[import-not-found]

    target.mkdir(exist_ok=True)
    dask.config.set({"distributed.scheduler.allowed-failures": 20})  # workers that may die under one part
    with Client(address) if address else Client(threads_per_worker=1) as client:
        left, done = parts_left(source, target), 0
        ahead = 4 * max(
            1, len(client.scheduler_info(n_workers=-1)["workers"])
        )  # so many wait, however long the file

        def ask(parts: Iterator[int]) -> list[object]:
            return [client.submit(rate_part, source, target, part, pure=False) for part in parts]

        under_way = as_completed(ask(islice(left, ahead)))
        for finished in under_way:
            done += finished.result()
            print(f"\r{done:,} rated", end="", flush=True)
            for future in ask(islice(left, 1)):
                under_way.add(future)
    print()


if __name__ == "__main__":
    main(Path(sys.argv[1]).absolute(), Path(sys.argv[2]).absolute(), *sys.argv[3:4])
