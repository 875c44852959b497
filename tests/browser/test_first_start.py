"""The simulated table's first start: a newcomer has said a number after four taps, and knows what it is."""

from pathlib import Path

import pytest
from msgspec.structs import replace
from playwright.sync_api import Browser

from firmware.services.looks import Looks
from referee.games.catalogue import GAMES
from tests.browser.house import Phone, faults, open_house, open_phone
from tests.browser.layout import script
from tests.browser.rooms import page_of
from tests.tiers import slow
from tests.webui.fakes import FakeTwin
from tests.webui.room import match_of, room_with

WORDS = 60
VISIBLE = script("visible")  # the words that are seen on a page, wherever one scrolls
WIDE = Phone(1280, language="fr", height=900)
NUMBER, SAY = ".label .pick button", ".label .own button"
SAYS = (
    "The number says: all cards together make at least this.",
    "Le nombre dit\N{NO-BREAK SPACE}: toutes les cartes ensemble font au moins cela.",
)


@slow("a table of its own, that has never been sat at")
def test_a_newcomer_is_at_a_first_number_after_three_taps(chromium: Browser, tmp_path: Path) -> None:
    with open_house(tmp_path) as house, open_phone(chromium, house) as page:
        page.goto("/welcome")
        for place in (".go button.say:visible", "form[data-naming] .say", ".label .options button"):
            page.locator(place).first.wait_for()
            # the newcomer's own card may be at the forehead already, and says so in eight words
            assert len(page.evaluate(VISIBLE)) <= 40
            page.locator(place).first.click()
        page.wait_for_selector(NUMBER)
        with open_phone(chromium, house, WIDE) as wide:
            # the same seat, on a wide screen in French
            wide.context.add_cookies(page.context.cookies())  # type: ignore[arg-type]
            wide.goto("/twin")
            for looker, says in zip((page, wide), SAYS, strict=True):
                looker.wait_for_selector(NUMBER)
                words = looker.evaluate(VISIBLE)
                assert len(words) <= WORDS, " ".join(words)
                assert says in looker.inner_text(".label")
                assert faults(looker) == []
        # a tap chooses a number, and the one button that names it says it
        chosen = page.locator(NUMBER).nth(1)
        chosen.click()
        assert chosen.get_attribute("aria-pressed") == "true"
        assert page.inner_text(SAY) == f"Say {chosen.inner_text()}"
        page.click(SAY)
        page.wait_for_selector(NUMBER, state="detached")


def test_each_of_many_games_can_be_begun(
    chromium: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in (f"game-{number}" for number in range(7)):
        monkeypatch.setitem(GAMES, name, replace(GAMES["coyote"], name=name))
    room = room_with(match_of(), tmp_path, twin=FakeTwin(), looks=Looks())
    with page_of(chromium, room) as page:
        page.goto("/welcome")
        for offer in page.locator(".offer").all():
            offer.click()
            game = offer.locator("input").get_attribute("value")
            assert page.locator(".go .say:visible").get_attribute("value") == game
