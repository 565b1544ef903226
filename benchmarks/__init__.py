"""Benchmarks, each a module with a `main()` that measures and prints; the product imports none of them."""
