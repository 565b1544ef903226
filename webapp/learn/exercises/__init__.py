"""The supply of positions for lessons and drills, and the judge of what a reader marks on them."""
