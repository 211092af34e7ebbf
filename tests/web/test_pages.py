"""New games, settings, languages, and what every page has."""

import hashlib
import re

import pytest
from starlette.testclient import TestClient

from app.web.assets import MOUNT, STATIC
from tests.example import CODE, MOVES
from tests.web.player import HTMX, Browser


def settings_of(browser: Browser) -> dict[str, str]:
    text = browser.look(CODE).text
    found = re.findall(r'data-(help|reasons|auto-place|double-click)="(on|off)"', text)
    return dict(found)


@pytest.mark.parametrize("rule", ["C", "R", "T"])
def test_a_new_game_is_a_random_deal_under_the_chosen_rule(browser: Browser, rule: str) -> None:
    places = {browser.post("/new", {"rule": rule, "code": ""}).response.headers["location"] for _ in range(3)}
    assert len(places) == 3
    assert all(place.startswith(f"/play/YU1-{rule}-") for place in places)


def test_a_typed_deal_code_leads_to_its_deal(browser: Browser) -> None:
    page = browser.post("/new", {"code": " yu1 ".strip() + "–c–abfhtil "})
    assert (page.status, page.response.headers["location"]) == (303, f"/play/{CODE}")


def test_a_whole_address_will_do_for_its_code(browser: Browser) -> None:
    page = browser.post("/new", {"code": f" http://yukon.test/play/{CODE} "})
    assert (page.status, page.response.headers["location"]) == (303, f"/play/{CODE}")


def test_htmx_gets_the_new_table_and_its_address(browser: Browser) -> None:
    page = browser.post("/new", {"code": CODE}, **HTMX)
    assert page.status == 200
    assert not page.is_whole
    assert page.response.headers["hx-push-url"] == f"/play/{CODE}"
    assert page.columns == browser.look(CODE).columns


def test_a_new_game_of_a_deal_that_is_being_played_goes_on_with_it(browser: Browser) -> None:
    browser.move(CODE, MOVES[0], 0)
    assert browser.post("/new", {"code": CODE}, **HTMX).rev == 1


@pytest.mark.parametrize("code", ["YU2-C-ABFHTIL", "YU1-Q-ABFHTIL", "ABC", "АBFHTIL", "A" * 300, "\0", "<script>"])
def test_a_wrong_code_is_told_and_can_be_mended(browser: Browser, code: str) -> None:
    page = browser.post("/new", {"code": code})
    assert (page.status, page.is_whole) == (422, True)
    assert re.search(r'role="alert">[^<]+<', page.text)
    assert "<script>" not in page.text.split("<body")[1]
    fragment = browser.post("/new", {"code": code}, **HTMX)
    assert (fragment.status, fragment.is_whole) == (422, False)
    assert "#new-message" in fragment.text


@pytest.mark.parametrize("fields", [{"rule": "X"}, {"code": "A" * 500}, {"wild": "yes"}])
def test_a_form_that_makes_no_sense_is_told_so(browser: Browser, fields: dict[str, object]) -> None:
    page = browser.post("/new", fields)
    assert (page.status, page.is_whole) == (422, True)


def test_settings_begin_as_promised_and_are_kept(browser: Browser) -> None:
    assert settings_of(browser) == {"help": "on", "reasons": "on", "auto-place": "off", "double-click": "on"}
    page = browser.post("/settings", {"auto_place": "on", "double_click": "on", "code": CODE})
    assert (page.status, page.response.headers["location"]) == (303, f"/play/{CODE}")
    assert settings_of(browser) == {"help": "off", "reasons": "off", "auto-place": "on", "double-click": "on"}


def test_the_look_is_kept_too(browser: Browser) -> None:
    wishes = {"theme": "dark", "four_colours": "on", "mirrored": "on", "large_print": "on", "language": "nl"}
    browser.post("/settings", {**wishes, "international": "on"})
    text = browser.look(CODE).text
    html = re.search(r"<html[^>]*>", text)
    assert html is not None
    assert html[0] == '<html lang="nl" dir="ltr" data-theme="dark" data-deck="four" data-mirrored data-print="large">'
    assert set(re.findall(r"<b>([A-Z])</b>", text)) == set("AJQK")


@pytest.mark.parametrize("wish", [{"theme": "pink"}, {"mirrored": "perhaps"}, {"unheard_of": "on"}])
def test_a_wish_that_cannot_be_granted_is_told_and_nothing_is_changed(
    browser: Browser, wish: dict[str, object]
) -> None:
    page = browser.post("/settings", wish)
    assert (page.status, "set-cookie" in page.response.headers) == (422, False)


def test_settings_do_not_cost_a_player_the_game(browser: Browser) -> None:
    browser.move(CODE, MOVES[0], 0)
    browser.post("/settings", {"code": CODE})
    assert browser.look(CODE).rev == 1


def test_the_cookie_cannot_be_read_by_scripts_nor_sent_by_other_sites(browser: Browser) -> None:
    cookie = browser.move(CODE, MOVES[0], 0).response.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=lax" in cookie


@pytest.mark.parametrize(
    "cookie", ["", "x", "a.b.c", "A" * 22 + ".11110000.pink.nl", "A" * 22 + ".11210000..nl", "\xff", "A" * 4000]
)
def test_a_cookie_that_makes_no_sense_counts_as_none(browser: Browser, cookie: str) -> None:
    page = browser.get(f"/play/{CODE}", cookie=f"yukon={cookie}".encode("latin-1"))  # type: ignore[arg-type]
    assert page.status == 200
    assert 'data-help="on"' in page.text


@pytest.mark.parametrize("back", ["https://elsewhere.test/", "//elsewhere.test", "nonsense", ""])
def test_settings_lead_nowhere_else(browser: Browser, back: str) -> None:
    assert browser.post("/settings", {"code": back}).response.headers["location"] == "/"


@pytest.mark.parametrize(
    ("accepted", "language"),
    [
        ("nl", "nl"), ("de-AT,de;q=0.9,en;q=0.5", "de"), ("fr,nl;q=0.3", "nl"), ("fr", "en"), ("", "en"),
        ("en;q=0.1,de;q=0.8", "de"), ("nl;q=0,de;q=0.1", "de"), ("nl;q=x", "en"),
        ("en;q=0.1, nl ; Q=0.9", "nl"), (";;,,q=;" * 50, "en"),
    ],
)  # fmt: skip
def test_the_language_is_what_the_browser_asks_for(browser: Browser, accepted: str, language: str) -> None:
    assert f'<html lang="{language}"' in browser.get(f"/play/{CODE}", accept_language=accepted).text


def test_the_language_that_a_player_chose_wins(browser: Browser) -> None:
    browser.post("/settings", {"language": "de", "code": CODE})
    assert '<html lang="de"' in browser.get(f"/play/{CODE}", accept_language="nl").text
    browser.post("/settings", {"language": "", "code": CODE})
    assert '<html lang="nl"' in browser.get(f"/play/{CODE}", accept_language="nl").text


def test_a_language_chosen_on_the_way_to_the_table_is_kept_and_nothing_else_is_changed(browser: Browser) -> None:
    browser.post("/settings", {"auto_place": "on", "theme": "dark"})
    page = browser.post("/language", {"language": "de", "code": CODE})
    assert (page.status, page.response.headers["location"]) == (303, f"/play/{CODE}")
    assert settings_of(browser)["auto-place"] == "on"
    assert '<html lang="de" dir="ltr" data-theme="dark"' in browser.look(CODE).text
    assert browser.post("/language", {"language": "nl", "code": "//elsewhere"}).response.headers["location"] == "/"
    assert browser.post("/language", {"language": "xx"}).status == 422
    assert browser.post("/language", {}).status == 422
    assert browser.get("/language").status == 303


def test_only_winnable_deals_is_a_wish_of_its_own_that_is_kept(browser: Browser) -> None:
    def is_ticked() -> bool:
        return 'name="winnable" checked' in browser.look(CODE).text

    assert not is_ticked()
    browser.post("/new", {"winnable": "on", "code": CODE})
    assert not is_ticked(), "a typed code says nothing about the next deal at random"
    browser.client.cookies.set("yukon", ".1101000001..")
    browser.post("/settings", {"theme": "dark"})
    assert is_ticked()
    browser.post("/new", {})
    assert not is_ticked()


def test_a_cookie_from_before_the_last_two_wishes_is_still_read(browser: Browser) -> None:
    browser.client.cookies.set("yukon", ".00100000.dark.nl")
    assert settings_of(browser) == {"help": "off", "reasons": "off", "auto-place": "on", "double-click": "off"}
    assert '<html lang="nl" dir="ltr" data-theme="dark"' in browser.look(CODE).text
    assert 'id="light"' not in browser.look(CODE).text


def test_the_table_says_which_rule_is_played(browser: Browser) -> None:
    for code, rule in ((CODE, "Classic"), ("YU1-R-ABFHTIL", "Relaxed"), ("YU1-T-ABFHTIL", "Traditional")):
        text = browser.look(code).text
        assert f'aria-label="Share this deal: {code}, {rule}"' in text
        assert f"<small>{code}, {rule}</small>" in text  # in the New game window


def test_a_language_nobody_speaks_is_refused(browser: Browser) -> None:
    assert browser.post("/settings", {"language": "xx"}).status == 422


def test_the_face_letters_follow_the_language(browser: Browser) -> None:
    for language, letters in (("en", "AJQK"), ("nl", "ABVH"), ("de", "ABDK")):
        shown = set(re.findall(r"<b>([A-Z])</b>", browser.get(f"/play/{CODE}", accept_language=language).text))
        assert shown == set(letters)


def test_every_answer_forbids_foreign_and_inline_code(browser: Browser) -> None:
    for page in (browser.look(CODE), browser.get("/nowhere"), browser.move(CODE, MOVES[0], 0)):
        policy = page.response.headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert not re.search(r"<script(?![^>]*\bsrc=)|\son\w+=|\sstyle=|https?://(?!yukon\.test)", page.text)


def test_static_files_are_kept_for_ever_under_an_address_that_changes_with_them(api: TestClient) -> None:
    addresses = set(re.findall(rf'{MOUNT}/[^"#]+', api.get(f"/play/{CODE}").text))
    assert len(addresses) > 4
    for address in addresses:
        answer = api.get(address)
        assert answer.status_code == 200
        assert "immutable" in answer.headers["cache-control"]
        if not address.endswith("main.js"):
            assert answer.content == (STATIC / address.removeprefix(f"{MOUNT}/")).read_bytes()


def test_the_script_comes_in_one_piece(api: TestClient) -> None:
    script = api.get(f"{MOUNT}/js/main.js").text
    assert "startDragging();" in script
    assert not re.search(r"^(import|export)\b", script, re.MULTILINE)
    names = re.findall(r"^(?:const|let|(?:async )?function)\s+(\w+)", script, re.MULTILINE)
    assert len(names) == len(set(names)), "two modules share a name"


def test_the_vendored_script_is_the_one_that_was_published() -> None:
    digest = hashlib.sha256((STATIC / "vendor" / "htmx.min.js").read_bytes()).hexdigest()
    assert digest == "a0abb04f2f45a1f89d1d4844023245537e5e6014c87b144553e0607b4cc32130"
    assert "Zero-Clause BSD" in (STATIC / "vendor" / "htmx.LICENSE").read_text(encoding="utf-8")


def test_whoever_can_read_compressed_pages_gets_them_so(api: TestClient) -> None:
    answer = api.get(f"/play/{CODE}", headers={"accept-encoding": "gzip"})
    assert answer.headers["content-encoding"] == "gzip"
    assert int(answer.headers["content-length"]) < len(answer.content) / 4


@pytest.mark.parametrize(
    ("said", "form"),
    [
        ("gzip, deflate, br, zstd", "br"),
        ("gzip", "gzip"),
        ("gzip, br;q=0", "gzip"),
        ("gzip;q=0.0", None),
        ("identity", None),
        ("*", None),
        ("", None),
    ],
)
def test_a_file_comes_in_the_smallest_form_a_browser_reads_and_each_form_has_a_tag(
    api: TestClient, said: str, form: str | None
) -> None:
    address = f"{MOUNT}/css/table.css"
    plain = api.get(address, headers={"accept-encoding": "identity"})
    answer = api.get(address, headers={"accept-encoding": said})
    assert answer.headers.get("content-encoding") == form
    assert answer.headers["vary"] == "Accept-Encoding"
    assert answer.content == plain.content
    assert (answer.headers["etag"] == plain.headers["etag"]) == (form is None)
    again = api.get(address, headers={"accept-encoding": said, "if-none-match": answer.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    other = api.get(address, headers={"accept-encoding": "identity", "if-none-match": answer.headers["etag"]})
    assert other.status_code == (304 if form is None else 200)


@pytest.mark.parametrize("path", ["../app/service.py", "..%2fapp%2fservice.py", "%2e%2e/pyproject.toml", "js/", "%00"])
def test_nothing_but_static_files_is_served_as_one(api: TestClient, path: str) -> None:
    assert api.get(f"{MOUNT}/{path}").status_code == 404


def test_the_server_says_that_it_is_well(api: TestClient) -> None:
    assert (api.get("/healthz").status_code, api.get("/healthz").json()) == (200, {"status": "ok"})


def test_under_a_prefix_every_address_has_it(browser: Browser) -> None:
    inside = TestClient(browser.client.app, root_path="/games/yukon", follow_redirects=False)
    with inside:
        assert inside.get("/games/yukon/").headers["location"].startswith("/games/yukon/play/")
        text = inside.get(f"/games/yukon/play/{CODE}").text
        addresses = re.findall(r' (?:href|src|action|formaction|hx-post)="([^"#][^"]*)"', text)
        assert addresses
        assert [address for address in addresses if not re.match("(http://testserver)?/games/yukon/", address)] == []
