"""The engine's version: what a puzzle remembers beside its recipe and seed."""

from typing import Final

__version__: Final = "0.3.0"
