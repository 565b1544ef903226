"""Figures, each a module with a `main()` that measures and prints; none of it is imported by the product."""
