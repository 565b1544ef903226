"""The routes, one blueprint a file: parse, make one service call, render."""

from __future__ import annotations

from flask import Flask

from webapp.routes import (
    accounts,
    admin,
    daily,
    enter,
    errors,
    groups,
    health,
    home,
    leaderboard,
    pages,
    play,
    players,
    puzzles,
    recovery,
)


def init_app(app: Flask) -> None:
    """Register every blueprint and the answers to errors."""
    for blueprint in (
        home.bp,
        daily.bp,
        leaderboard.bp,
        groups.bp,
        play.bp,
        enter.bp,
        puzzles.bp,
        accounts.bp,
        recovery.bp,
        players.bp,
        pages.bp,
        health.bp,
    ):
        app.register_blueprint(blueprint)
    admin.init_app(app)
    errors.init_app(app)
