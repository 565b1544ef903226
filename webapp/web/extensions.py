"""The Flask extensions; create_app binds them. The database is in webapp/process/database.py."""

from __future__ import annotations

from flask_compress import Compress
from flask_migrate import Migrate
from flask_wtf import CSRFProtect

from webapp.models import months

compress = Compress()
csrf = CSRFProtect()
migrate = Migrate(include_object=months.compared)
