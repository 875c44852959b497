"""Play whole matches by taps on four phones: `python -m tests.browser.matches [GAME …]`.

A table runs on its twin. One of the phones that are asked taps what it finds there, at random; cards are laid
on the simulated table, where the page leads. It fails if a console complains, or if no phone can go on before
somebody has won.
"""

import re
import sys
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import NamedTuple

from playwright.sync_api import Browser, Locator, Page, sync_playwright
from playwright.sync_api import TimeoutError as TooSlow

from firmware.start.games import hand_in_games
from referee.games.catalogue import GAMES
from tests.browser.house import Phone, become_host, begin, launch_chromium, open_house, open_phone, take_seat

NAMES = ("Ana", "Bo", "Cleo", "Dédé")
PHONE = Phone(360)
MOST = 3000
"""Taps after which a match counts as one that doesn't end."""
PATIENCE = 200
"""Taps in a row that may lead nowhere: cards are read, a number is chosen before it is said."""
TURN = """() => {
  const phone = document.querySelector('.phone')
  return [phone?.dataset.moment ?? '', !!phone?.dataset.asked, !!document.querySelector('.over')]
}"""
FOLDED = ".asking details:not([open], .by-name) > summary"
CHIPS = ".asking :is(label:has(> input[type=radio]), .suits label)"
CONFIRM = ".asking form button.main:not([disabled])"
BUTTONS = ".asking form button:not([type=button], [disabled]), .callform button.howl"
LED_TO_TWIN = ".asking a.to-twin"
HELD = re.compile(r"I hold the ([\w ]+?) and ")
OWN = re.compile(r'id="own-[^>]*aria-label="([^"]*)"')
"""A card that a button says one holds, and the cards at one's place of the simulated table."""
CARDS = "#lay-it, #table .take.lit"


class StuckError(Exception):
    """A match has stopped before anybody won."""


class Turn(NamedTuple):
    """How a seat's page stands."""

    moment: str
    is_asked: bool
    is_over: bool


def turn_of(phone: Page) -> Turn:
    return Turn(*phone.evaluate(TURN))


def play(phones: Sequence[Page], chance: Random) -> int:
    """Tap until the match is over; give the number of taps."""
    moment, idle = "", 0
    for taps in range(MOST):
        turns = [turn_of(phone) for phone in phones]
        if all(turn.is_over for turn in turns):
            return taps
        newest = max((turn.moment for turn in turns), key=lambda text: int(text or 0))
        moment, idle = newest, idle + 1 if newest == moment else 0
        if idle > PATIENCE:
            raise StuckError([phone.inner_text("h1") for phone in phones])
        asked = [phone for phone, turn in zip(phones, turns, strict=True) if turn.is_asked]
        if asked:
            answer(chance.choice(asked), chance)
        else:
            phones[0].wait_for_timeout(500)
    raise StuckError(f"{MOST} taps, and nobody has won")


def answer(phone: Page, chance: Random) -> None:
    """Tap what a seat finds, and wait a little for what comes of it."""
    before = turn_of(phone).moment
    try:
        lay(phone, chance) if phone.locator(LED_TO_TWIN).count() else choose(phone, chance)
        phone.wait_for_function(f"before => ({TURN})()[0] !== before", arg=before, timeout=1000)
    except TooSlow:
        # the page moved on under the finger, or a chip was chosen and nothing said
        return


def choose(phone: Page, chance: Random) -> None:
    """Choose by chips, and press a button: the one that confirms more often than others."""
    if chance.random() < 0.3 and (folded := one_of(phone, FOLDED, chance)):
        folded.click(timeout=2000)
    for _ in range(chance.randrange(3)):
        if chip := one_of(phone, CHIPS, chance):
            chip.click(timeout=2000)
    confirm = one_of(phone, CONFIRM, chance) if chance.random() < 0.7 else None
    button = confirm or one_of(phone, BUTTONS, chance)
    if button and is_true(phone, button.inner_text()):
        tap = button.dblclick if "howl" in (button.get_attribute("class") or "") else button.click
        tap(timeout=2000)


def is_true(phone: Page, said: str) -> bool:
    """Return whether a player who holds what is said to be held may say it; bluffs are claimed, not held."""
    held = HELD.search(said)
    own = phone.request.get("/twin").text() if held else ""
    return held is None or any(held[1] in card for card in OWN.findall(own))


def lay(phone: Page, chance: Random) -> None:
    """Lay on the simulated table what this seat is asked for there, if it hasn't yet."""
    phone.locator(LED_TO_TWIN).first.click(timeout=2000)
    try:
        phone.wait_for_selector("#table")
        if card := one_of(phone, CARDS, chance):
            # those of a hand lie over each other: of each its left edge is seen
            card.click(timeout=2000, position={"x": 5, "y": 30})
            phone.wait_for_timeout(300)
    finally:
        phone.goto("/seat")


def one_of(phone: Page, selector: str, chance: Random) -> Locator | None:
    seen = [each for each in phone.locator(selector).all() if each.is_visible()]
    return chance.choice(seen) if seen else None


def play_at_table(browser: Browser, game: str) -> int:
    """Begin a game on a table of its own, take its seats, and play."""
    with TemporaryDirectory() as folder, open_house(Path(folder)) as house, ExitStack() as opened:
        host, *phones = (opened.enter_context(open_phone(browser, house, PHONE)) for _ in ("host", *NAMES))
        become_host(host, house)
        begin(host, game, NAMES)
        for seat, phone in enumerate(phones):
            take_seat(phone, house, seat)
        return play(phones, Random(game))


def main() -> None:
    hand_in_games()
    with sync_playwright() as playwright:
        browser = launch_chromium(playwright)
        for game in sys.argv[1:] or GAMES:
            print(f"{game}: over after {play_at_table(browser, game)} taps", flush=True)
        browser.close()


if __name__ == "__main__":
    main()
