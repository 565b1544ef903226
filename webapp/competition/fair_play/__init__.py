"""What fair play keeps and weighs across games: traces, footprints, and the rules in use."""
