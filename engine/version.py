"""The version of engine and site; a puzzle records it with its recipe and seed."""

from typing import Final

__version__: Final = "1.0.0"
