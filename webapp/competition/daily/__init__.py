"""The dailies: which puzzle is played on which day, the archive, and streaks."""
