"""The door for WSGI servers and for `flask`: `gunicorn wsgi:app`."""

import sys

from webapp import create_app
from webapp.process.config import SettingError

try:
    app = create_app()
except SettingError as error:
    sys.exit(str(error))
