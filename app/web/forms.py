"""Forms as browsers send them, into pydantic models."""

from typing import TypeVar
from urllib.parse import parse_qsl

from fastapi import Request
from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel, ConfigDict, ValidationError

_MOST_FIELDS = 20


class FormModel(BaseModel):
    """A form; a field it doesn't know is an error."""

    model_config = ConfigDict(extra="forbid", frozen=True)


Form = TypeVar("Form", bound=FormModel)


async def read_form(request: Request, model: type[Form]) -> Form:
    """The fields of a form; of two with the same name the later one counts.

    Every form here is small and url-encoded, so the standard library reads it; FastAPI's own way through a multipart
    parser costs more than the move itself. Raises RequestValidationError.
    """
    body = await request.body()
    try:
        fields = dict(parse_qsl(body.decode(), keep_blank_values=True, max_num_fields=_MOST_FIELDS))
        return model.model_validate(fields)
    except ValidationError as error:
        raise RequestValidationError(error.errors(include_url=False)) from None
    except ValueError:  # no UTF-8, or too many fields
        raise RequestValidationError([]) from None
