"""The curators' desk: judging puzzles, the calendar, orders, imports and moderation."""
