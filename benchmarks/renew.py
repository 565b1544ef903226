"""Update the figures in documents: `python -m benchmarks renew NAME...` writes the output of each command.

Only commands that begin with a given name run, at their full size; without a name, all of them.
"""

from __future__ import annotations

import os
import subprocess
import sys

from benchmarks.claims import BLOCK, documents
from benchmarks.tables import ROOT, SMALLEST


def main() -> None:
    """Run the commands, and replace their output in the documents."""
    wanted = sys.argv[sys.argv.index("renew") + 1 :]
    if SMALLEST:
        print("\nThe smallest size has no figures to write down.")
        return
    for document in documents():
        for command in [found[1] for found in BLOCK.finditer(document.read_text())]:
            if wanted and command.split()[0] not in wanted:
                continue
            print(f"{document.relative_to(ROOT)}: {command}", flush=True)
            words = [sys.executable, "-m", "benchmarks", *command.split()]
            done = subprocess.run(
                words, cwd=ROOT, stdout=subprocess.PIPE, text=True, env=os.environ, check=False
            )
            if done.returncode:
                print(f"ended with status {done.returncode}: not written")
                continue
            printed = f"<!-- python -m benchmarks {command} -->\n{done.stdout.strip()}\n\n<!-- end -->"
            text = document.read_text()
            place = next(found for found in BLOCK.finditer(text) if found[1] == command)
            document.write_text(text[: place.start()] + printed + text[place.end() :])
