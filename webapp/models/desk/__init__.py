"""What only the curation desk keeps: imports, orders, and what dailies are planned to be."""
