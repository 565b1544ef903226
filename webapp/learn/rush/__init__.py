"""Puzzle rush: as many next steps as fit into three minutes."""
