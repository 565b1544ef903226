"""The queue of candidates and the page of one puzzle."""
