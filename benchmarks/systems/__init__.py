"""The figures of the five published systems: `python -m benchmarks papers`."""
