"""The puzzles the site holds: adding, choosing, rating, comparing and writing them."""
