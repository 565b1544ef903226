"""What only the curation desk keeps: imports, and what dailies are planned to be."""
