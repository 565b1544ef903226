"""`python -m ninefold` is the command line."""

import sys

from engine.__main__ import main

if __name__ == "__main__":
    sys.exit(main())
