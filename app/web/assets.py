"""Static files, under an address that changes whenever one of them does.

The version is part of the path, so modules, styles and pictures name each other by relative addresses and a browser
may keep them for ever.
"""

import hashlib
import re
from pathlib import Path
from typing import Final

from starlette.responses import Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

ROOT: Final = Path(__file__).parent.parent.parent
STATIC: Final = ROOT / "static"
TEMPLATES: Final = ROOT / "templates"

ENTRIES: Final = ("js/main.js", "js/example.js")
"""The scripts that pages name; each is sent with all that it imports, in one piece."""

_IMPORT: Final = re.compile(r"^import .* from '\./(.+)';$", re.MULTILINE)
_LEFT_OUT: Final = re.compile(r"^\s*(import .*|//.*|/\*\*.*\*/)?\n", re.MULTILINE)


def _version() -> str:
    digest = hashlib.sha256()
    for path in sorted(path for path in STATIC.rglob("*") if path.is_file()):
        digest.update(path.relative_to(STATIC).as_posix().encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:12]


def bundle(entry: str) -> str:
    """A module and all it imports, as one module: what is imported comes first, comments are left out.

    Our modules are written so that this is all it takes: imports stand on a line of their own, nothing is renamed, and
    no two modules share a name at their top level. Raises FileNotFoundError.
    """
    order: list[Path] = []

    def visit(path: Path) -> None:
        if path in order:
            return
        for name in _IMPORT.findall(path.read_text(encoding="utf-8")):
            visit(path.parent / name)
        order.append(path)

    visit(STATIC / entry)
    text = "".join(_LEFT_OUT.sub("", path.read_text(encoding="utf-8")) for path in order)
    return re.sub(r"^export ", "", text, flags=re.MULTILINE)


VERSION: Final = _version()
MOUNT: Final = f"/static/{VERSION}"


class Assets(StaticFiles):
    """The files of ``static/``; what was found never changes under its address."""

    def __init__(self) -> None:
        super().__init__(directory=STATIC)
        self._bundles = {entry: bundle(entry) for entry in ENTRIES if (STATIC / entry).exists()}

    async def get_response(self, path: str, scope: Scope) -> Response:
        if path in self._bundles and scope["method"] in ("GET", "HEAD"):
            response = Response(self._bundles[path], media_type="text/javascript")
        else:
            response = await super().get_response(path, scope)
        response.headers["cache-control"] = "public, max-age=31536000, immutable"
        return response
