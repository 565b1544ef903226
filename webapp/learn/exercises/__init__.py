"""Positions for lessons and drills, and the assessment of a reader's marks on them."""
