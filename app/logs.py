"""What the server writes down: lines of JSON for machines, or words for whoever looks on."""

import json
import logging
from datetime import UTC, datetime
from typing import Any, Final, Literal

LOG: Final = logging.getLogger("yukon")


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
