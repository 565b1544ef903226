"""Shared by the processes that `forking` starts: the site, its servers and compiled kernels."""

from __future__ import annotations

import gc

import flask.cli  # noqa: F401
import gunicorn.app.wsgiapp
import gunicorn.workers.gthread  # noqa: F401

import engine
import webapp
import webapp.site.jobs.worker  # noqa: F401
from engine import warm
from tests.webapp.forking import end_with_parent

# Each fork keeps a pipe of this server open, which it would wait for after an interrupted run.
end_with_parent()

if warm.ready():
    engine.rate(engine.parse(warm.EASY))
gc.collect()
gc.freeze()  # otherwise a collection in a fork would copy every shared page
