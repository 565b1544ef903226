"""Tests of ratings and the next puzzle."""
