"""The API keeps the promises of its own description, whatever is thrown at it."""

from typing import Any

import hypothesis
import schemathesis
from schemathesis import Case, Response
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    negative_data_rejection,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from app.settings import DEFAULTS
from app.web import create_app

SETTINGS = DEFAULTS.model_copy(update={"solver_threads": 0})  # what it says of real verdicts: test_api_advice.py

schema = schemathesis.openapi.from_asgi("/api/v1/openapi.json", create_app(settings=SETTINGS))


def no_mistake_of_ours(_ctx: object, response: Response, _case: Case[Any]) -> None:
    """503 is one of the answers that are described: no deal is certified without a solver."""
    assert response.status_code < 500 or response.status_code == 503


@schema.parametrize()
@hypothesis.settings(
    max_examples=60, deadline=None, derandomize=True, suppress_health_check=list(hypothesis.HealthCheck)
)
def test_every_answer_is_as_described(case: Case[Any]) -> None:
    case.call_and_validate(
        checks=[
            no_mistake_of_ours,
            status_code_conformance,
            content_type_conformance,
            response_headers_conformance,
            response_schema_conformance,
            negative_data_rejection,
        ]
    )
