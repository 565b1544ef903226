"""The site: a Flask app around the engine. This file only wires the parts together."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from flask import Flask

from engine import __version__
from webapp import models
from webapp.process import database, mail, templates
from webapp.process.clock import Clock, Steady, boottime, following, utcnow
from webapp.process.config import ROOT, Settings
from webapp.process.operation import logs, metrics, patience
from webapp.site import blueprints as routes
from webapp.site import commands as cli
from webapp.web import assets, auth, i18n, inputs, preferences, security, security_log, shared
from webapp.web.extensions import compress, csrf, migrate
from webapp.web.i18n import about_text, clock_text, level_name, level_words
from webapp.web.links import public_url

__all__ = ["create_app", "models"]


class Site(Flask):
    """Flask without coroutines, since it asks about ten functions a request whether they are one."""

    jinja_environment = templates.Templates

    def ensure_sync(self, func: Callable[..., Any]) -> Callable[..., Any]:
        """Return the function as it is."""
        return func


def create_app(
    settings: Settings | None = None, clock: Clock = utcnow, steady: Steady | None = None
) -> Flask:
    """Create the WSGI app with these settings (default: from the environment) and clocks.

    If only `clock` is given, the steady clock follows it.
    """
    logs.install()
    settings = settings or Settings.from_environment()
    app = Site(
        "webapp",
        root_path=str(ROOT / "webapp"),
        template_folder=str(ROOT / "templates"),
        static_folder=None,
        instance_path=str(settings.instance_path),
    )
    # All templates are loaded at the start and stay; Jinja's own cache would note each use under a lock.
    app.jinja_options = {"cache_size": -1}
    app.config.update(security.cookie_settings(settings))
    app.config["COMPRESS_MIN_SIZE"] = 1400  # bytes: less is one packet anyway, and every move answers so
    app.config["COMPRESS_BR_LEVEL"] = 5  # a ninth smaller than at 4, for less than a millisecond a page
    app.extensions["settings"] = settings
    app.extensions["clock"] = clock
    app.extensions["steady"] = steady or (boottime if clock is utcnow else following(clock))
    app.jinja_env.globals.update(
        level_name=level_name,
        about_text=about_text,
        level_words=level_words,
        clock_text=clock_text,
        chosen=preferences.chosen,
        preferences=preferences.PREFERENCES,
        player_tag=auth.player_tag,
        public_url=public_url,
        who=auth.who,
        version=__version__,
    )
    patience.init_app(app)
    metrics.init_app(app)
    security.init_app(app, settings)
    auth.init_app(app)
    security_log.init_app(app, settings)
    mail.init_app()
    database.init_app(
        app, settings.database_url, pooled=settings.database_pool, replica_url=settings.database_replica_url
    )
    migrate.init_app(app, database.db, directory=str(ROOT / "migrations"), render_as_batch=True)
    csrf.init_app(app)
    compress.init_app(app)
    i18n.init_app(app, settings.instance_path / "languages")
    templates.init_app(app, settings.instance_path / "templates")
    assets.init_app(app, settings.instance_path / "assets", https=settings.https)
    inputs.init_app(app)
    shared.init_app(app)
    routes.init_app(app)
    cli.init_app(app)
    return app
