"""Results of puzzle rush at the desk."""
