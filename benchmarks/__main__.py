"""`python -m benchmarks NAME...` measures what is named, by default all that `make bench` promises.

A word after the first that names no benchmark, such as a number, is for those that know it.
"""

import sys
from importlib import import_module
from pathlib import Path

BENCH = ("search", "start", "canonical", "memory")

if __name__ == "__main__":
    files = sorted(Path(__file__).parent.glob("*.py"))
    names = [file.stem for file in files if "\ndef main(" in file.read_text()]
    first, *others = sys.argv[1:] or BENCH
    if first not in names:
        sys.exit(f"No benchmark is called {first}; there are {', '.join(names)}.")
    for name in (first, *(word for word in others if word in names)):
        import_module(f"benchmarks.{name}").main()
