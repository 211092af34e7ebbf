"""Static files, under an address that changes whenever one of them does.

The version is part of the path, so modules, styles and pictures name each other by relative addresses and a browser
may keep them for ever.
"""

import gzip
import hashlib
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import brotli
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

ROOT: Final = Path(__file__).parent.parent.parent
STATIC: Final = ROOT / "static"
TEMPLATES: Final = ROOT / "templates"

ENTRIES: Final = ("js/main.js", "js/example.js")
"""The scripts that pages name; each is sent with all that it imports, in one piece."""

_SYMBOL: Final = re.compile(r"<symbol .*?</symbol>", re.DOTALL)

_NOTHING: Final = re.compile(r"q\s*=\s*0(\.0*)?")

_FOR_EVER: Final = "public, max-age=31536000, immutable"
_TYPES: Final = {
    ".LICENSE": "text/plain; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".webmanifest": "application/manifest+json",
}
_PACKED: Final = ("text/", "image/svg", "application/manifest")

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


def sprite() -> str:
    """The pieces of ``cards.svg``, to be part of a page: from another file a browser would draw them a moment late."""
    pieces = "".join(_SYMBOL.findall((STATIC / "cards.svg").read_text(encoding="utf-8")))
    return f'<svg hidden width="0" height="0">{pieces}</svg>'


VERSION: Final = _version()
MOUNT: Final = f"/static/{VERSION}"


class _File:
    """One static file as it is sent: plain, or compressed where that is smaller."""

    def __init__(self, content: bytes, media_type: str) -> None:
        self._type = media_type
        self._forms = {"": content}
        if media_type.startswith(_PACKED):
            packed = {"br": brotli.compress(content), "gzip": gzip.compress(content, mtime=0)}
            self._forms = {name: data for name, data in packed.items() if len(data) < len(content)} | self._forms
        self._tag = hashlib.sha256(content).hexdigest()[:16]

    def answer(self, headers: Headers) -> Response:
        """To a request: in the smallest form that the browser can read, or that it has it already."""
        readable = {"", *_listed(headers.get("accept-encoding", ""))}
        form = next(name for name in self._forms if name in readable)
        # A tag for each form: a cache must not take one for the other.
        tag = f'"{self._tag}{form}"'
        said = {"cache-control": _FOR_EVER, "vary": "Accept-Encoding", "etag": tag}
        known = {one.removeprefix("W/") for one in _listed(headers.get("if-none-match", ""))}
        if tag in known or "*" in known:
            return Response(None, 304, said)
        if form:
            said["content-encoding"] = form
        return Response(self._forms[form], 200, said, self._type)


def _listed(header: str) -> Iterator[str]:
    """What a header lists, without what it weighs as nothing."""
    for one in header.split(","):
        name, _, weight = one.partition(";")
        if not _NOTHING.fullmatch(weight.strip()):
            yield name.strip()


class Assets:
    """The files of ``static/``, read once: what isn't among them can't be asked for, whatever the path says."""

    def __init__(self) -> None:
        bundles = {entry: bundle(entry) for entry in ENTRIES if (STATIC / entry).exists()}
        self._files = {
            name: _File(bundles[name].encode() if name in bundles else path.read_bytes(), _TYPES[path.suffix])
            for path in STATIC.rglob("*")
            if path.is_file() and (name := path.relative_to(STATIC).as_posix())
        }

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """An ASGI application. Raises HTTPException."""
        file = self._files.get(scope["path"].removeprefix(scope["root_path"]).removeprefix("/"))
        if file is None:
            raise HTTPException(404)
        if scope["method"] not in ("GET", "HEAD"):
            raise HTTPException(405, headers={"allow": "GET, HEAD"})
        await file.answer(Headers(scope=scope))(scope, receive, send)
