"""The app conforms to its OpenAPI document: schemathesis sends valid and invalid requests.

A few requests drawn at random by default. The campaign `api` (API_EXAMPLES=300) draws more, and tries every
boundary of every field and every pair of them, 1,400 requests.
"""

from __future__ import annotations

import pytest
import schemathesis
from flask import Flask
from hypothesis import HealthCheck, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    ignored_auth,
    negative_data_rejection,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
    unsupported_method,
)

from tests.thorough import amount
from tests.webapp.desk import V1, Curator, token_of
from webapp.curation.api import api
from webapp.identity.limits import Limit

EXAMPLES = amount("API_EXAMPLES", 10, 300)
# A request that conforms can still be rejected: a recipe that contradicts itself, a day in the past.
CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    negative_data_rejection,
    unsupported_method,
    ignored_auth,
]


@pytest.fixture
def described(app: Flask, cora: Curator, monkeypatch: pytest.MonkeyPatch) -> schemathesis.schemas.BaseSchema:
    """The site's description of its API, for schemathesis, with an administrator's token."""
    monkeypatch.setattr(api, "REQUESTS", Limit("api", 1_000_000, api.REQUESTS.per))
    schema = schemathesis.openapi.from_wsgi(f"{V1}/openapi.json", app)
    schema.config.phases.coverage.enabled = EXAMPLES >= 100
    token = token_of(cora)

    @schema.auth()
    class Token:
        """Schemathesis omits it to check that it is required."""

        def get(self, _case: schemathesis.Case, _context: object) -> str:
            return token

        def set(self, case: schemathesis.Case, data: str, _context: object) -> None:
            plain = {"Accept-Encoding": "identity"}  # schemathesis can't decompress responses of a WSGI app
            case.headers = {**(case.headers or {}), **plain, "Authorization": f"Bearer {data}"}

    return schema


described_api = schemathesis.pytest.from_fixture("described")


@pytest.mark.slow
@described_api.parametrize()
@settings(
    max_examples=EXAMPLES,
    deadline=None,
    derandomize=True,
    suppress_health_check=list(HealthCheck),
)
def test_the_app_keeps_to_its_document(case: schemathesis.Case) -> None:
    case.call_and_validate(checks=CHECKS)
