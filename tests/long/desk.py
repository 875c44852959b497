"""A person plays whole matches against bots on the simulated table in Chromium, by taps.

    python -m tests.long.desk [GAME ...]

Without names, all games are played, with those of the plug-ins. Taps follow the question in the column beside
the table. The script stops at a moment without a control, a control that does nothing, anything clipped or
overlapped, or an error in the console; it then prints the place of a picture. A newcomer's taps from the
welcome page to the first answer that counts are printed first.
"""

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory, gettempdir
from time import monotonic

from playwright.sync_api import Browser, Page, sync_playwright
from playwright.sync_api import Error as PlaywrightError

from firmware.start.games import hand_in_games
from referee.games.catalogue import GAMES
from tests.browser.gallery import NAMES, let_bots_play
from tests.browser.house import (
    House,
    Phone,
    become_host,
    begin,
    launch_chromium,
    open_house,
    open_phone,
    take_seat,
)
from tests.browser.layout import misplaced
from tests.plugins.installed import OUR_GAMES, game_of, with_game

LAPTOP = Phone(1366, height=650, misses=("409",))  # bots may be faster; the script prints each refusal
NO_EFFECT = 20_000  # milliseconds until bots act, or a tap shows an effect
MOST_TAPS = 1200
CARDS = (".hand .take.lit", ".piles .take.lit", "#lay-it")
ANSWERS = (
    ".label .options > button[name]", ".label .options summary", ".label .fields button[name]",
    ".label .tiles button", ".label .aims .panel button", ".river button", ".label .confirm .say",
    ".label button[data-say]", ".label .ask > button.say", ".label .howl",
)  # fmt: skip
RARE = {".label .howl": 0.3}
"""Chance of a tap on controls that end a round; a player tries the others first."""
SEEN = """() => [
  document.querySelector("#table [name=moment]")?.value, document.querySelector("#asked")?.innerText,
  document.querySelectorAll(".take.lit, .board .laid, .board .up").length,
].join(" / ")"""
"""What a tap changes: the moment, the question, or cards."""
WAYS = "#again, #hurry, #next-card, .label .halt, " + ", ".join((*CARDS, *ANSWERS))
HAS_WAY = "ways => [...document.querySelectorAll(ways)].some(each => each.checkVisibility())"
IS_CHANGED = f"before => ({SEEN})() !== before"


class FoundError(Exception):
    """Something on the page keeps a player from playing on."""


class Player:
    """A person at seat 1, whose taps are counted."""

    def __init__(self, page: Page, rng: Random) -> None:
        self._page, self._rng, self.taps = page, rng, 0

    def play(self) -> None:
        """Play until the match is over."""
        while self.taps < MOST_TAPS:
            self._wait_for_control()
            self._check()
            if self._is_there("#again"):
                return
            self._act()
        raise FoundError(f"the match isn't over after {MOST_TAPS} taps")

    def _wait_for_control(self) -> None:
        """Wait until something can be tapped; a card that isn't read is picked up, to be laid again."""
        try:
            self._page.wait_for_function(HAS_WAY, arg=WAYS, timeout=NO_EFFECT)
        except PlaywrightError:
            if self._page.locator("#pick-up").is_visible():
                self._tap("#pick-up")
            self._page.wait_for_function(HAS_WAY, arg=WAYS, timeout=NO_EFFECT)

    def _check(self) -> None:
        if self._is_there(".label .halt"):
            raise FoundError(f"nothing can be tapped: {self._text('.label')}")
        if misplaced(self._page):
            # measure again, because cards may still be moving
            self._page.wait_for_timeout(500)
            if found := misplaced(self._page):
                raise FoundError("; ".join(found))

    def _act(self) -> None:
        ways = [*self._ways(("#next-card",)), *self._ways(CARDS)]
        choices = self._ways(ANSWERS)
        if choices and (not ways or self._rng.random() < 0.3):
            ways = choices
        if ways := ways or self._ways(("#hurry",)):
            self._tap(self._rng.choice(ways))
        else:
            # the table has changed since its controls were looked for
            self._page.wait_for_timeout(100)

    def _ways(self, selectors: Sequence[str]) -> list[str]:
        """Return a selector for each visible control that a player would consider now."""
        found = []
        for selector in selectors:
            if self._rng.random() < RARE.get(selector, 1.0):
                places = self._page.locator(selector)
                visible = [place for place in range(places.count()) if places.nth(place).is_visible()]
                found += [f"{selector} >> nth={place}" for place in visible]
        return found

    def _tap(self, selector: str) -> None:
        before = self._page.evaluate(SEEN)
        place = self._page.locator(selector)
        try:
            name = " ".join(
                (place.inner_text(timeout=2000) or place.get_attribute("aria-label") or selector).split()
            )
            place.click(timeout=5000)
        except PlaywrightError as error:
            # bots may have moved on meanwhile
            if place.count() and self._page.evaluate(SEEN) == before:
                raise FoundError(f"{selector} can't be tapped: {error}") from error
            return
        self.taps += 1
        print(f"  {self.taps}: {name}", flush=True)
        self._wait(before, f"a tap on {name!r} does nothing")
        if self._page.locator("#cant").is_visible():
            print(f"  {name!r} is refused: {self._text('#cant')}", flush=True)

    def _wait(self, before: str, otherwise: str) -> None:
        try:
            self._page.wait_for_function(IS_CHANGED, arg=before, timeout=NO_EFFECT)
        except PlaywrightError as error:
            raise FoundError(f"{otherwise}: {self._text('.label')}") from error

    def _is_there(self, selector: str) -> bool:
        return self._page.locator(selector).count() > 0

    def _text(self, selector: str) -> str:
        return " ".join(self._page.locator(selector).first.inner_text().split())


def begin_as_newcomer(page: Page) -> int:
    """Go from the welcome page to the first bid in Coyote, the game that it suggests; returns the taps."""
    page.goto("/welcome")
    page.locator("button[value=simulated]:visible, .go button.say:visible").first.click()
    page.locator("form[data-naming] .say").click()
    say = ".label button[data-say]"
    for taps in range(3, MOST_TAPS):
        page.wait_for_selector(f"{say}, .label .options button[name]")
        is_bid, before = page.locator(say).count() > 0, page.evaluate(SEEN)
        page.locator(say if is_bid else ".label .options button[name]").first.click()
        page.wait_for_function(IS_CHANGED, arg=before)
        if is_bid:
            return taps
    raise FoundError("a newcomer can't bid")


@contextmanager
def with_plugins(folder: Path) -> Iterator[None]:
    """Install our plug-ins for the processes that start meanwhile."""
    for name in OUR_GAMES:
        site = with_game(folder, name).site
    before = os.environ.get("PYTHONPATH", "")
    os.environ["PYTHONPATH"] = f"{site}{os.pathsep}{before}"
    yield
    os.environ["PYTHONPATH"] = before


def play_game(chromium: Browser, house: House, game: str) -> str:
    """Play a match to its end; returns what stopped it, if anything."""
    began, picture = monotonic(), Path(gettempdir()) / f"desk-{game}.png"
    with open_phone(chromium, house, LAPTOP) as page:
        become_host(page, house)
        rules = (GAMES.get(game) or game_of(game)).rules
        seats = min(len(NAMES), rules.seats(rules.house()).stop - 1)
        begin(page, game, NAMES[:seats])
        take_seat(page, house, 0)
        let_bots_play(page, seats)
        player = Player(page, Random(game))
        try:
            player.play()
        except (FoundError, PlaywrightError) as error:
            page.screenshot(path=picture)
            print(told := f"{game}: {error} ({player.taps} taps, {picture})", flush=True)
            return told
        print(f"{game}: over after {player.taps} taps and {monotonic() - began:.0f} s", flush=True)
        return ""


def main(wished: Sequence[str]) -> int:
    with TemporaryDirectory(prefix="desk-") as there, with_plugins(Path(there) / "plugins"):
        hand_in_games()
        with open_house(Path(there) / "house") as house, sync_playwright() as playwright:
            chromium = launch_chromium(playwright)
            with open_phone(chromium, house, LAPTOP) as page:
                print(f"{begin_as_newcomer(page)} taps from the welcome page to the first bid", flush=True)
            found = [
                told for game in wished or (*GAMES, *OUR_GAMES) if (told := play_game(chromium, house, game))
            ]
            chromium.close()
    print("\n".join(found) or "all matches reached their end")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
