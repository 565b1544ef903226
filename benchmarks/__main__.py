"""`python -m benchmarks NAME...` measures what is named, by default all that `make bench` promises.

A word after the first that names no benchmark, such as a number, is for those that know it.
"""

import sys
from importlib import import_module
from importlib.util import find_spec

BENCH = ("search", "start", "canonical", "memory")

if __name__ == "__main__":
    first, *others = sys.argv[1:] or BENCH
    for name in (first, *(word for word in others if find_spec(f"benchmarks.{word}"))):
        import_module(f"benchmarks.{name}").main()
