"""A browser with scripts off (plain forms) or on (htmx), that reads pages by the marks which the site promises."""

import re
from dataclasses import dataclass
from functools import cached_property
from html.parser import HTMLParser

from httpx import Response
from starlette.testclient import TestClient

HTMX = {"HX-Request": "true"}


class _Marks(HTMLParser):
    """Collects what the promised marks say."""

    def __init__(self) -> None:
        super().__init__()
        self.columns: dict[str, list[str]] = {}
        self.foundations: dict[str, str] = {}
        self.values: dict[str, str] = {}
        self.texts: list[str] = []
        self._column: list[str] | None = None
        self._foundation: str | None = None
        self._in_status = False
        self.status = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        marks = {name: value or "" for name, value in attrs}
        if "data-column" in marks:
            self._foundation = None
            self._column = self.columns.setdefault(marks["data-column"], [])
        elif "data-foundation" in marks:
            self._column = None
            self._foundation = marks["data-foundation"]
            self.foundations[self._foundation] = ""
        elif tag == "li" and marks.get("class") == "down" and self._column is not None:
            self._column.append("??")
        if "data-card" in marks:
            if self._column is not None:
                self._column.append(marks["data-card"])
            elif self._foundation is not None:
                self.foundations[self._foundation] = marks["data-card"]
        for name in ("rev", "score", "moves", "clock", "code", "undo", "redo", "places"):
            if f"data-{name}" in marks and not (name == "places" and "data-rev" not in marks):
                self.values[name] = marks[f"data-{name}"]
        if marks.get("role") == "status" or marks.get("hx-target") == "#message":
            self._in_status = True

    def handle_endtag(self, tag: str) -> None:
        if tag in ("p", "hx-partial"):
            self._in_status = False

    def handle_data(self, data: str) -> None:
        if self._in_status:
            self.status += data


@dataclass
class Page:
    """What came back."""

    response: Response

    @property
    def status(self) -> int:
        return self.response.status_code

    @property
    def text(self) -> str:
        return self.response.text

    @property
    def is_whole(self) -> bool:
        """A whole document, not a fragment."""
        return "<!doctype html>" in self.text.lower()

    @cached_property
    def marks(self) -> _Marks:
        marks = _Marks()
        marks.feed(self.text)
        return marks

    @property
    def message(self) -> str:
        return self.marks.status.strip()

    @property
    def columns(self) -> list[list[str]]:
        return [self.marks.columns[str(number)] for number in range(1, 8)]

    @property
    def rev(self) -> int:
        return int(self.marks.values["rev"])

    @property
    def score(self) -> int:
        return int(self.marks.values["score"])

    @property
    def moves(self) -> int:
        return int(self.marks.values["moves"])

    @property
    def clock(self) -> float:
        return float(self.marks.values["clock"])

    @property
    def places(self) -> str:
        return self.marks.values["places"]


class Browser:
    """One person's browser; it keeps cookies."""

    def __init__(self, client: TestClient) -> None:
        self.client = client

    def get(self, address: str, **headers: str) -> Page:
        return Page(self.client.get(address, headers=_named(headers)))

    def post(self, address: str, fields: dict[str, object] | None = None, **headers: str) -> Page:
        return Page(self.client.post(address, data=fields or {}, headers=_named(headers)))

    def look(self, code: str) -> Page:
        return self.get(f"/play/{code}")

    def move(self, code: str, move: str, rev: int, *, htmx: bool = True, **fields: object) -> Page:
        """``9S>2``, on the board of this ``rev``."""
        card, to = move.split(">")
        return self.act(code, "move", rev, htmx=htmx, card=card, to=to, **fields)

    def act(self, code: str, action: str, rev: int, *, htmx: bool = True, **fields: object) -> Page:
        headers = HTMX if htmx else {}
        return Page(self.client.post(f"/play/{code}/{action}", data={"rev": rev, **fields}, headers=headers))


def _named(headers: dict[str, str]) -> dict[str, str]:
    return {re.sub("_", "-", name): value for name, value in headers.items()}
