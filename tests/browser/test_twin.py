"""The simulated table: all above the fold on a notebook, and nothing in the way of anything else."""

import pytest
from playwright.sync_api import Browser

from tests.browser.evening import begin
from tests.browser.house import House, Phone, become_host, faults, open_phone, take_seat
from tests.browser.layout import covered, misplaced
from tests.tiers import ALL

NAMES = ("Anastasie-Rose", "Bo", "Chloé", "Dédé", "Eve", "Fernande-Louise")
WIDE = Phone(1440, "dark", "fr", height=900)
GAMES = [("ogallala", 4), ("coyote", 6), ("coup", 6), ("coup-d-etat", 4), ("plenty-coups", 4)]
RIVER = """columns => document.querySelector(".spread").insertAdjacentHTML("beforeend",
  `<div class="river"><ol class="of-${columns}">${"<li></li>".repeat(columns)}</ol></div>`)"""
"""Draws a river of one line as it is drawn after some turns."""


@pytest.mark.parametrize(("game", "seats"), GAMES if ALL else GAMES[:1])
def test_the_table_is_seen_whole(chromium: Browser, house: House, game: str, seats: int) -> None:
    with open_phone(chromium, house, WIDE) as page:
        become_host(page, house)
        begin(page, game, NAMES[:seats])
        take_seat(page, house, 0)
        page.goto("/twin")
        assert misplaced(page) == []
        assert faults(page) == []
        page.set_viewport_size({"width": 390, "height": 844})
        assert faults(page) == []
        # nor does any place of a river lie over another
        for columns in (5, 9) if game == "ogallala" else ():
            page.evaluate(RIVER, columns)
            for width in (390, 1280):
                page.set_viewport_size({"width": width, "height": 844})
                assert covered(page, f".river .of-{columns} li") == []
