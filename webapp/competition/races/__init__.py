"""Races: up to ten players on the same puzzle at the same time, each on their own transformation of it."""
