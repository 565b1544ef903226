"""The curation desk: reviewing puzzles, the calendar, orders, imports and moderation."""
