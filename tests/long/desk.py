"""A person plays whole matches against bots on the simulated table in Chromium, by taps.

    python -m tests.long.desk [GAME ...] [--language fr] [--seed 1] [--pictures FOLDER] [--rule target=50]

Without names, all games are played, with those of the plug-ins; without a language, in English and French. A
house rule may shorten the match: `target=50` in Hearts, `tours=5` in Cheat. Taps follow the question in the
column beside the table; hidden cards are chosen by lifting some of them. The script reports refused taps, and
once anything clipped or overlapped, and plays on. It stops at a moment without a control, a control that does
nothing, or an error in the console. It keeps a picture of each kind of moment and of each finding.
"""

from collections.abc import Iterator
from itertools import product
from pathlib import Path
from random import Random
from time import monotonic

from playwright.sync_api import Browser, Page, sync_playwright
from playwright.sync_api import Error as PlaywrightError

from referee.games.catalogue import GAMES
from tests.browser.findings import Findings
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
from tests.plugins.installed import install_our_games
from tests.scripts import say, script

WIDTH, HEIGHT = 1366, 650  # pixels of a common laptop's page
MISSES = ("409",)  # bots may be faster; the script prints each refusal
NO_EFFECT = 60_000  # milliseconds until bots act, or a tap shows an effect
MOST_TAPS = 2000
BRIEFLY = "from firmware.twin import bot_seats\nbot_seats.THINKING_TIME = 0.3\n"
"""Runs at the start of each process of the table; a match of usual bots takes an hour."""
LIFTS = ".hand .take:has([name=give]:not(:checked))"  # cards that can leave the hand unseen
CARDS = (".hand .take.lit", ".piles .take.lit", "#lay-it", LIFTS)
CHIPS = ".label .chips input:not(:checked)"  # tapped by their labels
ANSWERS = (
    ".label .options > button[name]", ".label .options summary", ".label .fields button[name]",
    ".label .targets button", ".label .tiles button", ".label .aims .panel button", ".river button",
    CHIPS, ".label .confirm .say",
    ".label button[data-say]", ".label .ask > button.say:enabled", ".label .howl",
)  # fmt: skip
TURNS, LAST = ("#next-card",), ("#hurry", "#skip")
VISIBLE = """names => names.flatMap(name => [...document.querySelectorAll(name)]
  .flatMap((each, place) => each.checkVisibility({ visibilityProperty: true }) && each.getClientRects().length
    ? [[name, `${name} >> nth=${place}`]] : []))"""
"""Finds the controls that a player can see, each with its selector."""
RARE = {".label .howl": 0.3}
"""Chance of a tap on controls that end a round; a player tries the others first."""
SEEN = """() => [
  document.querySelector("#table [name=moment]")?.value, document.querySelector("#asked")?.innerText,
  ...[".take.lit", ".take :checked", ".board .laid", ".board .up"]
    .map(each => document.querySelectorAll(each).length),
].join(" / ")"""
"""What a tap changes: the moment, the question, or cards."""
WAYS = "#again, #hurry, #skip, #next-card, .label .halt, " + ", ".join((*CARDS, *ANSWERS))
HAS_WAY = "ways => [...document.querySelectorAll(ways)].some(each => each.checkVisibility())"
IS_CHANGED = f"before => ({SEEN})() !== before"
KIND = """() => {
  const is = (name) => document.querySelector(name) ? name.replace(/[#.]/g, "") : "";
  const ids = (names) => [...document.querySelectorAll(names)].map(each => each.id.replace(/[0-9]+/g, ""));
  return [...ids(".label form.ask"), ...[...new Set(ids(".label details[open]"))], is(".stagecard"),
    is(".counting"), is(".label.showing"), is(".claims"), is("#lay-it"), is("#pick-up"), is("#again")]
    .filter(each => each).join("-") || "waiting";
}"""
"""What kind of moment the page shows; a picture of each kind is kept."""


class FoundError(Exception):
    """Something on the page keeps a player from playing on."""


class Player:
    """A person at seat 1, whose taps are counted."""

    def __init__(self, page: Page, rng: Random, findings: Findings) -> None:
        self._page, self._rng, self._findings = page, rng, findings
        self._kinds = set[str]()
        self.taps, self.refused = 0, 0

    def play(self) -> None:
        """Play until the match is over, and start another one with the same people."""
        while self.taps < MOST_TAPS:
            self._wait_for_control()
            self._check()
            if self._is_there("#again"):
                self._tap("#again", self._page.evaluate(SEEN))
                return
            self._act()
        raise FoundError(f"the match isn't over after {MOST_TAPS} taps")

    def _wait_for_control(self) -> None:
        """Wait until something can be tapped; a card that isn't read is picked up, to be laid again."""
        try:
            self._page.wait_for_function(HAS_WAY, arg=WAYS, timeout=NO_EFFECT)
        except PlaywrightError:
            if self._page.locator("#pick-up").is_visible():
                self._tap("#pick-up", self._page.evaluate(SEEN))
            self._page.wait_for_function(HAS_WAY, arg=WAYS, timeout=NO_EFFECT)

    def _check(self) -> None:
        if self._is_there(".label .halt"):
            raise FoundError(f"nothing can be tapped: {self._text('.label')}")
        if misplaced(self._page):
            # measure again, because cards may still be moving
            self._page.wait_for_timeout(500)
            for found in misplaced(self._page):
                self._findings.note(self._page, found)
        if (kind := self._page.evaluate(KIND)) not in self._kinds:
            self._kinds.add(kind)
            self._findings.keep_picture(self._page, kind)

    def _act(self) -> None:
        before = self._page.evaluate(SEEN)
        found = self._page.evaluate(VISIBLE, [*TURNS, *CARDS, *ANSWERS, *LAST])
        visible = [way for name, way in found if self._rng.random() < RARE.get(name, 1.0)]
        ways = [way for way in visible if way.startswith((*TURNS, *CARDS))]
        choices = [way for way in visible if way.startswith(ANSWERS)]
        if self._is_there(".give:enabled"):
            ways = []
        if choices and (not ways or self._rng.random() < 0.3):
            ways = choices
        if ways := ways or visible:
            self._tap(self._rng.choice(ways), before)
        else:
            # the table has changed since its controls were looked for
            self._page.wait_for_timeout(100)

    def _tap(self, selector: str, before: str) -> None:
        place = self._page.locator(selector)
        try:
            words = place.inner_text(timeout=10_000) or place.get_attribute("aria-label") or selector
            name = " ".join(words.split())
            (place.locator("..") if selector.startswith(CHIPS) else place).click(timeout=NO_EFFECT)
        except PlaywrightError as error:
            # bots may have moved on meanwhile
            if place.count() and self._page.evaluate(SEEN) == before:
                raise FoundError(f"{selector} can't be tapped: {error}") from error
            return
        self.taps += 1
        say(f"  {self.taps}: {name}")
        try:
            self._page.wait_for_function(IS_CHANGED, arg=before, timeout=NO_EFFECT)
        except PlaywrightError as error:
            raise FoundError(f"a tap on {name!r} does nothing: {self._text('.label')}") from error
        if self._page.locator("#cant").is_visible():
            self.refused += 1
            self._findings.note(self._page, f"{name!r} is refused: {self._text('#cant')}")

    def _is_there(self, selector: str) -> bool:
        return self._page.locator(selector).count() > 0

    def _text(self, selector: str) -> str:
        return " ".join(self._page.locator(selector).first.inner_text().split())


def play_game(
    chromium: Browser, house: House, game: str, code: str, seed: int, pictures: Path, **agreed: str
) -> list[str]:
    began, findings = monotonic(), Findings(pictures, f"{game}, {code}")
    with open_phone(chromium, house, Phone(WIDTH, language=code, height=HEIGHT, misses=MISSES)) as page:
        become_host(page, house)
        rules = GAMES[game].rules
        seats = min(len(NAMES), rules.seats(rules.house()).stop - 1)
        begin(page, game, NAMES[:seats], **agreed)
        take_seat(page, house, 0)
        let_bots_play(page, seats)
        player = Player(page, Random(f"{game} {seed}"), findings)
        end = "over"
        try:
            player.play()
        except (FoundError, PlaywrightError) as error:
            findings.note(page, str(error))
            end = "not over"
    counts = f"{player.taps} taps, {player.refused} refused"
    say(f"{game}, {code}: {end} after {counts}, {monotonic() - began:.0f} s")
    return findings.found


@script
def main(
    scratch: Path,
    *games: str,
    language: str = "",
    seed: int = 1,
    pictures: Path = Path("desk-taps"),
    rule: str = "",
) -> Iterator[str]:
    folder, agreed = pictures.absolute(), dict([rule.split("=", 1)]) if rule else {}
    (install_our_games(scratch / "plugins") / "sitecustomize.py").write_text(BRIEFLY, "utf-8")
    with open_house(scratch / "house") as house, sync_playwright() as playwright:
        chromium = launch_chromium(playwright)
        for code, game in product([language] if language else ["en", "fr"], games or GAMES):
            yield from play_game(chromium, house, game, code, seed, folder / f"{game}-{code}", **agreed)
        chromium.close()
