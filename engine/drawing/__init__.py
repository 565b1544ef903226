"""Pictures of grids, positions and steps."""
