"""Compiled code that more than one room of the engine needs. Takes arrays and ints, knows no objects."""
