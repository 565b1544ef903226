"""Sphinx: `make docs` builds the documentation of the distribution `ninefold`; a warning is an error."""

from ninefold.version import __version__

project = "Ninefold"
release = version = __version__
copyright = "the authors of Ninefold"
extensions = ["myst_parser", "sphinx.ext.autodoc"]
html_theme = "furo"
html_title = f"Ninefold {__version__}"
html_copy_source = False
html_show_sphinx = False
exclude_patterns = ["examples"]
myst_heading_anchors = 3
# Reference: in the words of the docstrings, which are plain text, and in the order of this file.
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_preserve_defaults = True
