"""The puzzles of the site: adding, choosing, rating, comparing and exporting them."""
