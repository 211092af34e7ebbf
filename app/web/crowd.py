"""How many connections a process has at once: over that, requests are told so, by the application and in words."""

from typing import Any, Final

from starlette.types import Scope
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

_CROWDED: Final = "yukon.crowded"


class CountingProtocol(HttpToolsProtocol):
    """Takes ``limit_concurrency`` over from uvicorn, which answers in plain English and writes a line for each."""

    def __init__(self, *args: Any, **options: Any) -> None:  # noqa: ANN401 - uvicorn's
        super().__init__(*args, **options)
        self._most, self.limit_concurrency = self.limit_concurrency, None

    def on_message_begin(self) -> None:
        """A request arrives."""
        super().on_message_begin()
        if self._most is not None and len(self.connections) > self._most:
            self.scope[_CROWDED] = True  # type: ignore[typeddict-unknown-key]  # for ``is_crowded``


def is_crowded(scope: Scope) -> bool:
    """Whether there were too many connections when a request came."""
    return _CROWDED in scope
