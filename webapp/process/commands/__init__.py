"""Shared by commands and processes: error reporting, the schema check, exit."""
