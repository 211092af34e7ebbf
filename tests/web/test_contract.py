"""The API keeps the promises of its own description, whatever is thrown at it."""

from typing import Any

import hypothesis
import schemathesis
from schemathesis import Case
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    negative_data_rejection,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from app.web import create_app

schema = schemathesis.openapi.from_asgi("/api/v1/openapi.json", create_app())


@schema.parametrize()
@hypothesis.settings(
    max_examples=60, deadline=None, derandomize=True, suppress_health_check=list(hypothesis.HealthCheck)
)
def test_every_answer_is_as_described(case: Case[Any]) -> None:
    case.call_and_validate(
        checks=[
            not_a_server_error,
            status_code_conformance,
            content_type_conformance,
            response_headers_conformance,
            response_schema_conformance,
            negative_data_rejection,
        ]
    )
