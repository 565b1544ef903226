"""The routes, one blueprint per file: parse, make one service call, render."""

from __future__ import annotations

from flask import Flask

from webapp.competition.daily import routes as daily
from webapp.competition.groups import routes as groups
from webapp.competition.leaderboard import routes as leaderboard
from webapp.competition.leagues import routes as leagues
from webapp.competition.races import at_once
from webapp.competition.races import routes as races
from webapp.curation import desk as admin
from webapp.learn.analysis import routes as analysis
from webapp.learn.lessons import routes as lessons
from webapp.learn.practice import routes as practice
from webapp.learn.rush import routes as rush
from webapp.people import account_routes as accounts
from webapp.people import passkey_routes as passkeys
from webapp.people import profile_routes as players
from webapp.people import recovery_routes as recovery
from webapp.people import reminder_routes as reminders
from webapp.play import entered_routes as enter
from webapp.play import puzzle_routes as puzzles
from webapp.play import routes as play
from webapp.play.lab import routes as lab
from webapp.play.replays import routes as replays
from webapp.play.shelf import collection_routes as collections
from webapp.play.shelf import routes as offers
from webapp.site import cards, guide, health, home, metrics, pages
from webapp.web import answers as errors


def init_app(app: Flask) -> None:
    """Register all blueprints and error handlers, and what needs neither."""
    for blueprint in (
        home.bp,
        daily.bp,
        leaderboard.bp,
        groups.bp,
        leagues.bp,
        races.bp,
        play.bp,
        enter.bp,
        offers.bp,
        collections.bp,
        lab.bp,
        replays.bp,
        lessons.bp,
        analysis.bp,
        practice.bp,
        rush.bp,
        puzzles.bp,
        accounts.bp,
        passkeys.bp,
        recovery.bp,
        reminders.bp,
        players.bp,
        pages.bp,
        guide.bp,
        cards.bp,
        health.bp,
        metrics.bp,
    ):
        app.register_blueprint(blueprint)
    admin.init_app(app)
    at_once.init_app(app)
    errors.init_app(app)
