"""`python -m benchmarks NAME...` measures what is named, by default all that `make bench` promises."""

import sys
from importlib import import_module

BENCH = ("search", "start", "canonical", "memory")

if __name__ == "__main__":
    for name in sys.argv[1:] or BENCH:
        import_module(f"benchmarks.{name}").main()
