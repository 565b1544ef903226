"""The site: a Flask app around the engine. This file only wires the parts together."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from flask import Flask
from flask_compress import Compress
from flask_wtf import CSRFProtect

from engine import __version__
from engine.drawing import cell_frame
from engine.geometry import cell_name
from webapp import models
from webapp.capability import PACKAGES, load, panels
from webapp.curation import desk
from webapp.identity import budget, outbox
from webapp.identity.names import initials
from webapp.process import database, templates
from webapp.process.clock import Clock, Steady, boottime, following, utcnow
from webapp.process.config import ROOT, Settings
from webapp.process.operation import logs, metrics
from webapp.site import commands as cli
from webapp.web import assets, auth, i18n, inputs, preferences, security, security_log, shared
from webapp.web.downloads import in_pieces
from webapp.web.i18n import about_text, clock_text, level_name, level_words
from webapp.web.links import public_url
from webapp.web.squares import of_level, sampled, squares

__all__ = ["create_app", "models"]


WORDS: Final[Mapping[str, object]] = {  # globals of every template
    "level_name": level_name,
    "about_text": about_text,
    "level_words": level_words,
    "clock_text": clock_text,
    "chosen": preferences.chosen,
    "preferences": preferences.PREFERENCES,
    "player_tag": auth.player_tag,
    "public_url": public_url,
    "who": auth.who,
    "came_from": auth.came_from,
    "panels": panels,
    "cell_frame": cell_frame,
    "cell_name": cell_name,
    "initials": initials,
    "of_level": of_level,
    "sampled": sampled,
    "squares": squares,
}


def create_app(
    settings: Settings | None = None,
    clock: Clock = utcnow,
    steady: Steady | None = None,
    packages: Iterable[str] = PACKAGES,
) -> Flask:
    """Create the WSGI app with these settings (default: from the environment) and clocks.

    If only `clock` is given, the steady clock follows it.
    """
    logs.install()
    settings = settings or Settings.from_environment()
    app = Flask(
        "webapp",
        root_path=str(ROOT / "webapp"),
        template_folder=str(ROOT / "templates"),
        static_folder=None,
        instance_path=str(settings.instance_path),
    )
    app.config.update(security.cookie_settings(settings))
    # Bytes: a smaller response is one packet anyway, and every move's response is smaller
    app.config["COMPRESS_MIN_SIZE"] = 1400
    app.config["COMPRESS_BR_LEVEL"] = 5  # 11 % smaller than at 4, for under a millisecond a page
    app.extensions["settings"] = settings
    entries = app.extensions["capabilities"] = load(packages)
    app.extensions["clock"] = clock
    steady = app.extensions["steady"] = steady or (boottime if clock is utcnow else following(clock))
    app.extensions["started"] = steady()
    app.jinja_env.globals.update(WORDS, menu=entries.links, version=__version__)
    metrics.init_app(app)
    security.init_app(app, settings)
    budget.init_app(app, settings)
    auth.init_app(app)
    security_log.init_app(app, settings)
    outbox.init_app()
    database.init_app(app, settings.database_url)
    CSRFProtect(app)
    Compress(app)
    i18n.init_app(app, settings.instance_path / "languages")
    templates.init_app(app, settings.instance_path / "templates")
    assets.init_app(app, settings.instance_path / "assets", security.file_headers(settings))
    inputs.init_app(app)
    shared.init_app(app)
    # The capabilities declare routes, desk access and commands.
    for entry in entries:
        for blueprint in (*entry.pages, *entry.blueprints):
            app.register_blueprint(blueprint)
    desk.init_app(app)
    cli.init_app(app)
    app.wsgi_app = in_pieces(app.wsgi_app)  # type: ignore[method-assign]  # as security.init_app
    return app
