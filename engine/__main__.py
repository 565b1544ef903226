"""`python -m engine`: the command line without an installed `ninefold`."""

import sys

from engine.cli import main

sys.exit(main())
