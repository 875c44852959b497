"""The overlay's page: open to all, in the language and with the parts that its address names."""

from pathlib import Path

import pytest

from tests.webui.listening import events_of
from tests.webui.room import Room, match_of, room_with
from webui.pages.overlay import LONGEST_DELAY, PARTS, OverlayChoice, read_choice


@pytest.fixture(name="room")
def _room(tmp_path: Path) -> Room:
    return room_with(match_of(), tmp_path)


@pytest.mark.parametrize(
    ("asked", "choice"),
    [
        ({}, OverlayChoice(PARTS, 100, 0.0)),
        ({"parts": "card,score"}, OverlayChoice(("score", "card"), 100, 0.0)),
        ({"parts": "nothing that there is"}, OverlayChoice(PARTS, 100, 0.0)),
        ({"scale": "1.3", "delay": "12.5"}, OverlayChoice(PARTS, 125, 12.5)),
        ({"scale": "1000", "delay": "1e9"}, OverlayChoice(PARTS, 200, LONGEST_DELAY)),
        ({"scale": "-3", "delay": "-1"}, OverlayChoice(PARTS, 50, 0.0)),
        ({"scale": "nan", "delay": "inf"}, OverlayChoice(PARTS, 100, 0.0)),
        ({"scale": '"><script>', "delay": "soon"}, OverlayChoice(PARTS, 100, 0.0)),
    ],
)
def test_the_address_says_how_it_looks(asked: dict[str, str], choice: OverlayChoice) -> None:
    assert read_choice(asked) == choice


def test_it_shows_the_parts_that_are_named_and_no_others(room: Room) -> None:
    page = room.browser().get("/overlay?parts=score,card&scale=0.5").text
    assert 'class="overlaypage scale-50 with-score with-card"' in page
    assert "with-call" not in page


def test_it_speaks_the_language_of_its_address_and_goes_on_in_it(room: Room) -> None:
    page = room.browser().get("/overlay?lang=fr").text
    assert '<html lang="fr">' in page
    assert 'data-live="/events/overlay?lang=fr"' in page
    assert '<html lang="en">' in room.browser().get("/overlay?lang=tlh").text
    for code, word in (("fr", "0 marque"), ("en", "0 marks")):
        with room.browser().get(f"/events/overlay?lang={code}") as response:
            drawn = next(each for each in events_of(response.iter_encoded()) if each["event"] == "moment")
        assert word in drawn["data"]


def test_it_is_open_to_all_and_asks_for_nothing(room: Room) -> None:
    page = room.browser().get("/overlay").text
    assert "<form" not in page
    assert "<button" not in page
    assert not [code for code in room.browser().links.codes if code in page]
