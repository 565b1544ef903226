"""Show the hardest step of a puzzle: its proof in words, and its picture in a file.

python hardest_step.py PUZZLE step.svg
"""

import sys
from pathlib import Path

import ninefold


def hardest(grid: ninefold.Grid) -> tuple[ninefold.Step, ninefold.Position]:
    """Return the step of the highest tier on the path, and its position."""
    position = ninefold.Position.from_grid(grid)
    found: list[tuple[ninefold.Step, ninefold.Position]] = []
    for step in ninefold.solve_path(grid).steps:
        found.append((step, position))
        position = position.after(step)
    return max(found, key=lambda pair: ninefold.TECHNIQUES[pair[0].technique].tier)


def main(line: str, target: str) -> None:
    step, position = hardest(ninefold.parse(line))
    print(ninefold.sentence(step, position))
    Path(target).write_text(ninefold.draw(step, on=position, labels=True, theme="auto"))


if __name__ == "__main__":
    main(*sys.argv[1:3])
