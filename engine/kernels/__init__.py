"""Compiled code shared by several packages of the engine. Takes arrays and ints, not objects."""
