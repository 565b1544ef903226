"""The command line as a program, `python -m engine` and `ninefold`."""

from __future__ import annotations

import sys

from .cli import main

if __name__ == "__main__":
    sys.exit(main())
