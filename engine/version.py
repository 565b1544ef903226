"""The one version of engine and site; a puzzle remembers it beside its recipe and seed."""

from typing import Final

__version__: Final = "0.4.0"
