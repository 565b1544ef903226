"""Tables of the curation desk: imports, orders, plans for dailies."""
