"""A shared link shows its deal: a title, and a picture of the layout."""

import io
import re

import pytest
from PIL import Image
from starlette.testclient import TestClient

from app.store import MemoryStore
from tests.example import CODE


def picture(api: TestClient, code: str) -> Image.Image:
    return Image.open(io.BytesIO(api.get(f"/play/{code}/picture.png").content)).convert("RGB")


def test_the_page_of_a_deal_names_its_picture_for_those_who_show_links(api: TestClient) -> None:
    text = api.get(f"/play/{CODE}").text
    named = dict(re.findall(r'<meta property="(og:[a-z:]+)" content="([^"]*)">', text))
    assert named["og:title"] == f"Yukon {CODE}"
    assert named["og:url"] == f"http://yukon.test/play/{CODE}"
    assert named["og:image"] == f"http://yukon.test/play/{CODE}/picture.png"
    assert api.get(named["og:image"]).headers["content-type"] == "image/png"


def test_a_picture_has_the_size_that_is_promised_and_may_be_kept(api: TestClient, store: MemoryStore) -> None:
    answer = api.get(f"/play/{CODE}/picture.png")
    assert Image.open(io.BytesIO(answer.content)).size == (1200, 630)
    assert len(answer.content) < 60_000
    assert "immutable" in answer.headers["cache-control"]
    assert len(store) == 0


def test_each_deal_has_a_picture_of_its_own_and_each_rule_the_same_cards(api: TestClient) -> None:
    assert picture(api, CODE).tobytes() != picture(api, "YU1-C-AAAAAAB").tobytes()
    cards = (0, 140, 1200, 600)
    relaxed = picture(api, CODE.replace("-C-", "-R-")).crop(cards)
    assert picture(api, CODE).crop(cards).tobytes() == relaxed.tobytes()


def test_face_down_cards_all_look_the_same(api: TestClient) -> None:
    # In the last column six of them lie above the first face-up card.
    strips = {picture(api, f"YU1-C-AAAAAA{letter}").crop((1032, 150, 1144, 238)).tobytes() for letter in "ABCDEF"}
    assert len(strips) == 1


@pytest.mark.parametrize(("code", "status"), [("abfhtil", 308), ("YU2-C-ABFHTIL", 404), ("%00", 404)])
def test_a_picture_of_no_deal_is_not_to_be_had(api: TestClient, code: str, status: int) -> None:
    answer = api.get(f"/play/{code}/picture.png")
    assert answer.status_code == status
    if status == 308:
        assert answer.headers["location"] == f"/play/{CODE}/picture.png"
