"""The site's puzzles: adding, choosing, rating, comparing and exporting them."""
