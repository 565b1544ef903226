"""The dailies: each day's puzzles, past dailies, and streaks."""
