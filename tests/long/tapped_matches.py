"""Plays whole matches by taps on four phones of 360 x 740 pixels, to the end, as bots with a real deal would.

    python -m tests.long.tapped_matches [GAME ...] [--language fr] [--seed 1] [--pictures FOLDER]

Without a game it plays all of them. It checks each phone in each new kind of state, and reports: a moment
without a control on any phone, a control that does nothing or can't be tapped, anything clipped or covered,
and a console error. Of each finding it prints the game, moment and player. It saves a picture of each finding,
and of each phone in a new kind of state. A match stops at a moment that can't go on by taps.
"""

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from playwright.sync_api import Browser, Page, sync_playwright
from playwright.sync_api import TimeoutError as PageTimeoutError

from firmware.language.catalogues import language
from firmware.services.looks import Looks
from hardware.twin import dealer
from hardware.twin.playouts import StuckError, answer_by_bots
from referee.contract import Game
from referee.finish_view import finish_of
from referee.games.catalogue import GAMES
from referee.legal import ask_named
from referee.match import Match, Setup, begin
from referee.moment_view import view_of
from tests.browser.findings import Findings
from tests.browser.house import Phone, launch_chromium, open_phone
from tests.browser.layout import layout_faults
from tests.browser.layout_rules import APART, page_faults
from tests.browser.phone_states import kind_of
from tests.browser.rooms import Site, come_in, served
from tests.given import allowed, present
from tests.long.taps import UntappableError, give
from tests.plugins.installed import install_our_games
from tests.scripts import say, script
from tests.webui.room import Room, room_with
from webui.access.viewers import SEAT
from webui.views.controls import claimed_card
from webui.views.screen_view import layout_of

NAMES = ("Ana", "Bo", "Chloé", "Maximilienne")
SHOWN = 15_000.0  # milliseconds until a phone must show a new moment
MOST = 3000  # most answers of a match
CUT_NAMES = """() => [...document.querySelectorAll(".everybody b")]
  .filter((each) => each.checkVisibility() && each.scrollWidth > each.clientWidth)
  .map((each) => `the name ${each.textContent} is cut`)"""
CONTROLS = ".asking :is(button, input:not([type=hidden]), summary), .callform button"


class Table:
    """Four phones at a table, and the true cards, which only the bots know."""

    def __init__(self, room: Room, pages: Sequence[Page], rng: Random, findings: Findings) -> None:
        self._room, self._pages, self._rng, self._findings = room, pages, rng, findings
        self._dealt, self._seen = dealer.deal_match(room.client.match, rng), set[tuple[str, ...]]()

    @property
    def match(self) -> Match:
        return self._room.client.match

    def play(self) -> None:
        """Play to the end, or to the first moment at which taps can't go on."""
        while self.match.asks and self.match.number < MOST:
            if not self._show() or not self._answer():
                return
        if self._show():
            self._check_end()

    def _show(self) -> bool:
        """Wait until all phones show the moment, and check those in a state of a new kind."""
        for seat, page in enumerate(self._pages):
            try:
                page.wait_for_selector(f".phone[data-moment='{self.match.number}']", timeout=SHOWN)
            except PageTimeoutError:
                self._note(seat, "doesn't show this moment")
                return False
            kind = (layout_of(view_of(self.match, language("en"))), *kind_of(self.match, seat))
            if kind not in self._seen or self.match.outcome:
                self._seen.add(kind)
                found = page_faults(page)
                page.evaluate("scrollTo(0, 0)")
                for fault in (*found, *layout_faults(page, 11, APART), *page.evaluate(CUT_NAMES)):
                    self._note(seat, fault)
                self._findings.keep_picture(page, f"{self.match.number:04}-{seat}-{'-'.join(kind)}")
        if self.match.asks and not any(page.locator(CONTROLS).count() for page in self._pages):
            self._note(0, "no phone has a control")
            return False
        return True

    def _answer(self) -> bool:
        """Give the bots' next answer by taps."""
        match = self.match
        try:
            truth, answer = answer_by_bots(self._dealt, self._rng)
        except (StuckError, dealer.ShortError) as error:
            self._note(0, f"the bots have no answer: {error}")
            return False
        ask = present(ask_named(match.asks, answer.ask))
        # the table's asks are answered by any phone
        seat = next(iter(ask.seats), 0) if answer.seat is None else answer.seat
        claim = claimed_card(view_of(match, language("en")))
        if claim is not None and (ask, answer.value) == (claim.ask, (claim.face,)):
            # its player's tap proves nothing: another one confirms the card
            seat = next(other for other in range(len(NAMES)) if other != seat)
        try:
            give(self._pages[seat], ask, answer.value)
            self._pages[seat].wait_for_selector(f".phone:not([data-moment='{match.number}'])", timeout=SHOWN)
        except UntappableError as error:
            self._note(seat, f"can't be tapped: {error}")
            return False
        except PageTimeoutError:
            self._note(seat, f"a tap does nothing: {ask.key} {answer.value}")
            return False
        if self.match.number != match.number + 1:
            self._note(seat, f"{self.match.number - match.number} answers by one tap")
        self._dealt = dealer.DealtMatch(self.match, dealer.follow_as_told(truth, self.match, self._rng))
        return True

    def _check_end(self) -> None:
        """Check that each phone shows its own result and the ranking."""
        for seat, page in enumerate(self._pages):
            wanted = present(finish_of(self.match, language("en"), seat))
            places = page.locator(".ranks li").count()
            if places != len(NAMES) or not wanted.how:
                self._note(seat, f"the end ranks {places} players")
            if page.locator(".end-head h1").count() != 1:
                self._note(seat, "the end names no winner")

    def begin_again(self) -> None:
        self._pages[0].click("form[action='/seat/again'] button")
        self._pages[0].wait_for_selector(".phone[data-moment='0']")
        if self._room.client.count("begin_again") != 1:
            self._note(0, "Again with the same people does nothing")

    def _note(self, seat: int, what: str) -> None:
        self._findings.note(self._pages[seat], what, f", moment {self.match.number}, {NAMES[seat]}")


def play_by_taps(chromium: Browser, game: Game, code: str, seed: int, pictures: Path) -> Iterator[str]:
    """Play a match of a game by taps. Yields the findings, console errors included."""
    house = next(iter(game.rules.settings.values()))
    match = allowed(begin(Setup(game, house, NAMES, begun="2026-11-28T20:00:00+00:00")))
    findings, complaints = Findings(pictures / game.name, game.name), list[str]()
    with TemporaryDirectory() as folder, ExitStack() as held:
        room = room_with(match, Path(folder), looks=Looks())
        site = held.enter_context(served(room))
        phones = (_phone(chromium, site, room, seat, code) for seat in range(len(NAMES)))
        pages = tuple(map(held.enter_context, phones))
        for page in pages:
            page.on("console", lambda said: complaints.append(said.text) if said.type == "error" else None)
            page.on("pageerror", lambda error: complaints.append(str(error)))
        table = Table(room, pages, Random(f"{game.name} {seed}"), findings)
        table.play()
        over = "over" if table.match.outcome else "not over"
        say(f"{game.name}: {over} after {table.match.number} answers, {len(findings.found)} findings")
        if table.match.outcome:
            table.begin_again()
        else:
            yield f"{game.name}: the match doesn't end"
        yield from (*findings.found, *(f"{game.name}: console: {each}" for each in complaints))


@contextmanager
def _phone(chromium: Browser, site: Site, room: Room, seat: int, code: str) -> Iterator[Page]:
    """Open a phone at a seat; its console errors are collected, not raised."""
    with open_phone(chromium, site, Phone(language=code, height=740, misses=("",))) as page:
        come_in(page, room.browser().sit(seat), SEAT)
        page.goto("/seat")
        yield page


@script
def main(
    scratch: Path, *games: str, language: str = "en", seed: int = 1, pictures: Path = Path("taps")
) -> Iterator[str]:
    install_our_games(scratch)
    with sync_playwright() as play:
        chromium = launch_chromium(play)
        for name in games or [each for each in GAMES if each != "high-card"]:
            yield from play_by_taps(chromium, GAMES[name], language, seed, pictures.absolute())
        chromium.close()
