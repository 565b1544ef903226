"""`python -m benchmarks NAME...` measures what is named, by default all that `make bench` promises.

A number among the names is for the benchmark that counts by it.
"""

import sys
from importlib import import_module

BENCH = ("search", "start", "canonical", "memory")

if __name__ == "__main__":
    for name in [word for word in sys.argv[1:] if not word.isdecimal()] or BENCH:
        import_module(f"benchmarks.{name}").main()
