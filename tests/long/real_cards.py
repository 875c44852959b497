"""Newcomers play whole matches with real cards, from `./run` in an empty folder to the end, without help.

    python -m tests.long.real_cards [all | GAME] [CAMERA] [wood | felt | light] [DEGREES] [--record FOLDER]

CAMERA sees rendered cards from DEGREES off the vertical (35): with `stream` or `learn` a network camera, with
`browser` or `browser-learn` this computer's camera page. With `learn` or `browser-learn`, the table has never
seen the deck, and players name cards by phone. Hearts is played to 50 points.
Up to the first question all is tapped in Chromium; then simulated people answer by phone and lay cards. The
camera sleeps and is nudged, the light dims, counted cards are taken up and laid again. A card that doesn't
count is laid again after a while, as the table asks.

With `--record`, the eyes' reports and the answers are stored in FOLDER; a test replays those in
`tests/firmware/table/recordings`. It prints each tap and each answer by cards, then the figures of each match.
`all` plays a match of each of COMBINATIONS. Most matches take 1 to 4 minutes, Hearts much longer.
"""

from base64 import b64encode
from collections.abc import Callable, Iterator
from pathlib import Path
from time import monotonic

from msgspec import Struct, field
from playwright.sync_api import Error as PlaywrightError
from playwright.sync_api import Page as BrowserPage
from playwright.sync_api import sync_playwright

from firmware.table.cards import show_ask
from hardware.twin.rendering.scene import SceneCard
from referee.contract import Answer, Game
from referee.contract.cards import expand_counts
from referee.games.catalogue import GAMES
from referee.match import Match
from tests.browser.house import launch_chromium, sit_at_computer
from tests.firmware.start.program import run_table
from tests.firmware.start.whole_table import WholeTable, World
from tests.long.card_players import CardWorld, People, PhoneClient, friends, match_at
from tests.long.recording import PROGRAM, VARIABLE
from tests.long.seen_table import OWN_CAMERA, PLACES, SeenTable, network_camera
from tests.plugins.installed import install_our_games
from tests.scripts import figure_lines, say, script

LOOK = 0.3  # seconds between looks at the journal
TOLD, STUCK = 20.0, 90.0  # seconds without an answer after which a card is laid again, and the match is stopped
NAMES = ("Ana", "Bo", "Eve", "Dan")
COMBINATIONS: tuple[tuple[str, str, str], ...] = (
    ("coyote", "stream", "wood"),
    ("skull", "stream", "white"),
    ("coup", "stream", "felt"),
    ("hearts", "learn", "wood"),
    ("hearts", "browser-learn", "felt"),
    ("coyote", "browser", "felt"),
    ("coup", "browser", "white"),
    ("skull", "browser", "wood"),
    ("coyote", "learn", "white"),
    ("coyote", "stream", "newspaper"),
    ("coyote", "browser", "newspaper"),
    ("coyote", "stream", "carpet"),
    ("coyote", "browser", "carpet"),
    ("coyote", "stream", "small places"),
    ("coyote", "browser", "small places"),
    ("coup", "stream", "small places"),
    ("hearts", "learn", "large places"),
)
SHORTEST = {"hearts": ("rule-target", "50")}
"""House rule of the shortest match that the page offers: its field and value."""


class Figures(Struct):
    """What is counted in a match."""

    played_to_the_end: int = 0
    answers: int = 0
    taps: int = 0
    questions: int = 0
    laid_again: int = 0
    wrong_names: int = 0
    seconds_from_laid_to_counted: list[float] = field(default_factory=list)
    minutes: list[float] = field(default_factory=list)


class Newcomer:
    """Somebody at the laptop: each tap is counted and printed."""

    def __init__(self, page: BrowserPage, figures: Figures) -> None:
        self.page, self._figures, self._began = page, figures, monotonic()

    def tap(self, what: str) -> None:
        try:
            self.page.locator(what).first.wait_for(timeout=60_000)
        except PlaywrightError as error:
            error.add_note(f"{self.page.url} shows: {' '.join(self.page.inner_text('body').split())}")
            raise
        self._figures.taps += 1
        words = self.page.locator(what).first
        name = " ".join((words.inner_text() or words.get_attribute("aria-label") or what).split())
        print(f"{monotonic() - self._began:5.1f} s  tap {self._figures.taps}: {name}", flush=True)
        words.click()


def choose_stream(newcomer: Newcomer, address: str) -> None:
    newcomer.page.fill("#net", address)
    newcomer.tap(".network button, form:has(#net) button")


def choose_browser(newcomer: Newcomer, _address: str) -> None:
    newcomer.tap("button[name=here]")
    newcomer.page.wait_for_url("**/camera?**")
    newcomer.tap("main .say:visible")
    with newcomer.page.expect_popup() as opened:
        newcomer.tap("a[target=_blank]:visible")
    newcomer.page = opened.value


def find_table(newcomer: Newcomer, seen: SeenTable) -> None:
    """Accept the table by its cards; where their names aren't known, clear it for a picture first."""
    accept, empty = "form[action='/host/table/laid'] button", "form[action='/host/table/empty'] button"
    newcomer.page.locator(f"{accept}, {empty}").first.wait_for(timeout=60_000)
    if newcomer.page.locator(empty).count():
        laid, seen.cards = seen.cards, tuple
        newcomer.page.wait_for_timeout(3000)
        newcomer.tap(empty)
        newcomer.page.locator(empty).wait_for(state="detached", timeout=60_000)
        seen.cards = laid
    newcomer.tap(accept)


def reach_match(
    newcomer: Newcomer, game: Game, seen: SeenTable, choose: Callable[[Newcomer], None], cards: str
) -> None:
    """Go from the first page to a match with real cards."""
    newcomer.tap(f".offer:has(input[value='{game.name}'])")
    newcomer.tap("button[name=cards][value=real]")
    newcomer.page.wait_for_url("**/welcome/camera**")
    choose(newcomer)
    newcomer.page.wait_for_url("**/host/table**", timeout=90_000)
    find_table(newcomer, seen)
    newcomer.page.wait_for_url("**/host/new**")
    names = newcomer.page.locator("#names input")
    for seat in range(game.rules.seats(game.rules.house()).start):
        if not names.nth(seat).input_value():
            names.nth(seat).fill(NAMES[seat])
    newcomer.tap(f".kind:has(input[value='{cards}'])")
    if game.name in SHORTEST:
        newcomer.tap("details.group summary:visible")
        rule, value = SHORTEST[game.name]
        newcomer.page.select_option(f"select[name={rule}]", value)
    newcomer.tap("main .say:visible")
    newcomer.page.wait_for_url("**/host/table")
    newcomer.tap("button.below")
    newcomer.tap("form[action='/host/table/keep'] button")
    newcomer.page.wait_for_url("**/host")


class Evening:
    """A match of simulated people, watched."""

    def __init__(self, table: WholeTable, seen: SeenTable, page: BrowserPage, figures: Figures) -> None:
        self._table, self._seen, self._page, self._figures = table, seen, page, figures
        setup = match_at(table).setup
        self._client = PhoneClient(table, friends(table, len(setup.names)))
        self._world = CardWorld(self._client.moment(), table.folder)
        seen.cards = self._world.scene_cards
        self._people = People(self._client, self._world, seen, 3)
        self._deck, self._looked, self._moved, self._laid_again = setup.deck.name, 0.0, monotonic(), 0.0

    def play(self, *, learns: bool) -> None:
        steps = self._people.steps()
        while self._client.moment().outcome is None:
            # the page's camera goes on meanwhile
            self._page.wait_for_timeout(1000 * max(0.03, next(steps)))
            if monotonic() > self._looked + LOOK:
                self._look(learns=learns)
                self._looked = monotonic()

    def _look(self, *, learns: bool) -> None:
        for moment in self._client.follow():
            self._moved = monotonic()
            self._note(moment)
        match = self._client.moment()
        ask = show_ask(match)
        is_laid = ask is not None and self._world.has_laid(match, ask)
        if learns and is_laid and (face := self._client.name_card(self._deck)) is not None:
            self._figures.questions += 1
            print(f"  a phone asks: {face}", flush=True)
        if is_laid and self._laid_again < self._moved < monotonic() - TOLD:
            self._laid_again = monotonic()
            self._figures.laid_again += 1
            print("  nothing happens: the card is laid again", flush=True)
            for seconds in self._people.lay_again():
                self._page.wait_for_timeout(1000 * seconds)
        if monotonic() > self._moved + STUCK:
            raise AssertionError(f"nothing happens; asked: {self._client.moment().asks}")

    def _note(self, moment: Match) -> None:
        self._figures.answers += 1
        answer = moment.entry
        if not isinstance(answer, Answer) or answer.sense != "camera":
            return
        self._people.counted += 1
        seconds = monotonic() - self._seen.changed
        self._figures.seconds_from_laid_to_counted.append(seconds)
        is_wrong = self._world.is_told_falsely(moment)
        self._figures.wrong_names += is_wrong
        print(f"{answer.ask}: {answer.value} after {seconds:.1f} s{' WRONG' if is_wrong else ''}", flush=True)

    def shown(self) -> str:
        return "\n".join((" ".join(self._page.inner_text("body").split()), *self._client.texts()))


def play(game: Game, way: str, seen: SeenTable, folder: Path, recording: Path, figures: Figures) -> None:
    deck = game.table.deck(game.rules.house())
    four = (expand_counts(deck.counts) * 4)[:: max(1, deck.size // 4)]
    laid = tuple(SceneCard(face, *place) for face, place in zip(four, PLACES, strict=False))
    seen.cards = lambda: laid
    recorded = World(environ={VARIABLE: str(recording.resolve())}, program=PROGRAM)
    with (
        network_camera(seen) as address,
        run_table(folder, world=recorded) as table,
        sync_playwright() as playwright,
    ):
        chromium = launch_chromium(playwright)
        at = f"http://localhost:{table.port}"
        context = chromium.new_context(viewport={"width": 1366, "height": 650}, base_url=at)
        context.expose_function("seenTable", lambda: b64encode(seen.frame()).decode())
        if "browser" in way:
            context.add_init_script(OWN_CAMERA)
        page = context.new_page()
        sit_at_computer(page, table.evening())
        newcomer = Newcomer(page, figures)
        choose = choose_browser if "browser" in way else choose_stream
        cards = "" if "learn" in way else "printed"
        reach_match(newcomer, game, seen, lambda who: choose(who, address), cards)
        evening = Evening(table, seen, newcomer.page, figures)
        try:
            evening.play(learns="learn" in way)
        except BaseException as error:
            error.add_note(evening.shown())
            raise
        figures.played_to_the_end += 1
        chromium.close()


@script
def main(
    scratch: Path,
    name: str = "coyote",
    way: str = "stream",
    ground: str = "wood",
    degrees: float = 35.0,
    /,
    *,
    record: str = "",
) -> Iterator[Figures | str]:
    install_our_games(scratch / "games")
    for number, (game, by, on) in enumerate(COMBINATIONS if name == "all" else ((name, way, ground),)):
        match, figures, began = f"{game} {by} {on} {degrees:g} degrees", Figures(), monotonic()
        try:
            recording = Path(record or scratch) / f"{game}-{by}-{on}.jsonl"
            played = GAMES[game]
            seen = SeenTable(played.table.deck(played.rules.house()).name, on, degrees)
            play(played, by, seen, scratch / str(number), recording, figures)
        except (AssertionError, PlaywrightError) as error:
            print(f"stopped: {error}", *getattr(error, "__notes__", ()), sep="\n", flush=True)
            yield f"{match}: stopped"
        figures.minutes.append((monotonic() - began) / 60)
        say(f"{match}: {', '.join(figure_lines(figures))}")
        yield figures
        if figures.wrong_names:
            yield f"{match}: wrong names"
