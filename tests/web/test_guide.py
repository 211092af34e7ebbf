"""Rules, examples and questions: what they show, in which language, and how they take wild addresses."""

import re
from xml.etree import ElementTree

import pytest
from starlette.testclient import TestClient

from app.engine import CARDS, DealCode, Game, Move
from tests.example import CODE, MOVES
from tests.web.player import HTMX, Browser

PAGES = ("rules", "examples", "faq")
LANGUAGES = ("en", "nl", "de")
TERMS = {
    "en": ("foundation", "column", "deal code", "Classic", "Relaxed", "Traditional", "Placement help", "Undo"),
    "nl": ("basisstapel", "kolom", "spelcode", "Klassiek", "Soepel", "Traditioneel", "Plaatsingshulp", "Ongedaan"),
    "de": ("Zielstapel", "Spalte", "Spielcode", "Klassisch", "Gelockert", "Traditionell", "Ablagehilfe", "Rückgängig"),
}


def words_of(html: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", "", html.split("<body")[1]))


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_page_is_there_in_every_language(browser: Browser, page: str, language: str) -> None:
    shown = browser.get(f"/{page}?lang={language}", accept_language="fr")
    assert (shown.status, shown.is_whole) == (200, True)
    assert f'<html lang="{language}"' in shown.text
    assert shown.text.count("<h1") == 1
    assert "no-store" in shown.response.headers["cache-control"]
    assert "Accept-Language" in shown.response.headers["vary"]


@pytest.mark.parametrize("page", PAGES)
def test_titles_and_descriptions_are_of_the_page_and_its_language(browser: Browser, page: str) -> None:
    for pattern in (r"<title>(.+)</title>", r'name="description" content="([^"]{60,})"'):
        found = {
            text for language in LANGUAGES for text in re.findall(pattern, browser.get(f"/{page}?lang={language}").text)
        }
        assert len(found) == len(LANGUAGES)


@pytest.mark.parametrize("language", LANGUAGES)
def test_rules_and_questions_use_the_words_agreed_on(browser: Browser, language: str) -> None:
    rules = words_of(browser.get(f"/rules?lang={language}").text)
    assert [term for term in TERMS[language] if term not in rules] == []
    faq = words_of(browser.get(f"/faq?lang={language}").text)
    assert all(word in faq for word in (TERMS[language][2], CODE, "625", "yukon serve", "MIT"))


def test_the_language_is_the_readers_unless_the_address_names_one(browser: Browser) -> None:
    browser.post("/settings", {"language": "de", "code": CODE})
    assert '<html lang="de"' in browser.get("/rules", accept_language="nl").text
    assert '<html lang="nl"' in browser.get("/rules?lang=nl").text
    assert '<html lang="de"' in browser.get("/rules").text


def test_a_language_in_the_address_goes_along_to_the_next_page(browser: Browser) -> None:
    assert 'href="/faq?lang=nl"' in browser.get("/rules?lang=nl").text
    assert 'href="/faq"' in browser.get("/rules").text


@pytest.mark.parametrize("language", ["xx", "", "NL", "%00", "../en", "en&lang=xx", "<b>"])
def test_a_language_nobody_speaks_is_passed_over(browser: Browser, language: str) -> None:
    for page in PAGES:
        shown = browser.get(f"/{page}?lang={language}", accept_language="nl")
        assert shown.status == 200
        assert '<html lang="nl"' in shown.text


@pytest.mark.parametrize("page", PAGES)
def test_each_page_names_itself_in_the_other_languages(browser: Browser, page: str) -> None:
    text = browser.get(f"/{page}?lang=de").text
    links = dict(re.findall(r'<link rel="alternate" hreflang="([^"]+)" href="([^"]+)">', text))
    base = f"http://yukon.test/{page}"
    assert links == {"x-default": base, **{language: f"{base}?lang={language}" for language in LANGUAGES}}
    assert f'<link rel="canonical" href="{base}?lang=de">' in text


def test_the_sitemap_holds_every_page_in_every_language(api: TestClient) -> None:
    answer = api.get("/sitemap.xml")
    assert answer.headers["content-type"].startswith("application/xml")
    space = "{http://www.sitemaps.org/schemas/sitemap/0.9}"
    urls = ElementTree.fromstring(answer.content).findall(f"{space}url")  # noqa: S314 - our own
    places = {url.findtext(f"{space}loc") for url in urls}
    assert places == {f"http://yukon.test/{page}?lang={language}" for page in PAGES for language in LANGUAGES}
    assert all(len(url) == 1 + len(LANGUAGES) + 1 for url in urls)
    assert all(api.get(str(place)).status_code == 200 for place in places)


def test_a_host_name_that_makes_no_sense_breaks_no_page(api: TestClient) -> None:
    for address in ("/rules", "/sitemap.xml", "/robots.txt"):
        answer = api.get(address, headers={"host": 'a"><b>&'})
        assert answer.status_code in (200, 400)
        assert "<b>&" not in answer.text or address == "/robots.txt"
    ElementTree.fromstring(api.get("/sitemap.xml", headers={"host": 'a"><b>&'}).content)  # noqa: S314 - our own


def test_robots_may_read_everything(api: TestClient) -> None:
    answer = api.get("/robots.txt")
    assert answer.headers["content-type"].startswith("text/plain")
    assert answer.text.splitlines() == ["User-agent: *", "Allow: /", "", "Sitemap: http://yukon.test/sitemap.xml"]


@pytest.mark.parametrize("address", [*(f"/{page}" for page in PAGES), "/sitemap.xml", "/robots.txt"])
def test_head_is_answered_as_get_is(api: TestClient, address: str) -> None:
    got, head = api.get(address), api.head(address)
    assert head.status_code == 200
    assert head.headers["content-type"] == got.headers["content-type"]


@pytest.mark.parametrize("address", ["/rules/", "/examples/17", "/faq/x"])
def test_there_is_nothing_below_the_pages(browser: Browser, address: str) -> None:
    page = browser.get(address)
    assert (page.status, page.is_whole) == (404, True)


def test_the_pages_carry_no_inline_code_and_link_to_nothing_elsewhere(browser: Browser) -> None:
    for page in PAGES:
        text = browser.get(f"/{page}").text
        assert not re.search(r"<script(?![^>]*\bsrc=)|\son\w+=|\sstyle=", text)
        assert not re.search(r"https?://(?!yukon\.test/)", text)


def test_under_a_prefix_every_address_has_it(browser: Browser) -> None:
    with TestClient(browser.client.app, root_path="/games/yukon", base_url="http://yukon.test") as inside:
        for page in PAGES:
            text = inside.get(f"/games/yukon/{page}?lang=nl").text
            addresses = re.findall(r' (?:href|src|action)="([^"]+)"', text)
            own = ("/games/yukon/", "http://yukon.test/games/yukon/", "#", "?")
            assert [address for address in addresses if not address.startswith(own)] == []
        assert "http://yukon.test/games/yukon/faq?lang=de" in inside.get("/games/yukon/sitemap.xml").text


def test_each_link_within_the_pages_leads_somewhere(browser: Browser) -> None:
    pages = {page: browser.get(f"/{page}?lang=en").text for page in PAGES}
    for page, text in pages.items():
        for address in re.findall(r'<a\b[^>]* href="([^"]+)"', text):
            path, _, mark = address.partition("#")
            target = re.sub(r"\?.*", "", path).strip("/") or page
            if target in pages and mark:
                assert f'id="{mark}"' in pages[target], address
    ids = [re.findall(r'\sid="([^"]+)"', text) for text in pages.values()]
    assert all(len(found) == len(set(found)) for found in ids)


# The game that is shown


def test_every_step_shows_the_board_that_the_engine_comes_to(browser: Browser) -> None:
    moves = [Move.parse(move) for move in MOVES]
    for number in (0, 1, 2, 17, 40, 82, 83):
        game = Game.replay(DealCode.parse(CODE), moves[:number])
        page = browser.get(f"/examples?move={number}", **HTMX)
        expected = [["??" if card is None else str(card) for card in column] for column in game.board.visible()]
        assert page.columns == expected
        assert (page.moves, page.score) == (number, game.score)


def test_no_face_down_card_can_be_read_in_a_board(browser: Browser) -> None:
    for step in (0, 1, 20):
        shown = re.findall(r'data-card="(..)"', browser.get(f"/examples?move={step}", **HTMX).text)
        assert len(shown) == len(set(shown))
        board = Game.replay(DealCode.parse(CODE), [Move.parse(move) for move in MOVES[:step]]).board
        for column, down in zip(board.columns, board.face_down, strict=True):
            assert not {str(CARDS[number]) for number in column[:down]} & set(shown)


def test_without_a_script_every_move_is_a_link_to_the_whole_page(browser: Browser) -> None:
    page = browser.get("/examples?move=17")
    assert page.is_whole
    assert page.moves == 17
    links = re.findall(r'href="\?move=(\d+)#player"', page.text)
    assert links == [str(number) for number in range(1, 84)]
    assert re.findall(r'data-move="(\d+)" aria-current="step"', page.text) == ["17"]


def test_a_script_gets_the_step_alone(browser: Browser) -> None:
    page = browser.get("/examples?move=2&lang=nl", **HTMX)
    assert not page.is_whole
    assert "Ruiten tien met nog 3 kaarten naar kolom 6." in words_of("<body" + page.text)
    assert "HX-Request" in page.response.headers["vary"]


@pytest.mark.parametrize(
    ("move", "number"),
    [("999", 83), ("-1", 0), ("x", 0), ("", 0), ("1e3", 0), ("%00", 0), ("9" * 5000, 0), ("3.5", 0), ("83", 83)],
)
def test_a_wild_move_number_leads_to_the_nearest_step_or_the_start(browser: Browser, move: str, number: int) -> None:
    page = browser.get(f"/examples?move={move}")
    assert (page.status, page.moves) == (200, number)


@pytest.mark.parametrize(
    ("move", "told"),
    [
        (1, "A hidden card turns up"),
        (2, "A group in no order at all"),
        (20, "The queen of spades can't start an empty column: only a king can."),
        (83, "All 52 are home"),
    ],
)
def test_it_explains_what_is_worth_it(browser: Browser, move: int, told: str) -> None:
    assert told in words_of("<body" + browser.get(f"/examples?move={move}", **HTMX).text.replace("&#39;", "'"))


def test_the_refusal_is_what_the_game_itself_says(browser: Browser) -> None:
    for rev, move in enumerate(MOVES[:20]):
        browser.move(CODE, move, rev)
    refused = browser.move(CODE, "QS>1", 20)
    assert refused.status == 422
    assert refused.message in browser.get("/examples?move=20").text.replace("&#39;", "'")


def test_a_card_taken_back_pays_again_when_it_goes_home(browser: Browser) -> None:
    text = browser.get("/examples").text
    code = re.findall(r"<code>(YU1-C-\w{7})</code></p>", text)[-1]
    points = [int(found) for found in re.findall(r"<b>(\d+) points\.</b>", text)]
    moves = ["AH>F", "2H>F", "3H>F", "6C>5", "3H>4", "2C>4", "AC>F", "2C>F", "3H>F"]
    scores = [browser.move(code, move, rev).score for rev, move in enumerate(moves)]
    assert points == [scores[3], scores[4], scores[5], scores[8]]
    assert scores[8] - scores[7] == 10
