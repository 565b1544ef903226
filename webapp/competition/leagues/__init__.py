"""Leagues: weekly and monthly seasons with promotion and relegation, and records of all time."""
