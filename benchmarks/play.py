"""`make bench NAME=play`: the targets for the speed of play, beside measurements."""

from __future__ import annotations

from benchmarks import moves, page
from benchmarks.tables import Table


def main() -> None:
    """Print one row a figure, and mark misses."""
    board = page.measure()
    paced, closed, hints = moves.run()
    rows = [
        ("first load of the board, KB compressed", board["kilobytes"], "at most", 60),
        ("requests for that load", board["requests"], "at most", 20),
        (
            "key press to painted digit, server stopped, a quarter of a core: ms, 95 %",
            board["paint_95"],
            "at most",
            50,
        ),
        ("16 connections, a batch each second: ms, median", paced.median, "at most", 15),
        ("16 connections, a batch each second: ms, 99 %", paced.percentile(0.99), "at most", 40),
        ("16 connections, closed loop: batches a second", closed.rate, "at least", 500),
        ("16 connections, closed loop: ms, 99 %", closed.percentile(0.99), "at most", 60),
        ("16 connections, a hint each second: ms, 99 %", hints.percentile(0.99), "at most", 100),
    ]
    table = Table(("measure", "limit"), ("measured", "missed"))
    for name, found, way, asked in rows:
        met = found <= asked if way == "at most" else found >= asked
        table.row(name, f"{way} {asked}", f"{found:.1f}", "" if met else "missed")
