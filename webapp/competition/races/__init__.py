"""Races: up to ten players at one puzzle at the same time, each in a turn of their own."""
