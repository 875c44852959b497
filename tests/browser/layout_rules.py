"""The law for phones, measured: what a seat's page shows of a moment at 360 x 740, with hints on."""

from collections.abc import Iterator

from playwright.sync_api import Page

from firmware.language.catalogues import language
from referee.moment_view import view_of
from tests.browser.layout import layout_faults, script
from tests.browser.phone_states import State
from tests.tiers import tiered
from tests.webui.room import Browser, Room

FOLD, CONFIRM, FACT, NARROW = 740, 684, 120, 320
"""A phone's height, where what confirms ends at the latest, the least height of the fact; a narrow phone."""
APART = ".strip, .came, .fact, .hint, h1, h2, form.ask, .likely, .callform, .besides, .peek > summary"
"""What never lies over another."""
NEWS = script("news")  # stands for the table: what it sends is given by the test
HEAR = script("hear")
MEASURE = script("seat")
OF_PAGES = script("page")
"""What breaks the law on a page of any size; what is unfolded may lie over what it belongs to."""
LEAST, TARGET, DESK = 14, 44, 700
"""Pixels of the smallest text on a phone, of what a thumb hits there, and of the narrowest page on a desk."""
SIZES = ((NARROW, 640), (360, FOLD), (1280, 800), *tiered((), ((390, 844), (1920, 1080))))
"""In which sizes pages are looked at: at each commit two phones and a desk."""
TOO_WIDE = "document.scrollingElement.scrollWidth - innerWidth"


def open_seat(page: Page) -> None:
    """Open a seat's page that hears of the test, not of a table."""
    page.add_init_script(NEWS)
    page.goto("/seat", wait_until="load")


class Phones:
    """The phones of all seats in a language, shown one after the other."""

    def __init__(self, room: Room, code: str) -> None:
        self._room, self.code = room, code
        self._setup: tuple[object, ...] = ()
        self._sitting: dict[int, Browser] = {}

    def show(self, page: Page, state: State) -> None:
        page.evaluate(HEAR, self._html_of(state))

    def _html_of(self, state: State) -> str:
        self._room.client.match = state.match
        setup = state.match.setup
        if self._setup != (now := (setup.game.name, setup.house, setup.names)):
            # at another table those who sat here may have lost their seats
            self._setup, self._sitting = now, {}
        if state.seat not in self._sitting:
            self._sitting[state.seat] = self._room.browser().sit(state.seat)
        return self._sitting[state.seat].get("/seat", {"Accept-Language": self.code}).text

    def faults(self, page: Page, state: State) -> list[str]:
        self.show(page, state)
        cut = layout_faults(page, 11, APART)
        return cut if state.match.outcome else [*page.evaluate(MEASURE, self._wanted(state)), *cut]

    def _wanted(self, state: State) -> dict[str, object]:
        match = state.match
        board = match.setup.game.shown.board(match.setup.game.shown.view(match.state, state.seat))
        claims = sum(row.claimed_by is not None for row in board.cards)
        return {
            "confirm": CONFIRM,
            "least": FACT,
            "fold": FOLD,
            "claims": claims,
            # a card that was proved, and the purses, say it as a claimed one does
            "said": [] if claims or board.changes else [*self._said(state)],
            "clock": any(ask.deadline is not None for ask in match.asks),
            "may": self._may_say(state),
        }

    def _may_say(self, state: State) -> str:
        """Give what all others are told while one who claims may ask for objections."""
        told = view_of(state.match, language(self.code), state.seat, is_short=True)
        others = (each for each in told.questions if each.question.key == "objections")
        return next((each.text for each in others if state.seat not in each.question.seats), "")

    def _said(self, state: State) -> Iterator[list[str]]:
        """Give what the window says in any case: the number that stands, or else all facts that decide."""
        told = view_of(state.match, language(self.code), state.seat)
        if told.headline is not None:
            yield [told.headline.figure]
        yield [each.text for each in told.key_facts]


def page_faults(page: Page, *, is_open: bool = False) -> list[str]:
    is_phone = page.evaluate("innerWidth") < DESK
    least, target = (LEAST, TARGET) if is_phone else (0, 0)
    found: list[str] = page.evaluate(OF_PAGES, {"least": least, "target": target, "isOpen": is_open})
    wide = page.evaluate(TOO_WIDE)
    return [*found, *([f"{wide} pixels too wide"] if wide > 0 else [])]
