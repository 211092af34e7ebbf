"""Static files, under an address that changes whenever one of them does.

The version is part of the path, so modules, styles and pictures name each other by relative addresses and a browser
may keep them for ever.
"""

import hashlib
from pathlib import Path
from typing import Final

from starlette.responses import Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

ROOT: Final = Path(__file__).parent.parent.parent
STATIC: Final = ROOT / "static"
TEMPLATES: Final = ROOT / "templates"


def _version() -> str:
    digest = hashlib.sha256()
    for path in sorted(path for path in STATIC.rglob("*") if path.is_file()):
        digest.update(path.relative_to(STATIC).as_posix().encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:12]


VERSION: Final = _version()
MOUNT: Final = f"/static/{VERSION}"


class Assets(StaticFiles):
    """The files of ``static/``; what was found never changes under its address."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        response = await super().get_response(path, scope)
        response.headers["cache-control"] = "public, max-age=31536000, immutable"
        return response
