"""What is packed, for whom, and what the answer says of it."""

import gzip

from fastapi.testclient import TestClient

from app.web import create_app
from app.web.assets import MOUNT
from tests.example import CODE

api = TestClient(create_app())


def ask(path: str, accept: str) -> tuple[dict[str, str], bytes]:
    with api.stream("GET", path, headers={"accept-encoding": accept}) as answer:
        return dict(answer.headers), b"".join(answer.iter_raw())


def test_a_page_is_packed_for_those_who_can_read_that() -> None:
    plain, body = ask("/faq", "br")
    headers, packed = ask("/faq", "gzip, br")
    assert gzip.decompress(packed) == body
    assert headers["content-encoding"] == "gzip"
    assert headers["content-length"] == str(len(packed))
    assert "content-encoding" not in plain
    assert plain["content-length"] == str(len(body))


def test_a_cache_is_told_that_there_are_two_forms() -> None:
    for accept in ("gzip", ""):
        assert "Accept-Encoding" in ask("/sitemap.xml", accept)[0]["vary"]


def test_little_is_left_as_it_is() -> None:
    headers, _ = ask("/api/v1/deals/nonsense", "gzip")
    assert "content-encoding" not in headers


def test_a_picture_is_packed_already() -> None:
    headers, _ = ask(f"/play/{CODE}/picture.png", "gzip")
    assert headers["content-type"] == "image/png"
    assert "content-encoding" not in headers


def test_a_file_says_once_that_it_has_two_forms() -> None:
    for accept in ("gzip", ""):
        assert ask(f"{MOUNT}/js/main.js", accept)[0]["vary"] == "Accept-Encoding"


def test_a_head_is_that_of_the_body() -> None:
    asked = api.head("/faq", headers={"accept-encoding": "gzip"})
    assert asked.headers["content-length"] == ask("/faq", "gzip")[0]["content-length"]
