"""Collections at the desk: what is in them, in which order, from when on, for whom."""
