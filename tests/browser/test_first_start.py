"""The simulated table in a browser: its first start, and the layout of its page."""

from itertools import product
from pathlib import Path

from playwright.sync_api import Browser

from firmware.services.looks import Looks
from firmware.start.own_browser import own_address, write_forwarding
from firmware.storage.configuration import read_choice
from referee.games.catalogue import GAMES
from tests.browser.house import Phone, faults, open_house, open_phone, sit_at_computer
from tests.browser.layout import lowest, script
from tests.browser.rooms import page_of
from tests.tiers import ALL, slow
from tests.webui.laptop import laptop

WORDS = 60
VISIBLE = script("visible")  # the visible text of a page, at any scroll position
WIDE = Phone(1280, language="fr", height=900)
NUMBER, SAY = ".label .numbers button", ".label .own button"
SAYS = (
    "The number says: all cards together make at least this.",
    "Le nombre dit\N{NO-BREAK SPACE}: toutes les cartes ensemble font au moins cela.",
)


@slow("a whole table, at which nobody has sat yet")
def test_newcomer_plays_after_three_taps(chromium: Browser, tmp_path: Path) -> None:
    with open_house(tmp_path) as house, open_phone(chromium, house) as page:
        address = own_address(house.port, house.links.secret)
        page.goto(write_forwarding(house.folder / "own.html", address))
        page.wait_for_url("**/welcome")
        # the token is neither in the address nor in the history
        assert page.url == house.address("/welcome")
        assert page.evaluate("history.length") == 2
        for place in (".go button.say:visible", "form[data-naming] .say", ".label .options button"):
            page.locator(place).first.wait_for()
            # the newcomer's own card may already be at the forehead, with a text of eight words
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
                assert faults(looker, has_axe=ALL or looker is page) == []
        # a tap chooses a number, and the one button that names it announces it
        chosen = page.locator(NUMBER).nth(1)
        chosen.click()
        assert chosen.get_attribute("aria-pressed") == "true"
        assert page.inner_text(SAY) == f"Say {chosen.inner_text()}"
        page.click(SAY)
        page.wait_for_selector(NUMBER, state="detached")


VISIBLE_LAZY = """() => [...document.images].filter(
  each => each.checkVisibility() && each.loading === "lazy" && each.getBoundingClientRect().top < innerHeight
).length"""
"""Number of visible images that may come only after the page was painted."""


SIZES = ((1366, 650), (360, 740))


@slow("two pages in a browser")
def test_first_pages_need_no_scrolling_and_lead_to_real_cards(chromium: Browser, tmp_path: Path) -> None:
    room = laptop(tmp_path, looks=Looks(), kind="simulated")
    with page_of(chromium, room, Phone(language="fr", misses=("404",))) as page:
        sit_at_computer(page, room.links_file.evening())
        for (width, height), address in product(SIZES, ("/welcome", "/welcome/camera?game=coyote")):
            page.set_viewport_size({"width": width, "height": height})
            page.goto(address)
            assert faults(page, has_axe=ALL or width == SIZES[0][0]) == []
            assert lowest(page, ".go .say:visible, .play.first") <= height
            # all cards come with the first paint
            assert page.evaluate(VISIBLE_LAZY) == 0
        page.goto("/welcome")
        assert page.locator(".offer .card").count() == 2 * len(GAMES)
        page.click("button[value=real]")
        page.click(".thumb:nth-of-type(2)")
        page.click("button[form=connected]")
        page.wait_for_selector("text=redémarre")
    assert read_choice(tmp_path).camera == {"name": "usb:1"}
