"""What the server writes down: lines of JSON for machines, or words for whoever looks on."""

import json
import logging
import time
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any, Final, Literal

LOG: Final = logging.getLogger("yukon")


class Seldom:
    """Writes what may go wrong for every request, but no line more than once a second; then it tells how often."""

    _MOST: Final = 100

    def __init__(self, level: int, now: Callable[[], float] = time.monotonic) -> None:
        self._level, self._now = level, now
        self._said: dict[str, tuple[float, int]] = {}
        """By line: until when it is not said again, and how often it was left out."""

    def say(self, line: str) -> None:
        """Write a line, or leave it out."""
        now = self._now()
        until, left_out = self._said.get(line, (0.0, 0))
        if now < until:
            self._said[line] = until, left_out + 1
            return
        if len(self._said) >= self._MOST:
            self._said.clear()
        self._said[line] = now + 1.0, 0
        LOG.log(self._level, "%s%s", line, f" (and {left_out} more like it)" if left_out else "")


class JsonLines(logging.Formatter):
    """A record as one line of JSON: time, level, message, what ``extra={"fields": …}`` adds, and a traceback."""

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "message": record.getMessage(),
            **getattr(record, "fields", {}),
        }
        if record.exc_info:
            line["traceback"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False)


def config(form: Literal["plain", "json"]) -> dict[str, Any]:
    """For ``logging.config``: all goes to the standard error output, at once."""
    level = "INFO" if form == "json" else "WARNING"
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"plain": {"format": "%(levelname)s: %(message)s"}, "json": {"()": "app.logs.JsonLines"}},
        "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": form}},
        "loggers": {
            "yukon": {"handlers": ["stderr"], "level": level, "propagate": False},
            "uvicorn": {"handlers": ["stderr"], "level": "WARNING", "propagate": False},
        },
    }
