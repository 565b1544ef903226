"""Work for curators that takes minutes or hours: orders and imports."""
