"""Generation: solved grids, digging, transformations, and the recipes that ask for a puzzle."""
