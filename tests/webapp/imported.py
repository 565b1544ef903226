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

if warm.ready():
    engine.rate(engine.parse(warm.EASY))
gc.collect()
gc.freeze()  # otherwise a collection in a fork would copy every shared page
