"""`make bench-play`: everything that is asked of the speed of playing, beside what is measured."""

from __future__ import annotations

from benchmarks import moves, page


def main() -> None:
    """Print one row a figure; what is missed says so."""
    board = page.measure()
    paced, closed, hints = moves.run()
    rows = [
        ("first load of the board, KB compressed", board["kilobytes"], "at most", 60),
        ("requests for that load", board["requests"], "at most", 20),
        (
            "key press to painted digit, server stopped, CPU at a quarter: 95 %, ms",
            board["paint_95"],
            "at most",
            50,
        ),
        ("16 connections, a batch per second each: median, ms", paced.median, "at most", 15),
        ("the same: 99 %, ms", paced.percentile(0.99), "at most", 40),
        ("16 connections, closed loop: batches per second", closed.rate, "at least", 500),
        ("the same: 99 %, ms", closed.percentile(0.99), "at most", 60),
        ("16 connections, a hint per second each: 99 %, ms", hints.percentile(0.99), "at most", 100),
    ]
    for name, found, way, asked in rows:
        met = found <= asked if way == "at most" else found >= asked
        print(f"{name:66}{found:9.1f}  {way} {asked:<5}{'' if met else '  MISSED'}")
