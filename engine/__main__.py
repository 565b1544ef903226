"""The command line as a program, `python -m engine` and `ninefold`; says where it has to compile first."""

from __future__ import annotations

import sys

from engine import cli, warm


def main() -> int:
    """Run the command line; returns the exit status."""
    if len(sys.argv) > 1 and sys.stderr.isatty() and not warm.ready():
        print("ninefold: compiling for this machine, once; this can take minutes", file=sys.stderr)
    return cli.main()


if __name__ == "__main__":
    sys.exit(main())
