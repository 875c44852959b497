"""Layout rules for phones: checks a seat's page at 360 x 740 pixels, with hints on."""

from collections.abc import Iterator

from playwright.sync_api import Page

from firmware.language.catalogues import language
from referee.moment_view import view_of
from tests.browser.layout import layout_faults, script
from tests.browser.phone_states import State
from tests.tiers import tiered
from tests.webui.room import Browser, Room

FOLD, CONFIRM, FACT, NARROW = 740, 684, 120, 320
"""Pixels: a phone's height, lowest end of a confirm button, least height of the fact, a narrow width."""
APART = ".strip, .came, .fact, .hint, h1, h2, form.ask, .likely, .callform, .besides, .peek > summary"
"""Elements that must not overlap."""
NEWS = script("news")  # replaces the table's event stream; the test provides the events
HEAR = script("hear")
MEASURE = script("seat")
OF_PAGES = script("page")
"""Finds violations on pages of any size; an unfolded element may cover its parent."""
LEAST, TARGET, DESK = 14, 44, 700
"""Pixels of the smallest text and the smallest tap target on a phone, and of the narrowest desktop page."""
SIZES = ((NARROW, 640), (1280, 800), *tiered((), ((360, FOLD), (390, 844), (1920, 1080))))
"""Page sizes to check; the narrowest phone and a desktop for each commit, more for a release."""
TOO_WIDE = "document.scrollingElement.scrollWidth - innerWidth"


def open_seat(page: Page) -> None:
    """Open a seat's page that gets its events from the test instead of a table."""
    page.add_init_script(NEWS)
    page.goto("/seat", wait_until="load")


class Phones:
    """The phones of all seats in one language, shown one after another."""

    def __init__(self, room: Room, code: str) -> None:
        self._room, self.code = room, code
        self._setup: tuple[object, ...] = ()
        self._sitting: dict[int, Browser] = {}
        self._shown = ""

    def show(self, page: Page, state: State) -> None:
        self._shown = self._html_of(state)
        page.evaluate(HEAR, self._shown)

    def _html_of(self, state: State) -> str:
        self._room.client.match = state.match
        setup = state.match.setup
        if self._setup != (now := (setup.game.name, setup.house, setup.names)):
            # at another table, earlier devices may have lost their seats
            self._setup, self._sitting = now, {}
        if state.seat not in self._sitting:
            self._sitting[state.seat] = self._room.browser().sit(state.seat)
        return self._sitting[state.seat].get("/seat", {"Accept-Language": self.code}).text

    def faults(self, page: Page, state: State) -> list[str]:
        self.show(page, state)
        cut = layout_faults(page, 11, APART)
        return cut if state.match.outcome else [*page.evaluate(MEASURE, self._wanted(state)), *cut]

    def faults_when_narrow(self, page: Page) -> list[str]:
        """Draw the shown state once more on a narrow phone."""
        page.set_viewport_size({"width": NARROW, "height": FOLD})
        page.evaluate(HEAR, self._shown)
        wide = page.evaluate(TOO_WIDE)
        page.set_viewport_size({"width": 360, "height": FOLD})
        return [f"{wide} pixels too wide at {NARROW}"] if wide > 0 else []

    def _wanted(self, state: State) -> dict[str, object]:
        match = state.match
        board = match.setup.game.shown.board(match.setup.game.shown.view(match.state, state.seat))
        claims = sum(row.claimed_by is not None for row in board.cards)
        return {
            "confirm": CONFIRM,
            "least": FACT,
            "fold": FOLD,
            "claims": claims,
            # a proved card and the purses count as shown, like a claimed one
            "said": [] if claims or board.changes else [*self._said(state)],
            "clock": any(ask.deadline is not None for ask in match.asks),
            "may": self._may_say(state),
        }

    def _may_say(self, state: State) -> str:
        """Return the text for all others while the claiming player may ask for objections."""
        view = view_of(state.match, language(self.code), state.seat).short
        others = (each for each in view.questions if each.question.key == "objections")
        return next((each.text for each in others if state.seat not in each.question.seats), "")

    def _said(self, state: State) -> Iterator[list[str]]:
        """Yield the required texts of the window: the current number, or else all deciding facts."""
        view = view_of(state.match, language(self.code), state.seat)
        if view.headline is not None:
            yield [view.headline.figure]
        yield [each.text for each in view.key_facts]


def page_faults(page: Page, *, is_open: bool = False) -> list[str]:
    is_phone = page.evaluate("innerWidth") < DESK
    least, target = (LEAST, TARGET) if is_phone else (0, 0)
    found: list[str] = page.evaluate(OF_PAGES, {"least": least, "target": target, "isOpen": is_open})
    wide = page.evaluate(TOO_WIDE)
    return [*found, *([f"{wide} pixels too wide"] if wide > 0 else [])]
