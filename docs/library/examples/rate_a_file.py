"""Rate every puzzle of a file with a line each, on all cores, and write a table.

python rate_a_file.py puzzles.txt ratings.csv
"""

import csv
import sys
from pathlib import Path

import ninefold
import numpy as np


def main(source: str, target: str) -> None:
    lines = Path(source).read_text().split()
    rows = np.stack([ninefold.parse(line).array() for line in lines])
    ratings = ninefold.rate_many(rows, progress=lambda done, total: print(f"\r{done:,} of {total:,}", end=""))
    print()
    with Path(target).open("w", newline="") as out:
        table = csv.writer(out)
        table.writerow(["puzzle", *ratings])
        for number, line in enumerate(lines):
            table.writerow([line, *(column[number] for column in ratings.values())])


if __name__ == "__main__":
    main(*sys.argv[1:3])
