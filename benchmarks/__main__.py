"""`python -m benchmarks NAME...` runs the named benchmarks, by default all that `make bench` includes.

Words that aren't the name of a benchmark, such as a number, are its arguments. SMALLEST=1 runs one trial for
each row.
"""

import sys
from importlib import import_module

from benchmarks.tables import measured_on, names

BENCH = ("search", "rate", "start", "canonical")


if __name__ == "__main__":
    first, *others = sys.argv[1:] or BENCH
    if first not in names():
        sys.exit(f"No benchmark is called {first}; there are {', '.join(names())}.")
    also = [name for name in others if name in names() and first != "renew"]  # which takes names itself
    modules = [import_module(f"benchmarks.{name}") for name in (first, *also)]
    print(measured_on(), flush=True)
    for module in modules:
        module.main()
