"""The door for WSGI servers and for `flask`: `gunicorn wsgi:app`."""

from webapp import create_app

app = create_app()
