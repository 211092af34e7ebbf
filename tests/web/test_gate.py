"""Who is let in, and what nobody gets by asking oddly."""

import re
import secrets
from collections.abc import Callable

import pytest
from starlette.testclient import TestClient

from app.service import GameService
from app.settings import DEFAULTS
from app.store import MemoryStore
from app.web import create_app
from app.web.assets import MOUNT
from tests.example import CODE, MOVES
from tests.web.player import HTMX, Browser

MOVE = {"rev": "0", "card": "9S", "to": "2"}
ELSEWHERE = [
    {"sec-fetch-site": "cross-site"},
    {"sec-fetch-site": "same-site"},
    {"sec-fetch-site": "nonsense"},
    {"sec-fetch-site": "cross-site", "origin": "http://yukon.test"},
    {"origin": "https://evil.test"},
    {"origin": "http://yukon.test.evil.test"},
    {"origin": "http://yukon.test:8080"},
    {"origin": "file://yukon.test"},
    {"origin": "null"},
    {"origin": ""},
]
OURS = [
    {},
    {"sec-fetch-site": "same-origin"},
    {"sec-fetch-site": "none"},
    {"sec-fetch-site": "same-origin", "origin": "http://another.name"},  # a proxy that doesn't pass the name on
    {"origin": "http://yukon.test"},
    {"origin": "HTTP://YUKON.TEST:80"},
    {"origin": "https://yukon.test"},  # a proxy that ends TLS
]
CHANGES = [
    (f"/play/{CODE}/move", MOVE),
    (f"/play/{CODE}/undo", {"rev": "0"}),
    (f"/play/{CODE}/clock", {"visible": "5"}),
    ("/new", {"rule": "C"}),
    ("/settings", {"theme": "dark"}),
]


def site(**settings: object) -> TestClient:
    app = create_app(GameService(), DEFAULTS.model_copy(update=settings))
    return TestClient(app, base_url="http://yukon.test", follow_redirects=False)


# Other sites


@pytest.mark.parametrize("headers", ELSEWHERE)
@pytest.mark.parametrize(("address", "fields"), CHANGES)
def test_another_site_changes_nothing(
    api: TestClient, address: str, fields: dict[str, str], headers: dict[str, str]
) -> None:
    for form in ({}, HTMX):
        answer = api.post(address, data=fields, headers={**headers, **form})
        assert answer.status_code == 403
        assert "set-cookie" not in answer.headers
        assert ("<html" in answer.text) == (form == {})
        assert "Another site asked for that" in answer.text


@pytest.mark.parametrize("headers", OURS)
def test_our_own_pages_and_programs_change_what_they_may(api: TestClient, headers: dict[str, str]) -> None:
    assert api.post(f"/play/{CODE}/move", data=MOVE, headers=headers).status_code == 303
    assert api.post("/api/v1/games", json={"code": CODE}, headers=headers).status_code == 201


def test_a_game_is_as_it_was_after_another_site_tried(browser: Browser) -> None:
    browser.move(CODE, MOVES[0], 0)
    refused = browser.post(f"/play/{CODE}/undo", {"rev": "1"}, origin="https://evil.test")
    assert (refused.status, browser.look(CODE).rev) == (403, 1)


def test_a_program_in_another_sites_page_is_told_in_json(api: TestClient) -> None:
    answer = api.post("/api/v1/games", json={"code": CODE}, headers={"sec-fetch-site": "cross-site"})
    assert (answer.status_code, answer.headers["content-type"]) == (403, "application/problem+json")
    assert answer.json()["reason"] == "forbidden"


@pytest.mark.parametrize("headers", ELSEWHERE)
def test_a_link_on_another_site_shows_the_page(api: TestClient, headers: dict[str, str]) -> None:
    assert api.get(f"/play/{CODE}", headers=headers).status_code == 200


@pytest.mark.parametrize(("language", "words"), [("nl", "andere site"), ("de", "anderen Website")])
def test_the_refusal_is_told_in_the_players_language(api: TestClient, language: str, words: str) -> None:
    headers = {"origin": "https://evil.test", "accept-language": language}
    assert words in api.post("/new", data={}, headers=headers).text


def test_no_other_page_may_read_or_frame_ours(api: TestClient) -> None:
    answer = api.get(f"/play/{CODE}", headers={"origin": "https://evil.test"})
    assert not any(name.startswith("access-control") for name in answer.headers)
    assert "frame-ancestors 'none'" in answer.headers["content-security-policy"]
    assert answer.headers["cross-origin-opener-policy"] == "same-origin"
    assert answer.headers["cross-origin-resource-policy"] == "same-origin"
    assert "camera=()" in answer.headers["permissions-policy"]


def test_only_where_there_is_tls_browsers_are_told_to_insist_on_it(api: TestClient) -> None:
    assert "strict-transport-security" not in api.get(f"/play/{CODE}").headers
    assert "strict-transport-security" in api.get(f"https://yukon.test/play/{CODE}").headers


# Names


@pytest.mark.parametrize("host", ["yukon.test", "YUKON.test:8000", "yukon.test.", "a.b.example.org", "[::1]:80"])
def test_the_server_answers_under_its_names(host: str) -> None:
    client = site(hosts="yukon.test, *.example.org, [::1]")
    assert client.get(f"/play/{CODE}", headers={"host": host}).status_code == 200


@pytest.mark.parametrize(
    "host", ["evil.test", "yukon.test.evil.test", "example.org", "notexample.org", "", "yukon.test@evil.test", "[::2]"]
)
def test_it_answers_under_no_other(host: str) -> None:
    client = site(hosts="yukon.test, *.example.org, [::1]")
    page = client.get(f"/play/{CODE}", headers={"host": host, "accept-language": "de"})
    assert (page.status_code, "nicht bekannt" in page.text, CODE in page.text) == (400, True, False)
    assert client.post("/api/v1/games", json={}, headers={"host": host}).json()["reason"] == "invalid"
    assert client.get("/healthz", headers={"host": host}).status_code == 200, "a machine asks by address"


@pytest.mark.parametrize("host", ['"><script>', "a b", "\xff", "evil.test/x?", "evil.test#", ":::", "[", "a" * 3000])
def test_no_name_breaks_a_page_or_gets_into_it_unescaped(api: TestClient, host: str) -> None:
    for address in (f"/play/{CODE}", "/rules", "/faq", "/sitemap.xml", "/robots.txt"):
        answer = api.get(address, headers={"host": host.encode("latin-1")})
        assert answer.status_code < 500
        assert "<script>" not in answer.text


@pytest.mark.parametrize("host", ["evil.test", "yukon.test:1"])
def test_no_redirect_leads_where_the_host_header_says(api: TestClient, host: str) -> None:
    for address in ("/", "/new", "/settings", f"/play/{CODE.lower()}", f"/play/{CODE}/move"):
        location = api.get(address, headers={"host": host}).headers["location"]
        assert re.fullmatch(r"/|/play/YU1-[CRT]-\w{7}", location)


# Proxies


def test_only_a_trusted_proxy_says_who_asks_and_how() -> None:
    headers = {"x-forwarded-for": "203.0.113.9", "x-forwarded-proto": "https", "x-request-id": "from-the-proxy"}
    for proxy, believed in (("10.0.0.5", True), ("192.0.2.1", False)):
        app = create_app(GameService(), DEFAULTS.model_copy(update={"forwarded_allow_ips": "10.0.0.0/24"}))
        client = TestClient(app, base_url="http://yukon.test", client=(proxy, 5000), follow_redirects=False)
        answer = client.post(f"/play/{CODE}/move", data=MOVE, headers=headers)
        assert ("Secure" in answer.headers["set-cookie"]) == believed
        assert ("strict-transport-security" in answer.headers) == believed
        assert (answer.headers["x-request-id"] == "from-the-proxy") == believed


@pytest.mark.parametrize("prefix", ["/yukon", "/a/b.c"])
@pytest.mark.parametrize("is_cut_off", [True, False])
def test_under_a_path_all_leads_back_to_it(prefix: str, is_cut_off: bool) -> None:
    client = site(root_path=prefix)
    before = "" if is_cut_off else prefix
    assert re.fullmatch(rf"{prefix}/play/YU1-C-\w+", client.get(f"{before}/").headers["location"])
    page = client.get(f"{before}/play/{CODE}")
    for address in re.findall(r'(?:href|src|action|hx-\w+)="(/[^"]*)"', page.text):
        assert address.startswith(f"{prefix}/"), address
    script = re.search(r'src="([^"]*main\.js)"', page.text)
    assert script is not None
    assert client.get(before + script[1].removeprefix(prefix)).status_code == 200
    moved = client.post(f"{before}/play/{CODE}/move", data=MOVE)
    assert (moved.status_code, moved.headers["location"]) == (303, f"{prefix}/play/{CODE}")
    assert f"Path={prefix};" in moved.headers["set-cookie"]
    made = client.post(f"{before}/api/v1/games", json={"code": CODE})
    assert made.headers["location"].startswith(f"{prefix}/api/v1/games/")
    assert client.get(f"{before}/api/v1/nothing").headers["content-type"] == "application/problem+json"
    assert client.get(f"{before}/healthz").status_code == 200
    assert client.get(f"{before}/play/{CODE.lower()}").headers["location"] == f"{prefix}/play/{CODE}"


# Guessing


def test_a_game_cannot_be_found_by_guessing(api: TestClient) -> None:
    ids = [api.post("/api/v1/games", json={"code": CODE}).json()["id"] for _ in range(50)]
    assert len(set(ids)) == 50
    assert all(re.fullmatch(r"[A-Za-z0-9_-]{22}", one) for one in ids)
    # No character stands still, or goes up one by one.
    assert all(len({one[place] for one in ids}) > 5 for place in range(21))
    for guess in (ids[0][:-1], ids[0] + "A", ids[0].swapcase(), secrets.token_urlsafe(16), "*", "..", "%00"):
        assert api.get(f"/api/v1/games/{guess}").status_code == 404


def test_somebody_elses_game_is_not_shown_nor_changed(arrive: Callable[[], Browser]) -> None:
    anna, bert = arrive(), arrive()
    anna.move(CODE, MOVES[0], 0)
    assert bert.look(CODE).rev == 0
    assert bert.act(CODE, "undo", 1).status == 409
    assert anna.look(CODE).rev == 1


def test_a_cookie_that_was_made_up_owns_nothing(arrive: Callable[[], Browser]) -> None:
    arrive().move(CODE, MOVES[0], 0)
    for _ in range(20):
        made_up = f"yukon={secrets.token_urlsafe(16)}.11010000.."
        assert arrive().get(f"/play/{CODE}", cookie=made_up).rev == 0


# Caches

ODD = {
    "x-forwarded-host": "evil.test",
    "x-forwarded-for": "203.0.113.9",
    "x-forwarded-proto": "https",
    "x-forwarded-prefix": "/evil",
    "x-original-url": "/faq",
    "x-rewrite-url": "/faq",
    "x-http-method-override": "POST",
    "forwarded": "host=evil.test;proto=https",
    "range": "bytes=0-3",
    "hx-request": "true",
    "accept-language": "de",
    "cookie": "yukon=.11110000.dark.nl",
    "origin": "https://evil.test",
    "user-agent": "<script>",
    "accept": "application/json",
    "x-request-id": "evil",
}
EACH_ITS_OWN = ("x-request-id", "date")


@pytest.mark.parametrize("odd", ODD)
def test_no_odd_header_changes_what_a_shared_cache_may_keep(api: TestClient, odd: str) -> None:
    page = api.get(f"/play/{CODE}").text
    addresses = [
        f"/play/{CODE}/picture.png",
        f"/api/v1/deals/{CODE}",
        *(found for found in re.findall(rf'{MOUNT}/[^"#]+', page)),
    ]
    for address in addresses:
        plain, odder = api.get(address), api.get(address, headers={odd: ODD[odd]})
        assert "public" in plain.headers["cache-control"]
        assert plain.content == odder.content
        for name in EACH_ITS_OWN:
            plain.headers.pop(name, None)
            odder.headers.pop(name, None)
        assert plain.headers == odder.headers


@pytest.mark.parametrize("address", ["/", f"/play/{CODE}", "/rules", "/examples", "/faq", "/nowhere", "/healthz"])
def test_what_depends_on_who_asks_is_kept_by_nobody(api: TestClient, address: str) -> None:
    answer = api.get(address, headers={"accept-language": "nl"})
    assert "public" not in answer.headers["cache-control"]
    if answer.headers["cache-control"] != "no-store":
        assert {"Accept-Language", "Cookie"} <= set(re.split(r",\s*", answer.headers["vary"]))


def test_mistakes_of_ours_carry_all_headers_too() -> None:
    class Broken(MemoryStore):
        async def check(self) -> None:
            raise ZeroDivisionError

    client = TestClient(create_app(GameService(Broken())), raise_server_exceptions=False)
    answer = client.get("/healthz")
    assert answer.status_code == 500
    assert answer.headers["cache-control"] == "no-store"
    assert "default-src 'none'" in answer.headers["content-security-policy"]
    assert "ZeroDivision" not in answer.text


# Redirects and files


@pytest.mark.parametrize(
    "address",
    [
        "//evil.test", "//evil.test/..", "/\\evil.test", "/play//evil.test", f"/play/{CODE}//evil.test",
        f"/play/{CODE.lower()}//evil.test", f"/play/{CODE.lower()}/%2f%2fevil.test",
        f"/play/{CODE.lower()}?//evil.test", "/new?next=//evil.test", "/settings?back=https://evil.test",
        "/api/v1/deals/%2f%2fevil.test",
    ],
)  # fmt: skip
def test_no_address_leads_to_another_site(api: TestClient, address: str) -> None:
    answer = api.get(f"http://yukon.test{address}")
    location = answer.headers.get("location", "/")
    assert answer.status_code < 500
    assert re.match(r"/(?![/\\])", location), location


@pytest.mark.parametrize(
    "path",
    [
        "../app/cli.py", "..%2fapp%2fcli.py", "%2e%2e/%2e%2e/etc/passwd", "....//app/cli.py", "js/../../app/cli.py",
        "/etc/passwd", "//etc/passwd", "%00", "js/main.js%00.png", "js", "js/", "", "..\\app\\cli.py", "js/main.js/",
        "%c0%ae%c0%ae/app/cli.py", "css/table.css/../../../README.md", "C:/x", "~/x", ".", "..",
    ],
)  # fmt: skip
def test_no_path_serves_a_file_that_is_not_static(api: TestClient, path: str) -> None:
    for mount in (MOUNT, "/static", "/static/000000000000"):
        answer = api.get(f"http://yukon.test{mount}/{path}")
        assert answer.status_code != 200
        assert "def " not in answer.text
