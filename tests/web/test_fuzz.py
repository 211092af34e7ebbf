"""Whatever forms, cookies, headers and addresses bring: it is answered, in good order, and never a mistake of ours."""

import string
from typing import Any
from urllib.parse import quote

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from starlette.testclient import TestClient

from app.web import create_app
from tests.example import CODE

client = TestClient(create_app(), base_url="http://yukon.test", follow_redirects=False)

texts = st.one_of(
    st.text(max_size=30),
    st.sampled_from(["", "0", "1", "-1", "9" * 30, "9" * 5000, "1e9", "NaN", "٣", "on", "auto", "F", "8", "\0", "5H"]),
    st.sampled_from(["KS", "AS", "??", "5h", "10H", CODE, CODE.lower(), "YU2-C-ABFHTIL", "nl", "xx", "dark", "True"]),
)
names = st.one_of(
    st.sampled_from(
        ["rev", "card", "to", "visible", "rule", "code", "theme", "language", "mirrored", "auto_place", "large_print"]
    ),
    st.text(max_size=10),
)
forms = st.one_of(
    st.lists(st.tuples(names, texts), max_size=6).map(
        lambda fields: "&".join(f"{quote(name)}={quote(value)}" for name, value in fields).encode()
    ),
    st.binary(max_size=200),
    st.sampled_from([b"&" * 3000, b"=" * 3000, b"a=1&" * 100, b"%", b"%zz=%f", b"rev=%ff", b"x" * 20_000]),
)
flags = st.text("01", min_size=7, max_size=9)
cookies = st.one_of(
    st.tuples(
        st.text(string.ascii_letters + string.digits + "-_", min_size=21, max_size=23),
        flags,
        st.sampled_from(["", "light", "dark", "pink"]),
        st.sampled_from(["", "nl", "de", "en", "xx", "NL"]),
    ).map(lambda parts: "yukon=" + ".".join(parts)),
    st.text(st.characters(max_codepoint=255, exclude_characters="\r\n\0"), max_size=60),
)
headers = st.fixed_dictionaries(
    {},
    optional={
        "cookie": cookies.map(lambda text: text.encode("latin-1")),
        "content-type": st.sampled_from(
            [
                "application/x-www-form-urlencoded",
                "multipart/form-data; boundary=x",
                "multipart/form-data",
                "text/plain",
            ]
        ),
        "hx-request": st.sampled_from(["true", "false", "x"]),
        "accept-language": st.text(string.ascii_letters + "-;q=0.19,* ", max_size=30),
        "accept-encoding": st.sampled_from(["gzip", "br", "gzip;q=0", "*", ""]),
        "if-none-match": st.sampled_from(["*", '"x"', "W/", ",,"]),
        "range": st.sampled_from(["bytes=0-", "bytes=-5", "bytes=9-1", "x"]),
        "sec-fetch-site": st.sampled_from(["same-origin", "none", "cross-site"]),
        "host": st.sampled_from(["", "yukon.test", "[::1", "a:b:c", "\xff"]).map(lambda text: text.encode("latin-1")),
    },
)
codes = st.one_of(st.just(CODE), texts.map(lambda text: quote(text[:400], safe="")))
addresses = st.one_of(
    st.sampled_from(
        ["/", "/new", "/settings", "/rules", "/examples", "/faq", "/sitemap.xml", "/robots.txt", "/healthz"]
    ),
    st.tuples(codes, st.sampled_from(["", "/move", "/undo", "/redo", "/restart", "/clock", "/picture.png", "/x"])).map(
        lambda parts: f"/play/{parts[0]}{parts[1]}"
    ),
    st.tuples(st.sampled_from(["/", "/static/", "/examples?step=", "/rules?lang=", "/faq?lang="]), texts).map(
        lambda parts: parts[0] + quote(parts[1][:400])
    ),
)
methods = st.sampled_from(["GET", "POST", "POST", "POST", "HEAD", "PUT", "OPTIONS", "DELETE"])


@settings(max_examples=400, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(method=methods, address=addresses, form=forms, sent=headers)
def test_no_request_finds_a_mistake(method: str, address: str, form: bytes, sent: dict[str, Any]) -> None:
    client.cookies.clear()
    answer = client.request(method, f"http://yukon.test{address}", content=form, headers=sent)
    assert answer.status_code < 500
    assert "default-src 'none'" in answer.headers["content-security-policy"]
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert "cache-control" in answer.headers
    if answer.status_code >= 400 and method == "POST" and answer.headers["content-type"].startswith("text/html"):
        is_fragment = sent.get("hx-request") == "true"
        assert ("<!doctype html>" in answer.text) != is_fragment, "a page to browsers, a fragment to htmx"


@pytest.mark.parametrize("action", ["move", "undo", "redo", "restart"])
def test_no_series_of_odd_actions_spoils_a_game(action: str) -> None:
    other = TestClient(client.app, base_url="http://yukon.test", follow_redirects=False)
    other.post(f"/play/{CODE}/move", data={"card": "9S", "to": "2", "rev": "0"})

    @settings(max_examples=60, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
    @given(form=forms)
    def go_on(form: bytes) -> None:
        kind = {"content-type": "application/x-www-form-urlencoded"}
        assert other.post(f"/play/{CODE}/{action}", content=form, headers=kind).status_code < 500
        assert other.get(f"/play/{CODE}").status_code == 200

    go_on()
