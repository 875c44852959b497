"""Every page, and what holds for all of them."""

import re
from pathlib import Path
from random import Random

import pytest

from hardware.twin.player import play_on
from referee.contract.words import Phrase
from referee.games.catalogue import GAMES
from tests.webui.coyote_round import open_round
from tests.webui.room import ADDRESS, Room, match_of, room_with
from tests.webui.wire import bytes_on_the_wire
from webui.drawing.words import Texts

OPEN_PAGES = ("/", "/join", "/seat", "/host", "/nothing")
ROOT = Path(__file__).parents[2] / "webui"


@pytest.mark.parametrize("page", OPEN_PAGES)
def test_every_page_is_guarded(room: Room, page: str) -> None:
    response = room.browser().get(page)
    policy = response.headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert response.headers["Cache-Control"] == "no-store"
    assert response.headers["X-Content-Type-Options"] == "nosniff"
    for script in re.findall(r"<script[^>]*>(.*?)</script>", response.text, re.DOTALL):
        assert script == ""
    assert not re.search(r"\s(style|on\w+)=", response.text)


@pytest.mark.parametrize("template", sorted((ROOT / "templates").rglob("*.html")), ids=lambda path: path.name)
def test_colons_stand_within_texts_as_languages_set_them_differently(template: Path) -> None:
    assert not re.search(r"[}>]\s*[:;!]\s", template.read_text(encoding="utf-8"))


def test_the_score_tells_all_that_is_public(room: Room) -> None:
    room.door.match = open_round(room.door.match, 1)
    page = room.browser().get("/").text
    for words in (
        "Coyote",
        "Kidult",
        "Round 1",
        "Which number will it be, 1 or more?",
        "Bo opens",
        "0 marks",
        "to play",
        ADDRESS,
    ):
        assert words in page, words
    assert "Chloé &lt;b&gt;" in page
    assert "Chloé <b>" not in page


def test_the_score_is_light(room: Room) -> None:
    weights = bytes_on_the_wire(room.browser(), "/")
    assert any(name.endswith(".woff2") for name in weights)
    assert sum(weights.values()) < 60_000, weights


def test_a_match_that_is_over_says_who_won(tmp_path: Path) -> None:
    match = play_on(match_of(), Random(3))
    assert match.outcome is not None
    page = room_with(match, tmp_path).browser().get("/").text
    assert "The match is over. Won by" in page
    assert "Place 1" in page
    assert '<span class="unseen">out</span>' in page


def test_coins_and_lost_cards_are_shown(tmp_path: Path) -> None:
    page = room_with(match_of(GAMES["coup"]), tmp_path).browser().get("/").text
    assert "2 coins" in page
    assert page.count('<span class="count num">2 coins</span>') == 3


def test_what_is_wrong_is_told(room: Room) -> None:
    room.door.wrong = ("the camera",)
    assert "told: the camera" in room.browser().get("/").text


def test_pages_speak_the_language_of_the_phone(room: Room) -> None:
    page = room.browser().get("/", {"Accept-Language": "fr-CH, fr;q=0.9, en;q=0.8"}).text
    assert '<html lang="fr">' in page
    assert '<html lang="en">' in room.browser().get("/", {"Accept-Language": "xx"}).text


def test_templates_name_only_texts_that_exist_and_every_text_is_used() -> None:
    names = {name for name in dir(Texts) if isinstance(getattr(Texts, name), Phrase)}
    drawn = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "templates").glob("*.html"))
    code = "".join(path.read_text(encoding="utf-8") for path in ROOT.rglob("*.py"))
    in_templates = set(re.findall(r"\btexts\.(\w+)", drawn))
    assert in_templates <= names
    assert names == in_templates | set(re.findall(r"\bTexts\.(\w+)", code)) & names
    assert not re.search(r"say\([\"']", drawn)
