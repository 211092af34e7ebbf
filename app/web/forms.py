"""What requests carry, into pydantic models: forms of browsers, JSON of programs.

FastAPI's own way costs a request more than a move does, so bodies are read here.
"""

from typing import Any, TypeVar
from urllib.parse import parse_qsl

from fastapi import Request
from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel, ConfigDict, ValidationError

_MOST_FIELDS = 20


class FormModel(BaseModel):
    """A form; a field it doesn't know is an error."""

    model_config = ConfigDict(extra="forbid", frozen=True)


Form = TypeVar("Form", bound=FormModel)
Body = TypeVar("Body", bound=BaseModel)


async def read_form(request: Request, model: type[Form]) -> Form:
    """The fields of a form; of two with the same name the later one counts.

    Every form here is small and url-encoded, so the standard library reads it. Raises RequestValidationError.
    """
    body = await request.body()
    try:
        fields = dict(parse_qsl(body.decode(), keep_blank_values=True, max_num_fields=_MOST_FIELDS))
        return model.model_validate(fields)
    except ValidationError as error:
        raise RequestValidationError(error.errors()) from None
    except ValueError:  # no UTF-8, or too many fields
        raise RequestValidationError([]) from None


async def read_json(request: Request, model: type[Body]) -> Body:
    """A JSON body. Raises RequestValidationError."""
    try:
        return model.model_validate_json(await request.body())
    except ValidationError as error:
        raise RequestValidationError(error.errors()) from None


def described(model: type[BaseModel]) -> dict[str, Any]:
    """What the description of the API says of a body that is read by ``read_json``."""
    content = {"application/json": {"schema": model.model_json_schema()}}
    return {"requestBody": {"required": True, "content": content}}
