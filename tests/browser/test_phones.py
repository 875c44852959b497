"""Seat pages follow the layout rules in every state and language: 360 x 740 with hints, and 320 wide.

`./test` checks a few states of each game, `./test --all` all kinds, from new matches.
"""

from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from itertools import product
from pathlib import Path

import pytest
from msgspec import Struct
from msgspec.structs import replace
from playwright.sync_api import Browser, Page

from firmware.services.looks import Looks
from firmware.twin.simulated_table import OffTableCard, TableView
from referee.games.catalogue import GAMES
from referee.match import Match, Setup, begin
from tests.browser.house import Phone, faults, open_phone
from tests.browser.layout import covered, expect_at_once, layout_faults, lowest, misplaced, small_targets
from tests.browser.layout_rules import FOLD, NARROW, SIZES, TARGET, Phones, open_seat, page_faults
from tests.browser.moments import MOMENTS, find_match, match_at
from tests.browser.phone_states import NAMES, State, walk_states
from tests.browser.rooms import (
    Site,
    become_screen,
    enter,
    give_seat,
    look_at,
    page_of,
    served,
    sit,
    trigger_redraw,
)
from tests.firmware.start.known_decks import lay_deck
from tests.given import allowed, present
from tests.tiers import ALL, release, slow, tiered
from tests.webui.fakes import FakeTwin
from tests.webui.matches import call_coyote, reveal_cards
from tests.webui.room import Room, match_of, room_with, said

LANGUAGES = ("en", "fr")
LONGER = tiered(("fr",), LANGUAGES)  # for each commit, the language with longer words
VIEWPORTS = tuple(product(LANGUAGES, (False, True))) if ALL else (("fr", True),)
"""Languages, and whether the table is simulated; then a seat's page links to it, and needs more room."""
MOMENT_NAMES = [f"{moment.game}-{moment.name}" for moment in MOMENTS]
SETTINGS = [(name, rules) for name, game in GAMES.items() for rules in game.rules.settings]
HARD = {
    "coyote": ("is asked announce/own turn", "call/is asked reveal", "count/"),
    "coup": ("challenge-or-block/1 claimed", "is asked prove", "waits for challenge", "many action"),
    "coup-d-etat": ("rows/waits for domino", "rows/is asked domino", "row/is asked card", "few pass"),
    "plenty-coups": ("row/is asked first-weapon", "many action", "few take"),
    "ogallala": ("many place", "grid/waits for draw", "many lasso", "is asked draw"),
}
"""Difficult kinds of states; one of them is checked for each commit."""


class Viewport(Struct, frozen=True):
    """The phones of all seats in a language, and the page that shows them."""

    phones: Phones
    page: Page


@pytest.fixture(name="glasses", scope="module")
def _viewports(chromium: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Viewport, ...]]:
    with ExitStack() as held:

        def viewport(code: str, *, has_twin: bool) -> Viewport:
            more = {"twin": FakeTwin()} if has_twin else {}
            room = room_with(find_match(MOMENTS[0]), tmp_path_factory.mktemp("phones"), looks=Looks(), **more)
            page = held.enter_context(page_of(chromium, room, Phone(360, language=code, height=FOLD)))
            give_seat(page, room, 0)
            open_seat(page)
            return Viewport(Phones(room, code), page)

        yield tuple(viewport(code, has_twin=has_twin) for code, has_twin in VIEWPORTS)


def faults_of(
    glasses: tuple[Viewport, ...], states: list[State], *, has_axe: bool = False
) -> dict[str, list[str]]:
    found = {}
    for viewport in glasses:
        for state in states:
            told = viewport.phones.faults(viewport.page, state)
            told += faults(viewport.page) if has_axe else []
            told += viewport.phones.faults_when_narrow(viewport.page)
            if told:
                found[f"{viewport.phones.code} {state}"] = told
    return found


def seats_of(game: str, rules: str) -> int:
    return max(
        seats for seats in GAMES[game].rules.seats(GAMES[game].rules.settings[rules]) if seats <= len(NAMES)
    )


@pytest.mark.parametrize("game", GAMES)
def test_sampled_states_follow_the_layout_rules(glasses: tuple[Viewport, ...], game: str) -> None:
    seats = seats_of(game, next(iter(GAMES[game].rules.settings)))
    assert faults_of(glasses, states_of(game, seats, 0, HARD[game]), has_axe=ALL) == {}


def states_of(game: str, seats: int, seed: int, kinds: Sequence[str]) -> list[State]:
    """Play until a state of each kind has occurred."""
    chosen, wanted = list[State](), {*kinds}
    for state in walk_states(game, next(iter(GAMES[game].rules.settings)), seats, seed):
        if found := {part for part in wanted if part in str(state)}:
            chosen.append(state)
            wanted -= found
        if not wanted:
            return chosen
    raise AssertionError(f"never came: {wanted}")


def test_joining_player_shifts_no_layout(chromium: Browser, tmp_path: Path) -> None:
    room = room_with(match_at("coyote-bid"), tmp_path, looks=Looks())
    with page_of(chromium, room, Phone(height=FOLD)) as page:
        sit(page, room, 0)
        before = page.locator("#question").bounding_box()
        trigger_redraw(room)
        page.locator("#notice", has_text="a notice").wait_for()
        assert page.locator("#question").bounding_box() == before
        expect_at_once(page, "#notice")
        assert covered(page, "#notice, #question, form.ask, .peek > summary") == []


STRANGER = (
    *("/", "/join", "/seat", "/host", "/rules", "/rules/why", "/history", "/statistics", "/twin", "/screen"),
)
OF_ANY_TABLE = ("/seat/rules", "/rules", "/rules/why", "/history")
SEATED = ("/host", "/twin", "/seat", "/seat/other", "/", "/seat/rules", "/why")
"""Also pages of a host who plays at the simulated table."""
HOST = (
    *("/host", "/host/rules", "/host/people", "/host/people/1", "/host/more", "/host/check", "/host/health"),
    *("/host/table", "/host/teach", "/host/teach/coup", "/host/settings", "/host/backup", "/host/privacy"),
    *("/welcome", *(f"/host/new?game={game}" for game in GAMES)),
)
RIGHTS = {"stranger": STRANGER, "seated": SEATED, "host": HOST}
UNFOLDED = (SIZES[0], *tiered((), ((360, FOLD),)))
OPEN = "document.querySelectorAll('details').forEach(each => { each.open = true; })"
EVERYWHERE = [("seated", "read"), *product(("stranger", "seated"), MOMENT_NAMES)]
WALKS = [("stranger", "read"), ("host", "crowd"), *tiered([("seated", "coup-claim")], EVERYWHERE)]
CROWD = tuple(f"Anne-Élisabeth Vandenbroucke de La Tou{seat:02}" for seat in range(12))


class CrowdedTwin(FakeTwin):
    """A simulated table of twelve."""

    def table(self, seat: int | None) -> TableView:
        seen = super().table(seat)
        return replace(seen, chairs=seen.chairs * 4)


def match_of_walk(moment: str) -> Match:
    coyote = GAMES["coyote"]
    if moment == "crowd":
        return allowed(begin(Setup(coyote, coyote.rules.house(edition="oliphante", boxes=2), CROWD)))
    return reveal_cards(match_of()) if moment == "read" else match_at(moment)


@pytest.mark.parametrize(("right", "moment"), WALKS)
def test_every_page_follows_the_layout_rules_for_every_role(
    chromium: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, right: str, moment: str
) -> None:
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path))
    lay_deck("coup")
    match, found = match_of_walk(moment), dict[str, list[str]]()
    twin = CrowdedTwin() if moment == "crowd" else FakeTwin()
    room = room_with(match, tmp_path, twin=twin, looks=Looks())
    for code in LONGER:
        with page_of(chromium, room, Phone(language=code, misses=("404",))) as page:
            if right != "stranger":
                enter(page, room)
            if right == "seated":
                give_seat(page, room, 0)
            for place, address in enumerate(RIGHTS[right]):
                page.goto(address)
                for width, height in reversed(SIZES):
                    page.set_viewport_size({"width": width, "height": height})
                    found[f"{code} {width} {address}"] = page_faults(page)
                page.evaluate(OPEN)
                for width, height in UNFOLDED:
                    page.set_viewport_size({"width": width, "height": height})
                    found[f"{code} {width} {address}, unfolded"] = page_faults(page, is_open=True)
                if ALL or not place:
                    # axe scrolls to the end
                    found[f"{code} {address}"] = faults(page)
    assert {page: faults for page, faults in found.items() if faults} == {}


@slow("pages of a table at its fullest")
def test_twelve_long_names_fit_a_narrow_phone(chromium: Browser, tmp_path: Path) -> None:
    room = room_with(match_of_walk("crowd"), tmp_path, twin=CrowdedTwin(), looks=Looks())
    with page_of(chromium, room, Phone(NARROW, language="fr", misses=("404",))) as page:
        give_seat(page, room, len(CROWD) - 1)
        # the pages that show names
        assert look_at(page, "/seat", "/twin", "/", "/join", "/host", *tiered((), OF_ANY_TABLE)) == []


class WaitingTwin(FakeTwin):
    """A simulated table with all cards in the middle except the viewer's own, which is asked for."""

    def table(self, seat: int | None) -> TableView:
        seen = super().table(seat)
        cards = [replace(card, is_wanted=card.may) for chair in seen.chairs for card in chair.cards]
        chairs = tuple(replace(chair, cards=(card,)) for chair, card in zip(seen.chairs, cards, strict=True))
        return replace(seen, chairs=chairs, wrong=())


@pytest.mark.parametrize("code", LONGER)
def test_simulated_table_plays_a_card_without_scrolling(chromium: Browser, tmp_path: Path, code: str) -> None:
    room = room_with(call_coyote(match_of()), tmp_path, twin=WaitingTwin(), looks=Looks())
    with page_of(chromium, room, Phone(language=code, misses=("404",))) as page:
        give_seat(page, room, 0)
        page.goto("/twin")
        for width, height in ((360, FOLD), (NARROW, 640)):
            page.set_viewport_size({"width": width, "height": height})
            expect_at_once(page, "#lay-it")
        told = page.locator("#asked .fact").inner_text()
        assert page.locator("#asked h2").inner_text() not in told
        assert told.rstrip(".") not in page.locator("#asked h2").inner_text()


class DealtTwin(FakeTwin):
    """A simulated table with four players of two cards each."""

    def table(self, seat: int | None) -> TableView:
        seen = super().table(seat)
        hidden, own = (
            tuple(OffTableCard("hand", place, face) for place, face in enumerate(faces))
            for faces in ((None, None), ("duke", "contessa"))
        )
        chairs = tuple(
            replace(seen.chairs[0], cards=own if other == seat else hidden, is_worn=False) for other in range(4)
        )
        return replace(seen, deck="coup", chairs=chairs, laid=(), wrong=(), zone=(), discard=0, top=None)


IS_FREE = """each => {
  const { left, right, bottom } = each.getBoundingClientRect();
  return each === document.elementFromPoint((left + right) / 2, bottom - 2);
}"""
"""Whether nothing covers the bottom of a button."""
IS_FREE_OF_MARKS = """each => {
  const { left, right, top, bottom, width, height } = each.firstElementChild.getBoundingClientRect();
  return [0.2, 0.5, 0.8].every(x => [0.2, 0.5, 0.8].every(y =>
    each.contains(document.elementFromPoint(left + x * width, top + y * height))));
}"""
"""Whether nothing covers any part of a card."""


@pytest.mark.parametrize("code", LONGER)
@pytest.mark.parametrize("address", ["/seat", "/twin"])
def test_weighed_scene_fits_a_phone_without_shifting_layout(
    chromium: Browser, tmp_path: Path, code: str, address: str
) -> None:
    rules = next(iter(GAMES["coup"].rules.settings))
    state = next(each for each in walk_states("coup", rules, 4, 0) if "-or-block/1 claimed" in str(each))
    room = room_with(state.match, tmp_path, twin=DealtTwin(), looks=Looks())
    with page_of(chromium, room, Phone(language=code, height=FOLD, misses=("404",))) as page:
        give_seat(page, room, state.seat)
        page.goto(address)
        for width, height in ((360, FOLD), (NARROW, 640)):
            page.set_viewport_size({"width": width, "height": height})
            say, places = page.locator(".confirm .say:visible"), set()
            for chip in page.locator(".chip").all():
                chip.click()
                expect_at_once(page, ".weighed")
                assert say.evaluate(IS_FREE)
                assert say.inner_text()
                places.add(str(say.bounding_box()))
            assert len(places) == 1
            assert page.locator(".ends:visible li").count() == 2
            assert page_faults(page) == []
        if address == "/twin":
            page.set_viewport_size({"width": 1280, "height": 800})
            assert misplaced(page) == []


PICK = """() => {
  document.querySelector("#by-name")?.setAttribute("open", "");
  const labels = [...document.querySelectorAll(".pile label")];
  // a page keeps what an earlier test picked
  for (const label of labels) label.control.value = 0;
  const several = labels.find(label => label.control.max > 1);
  for (const label of [labels[0], several, several, labels.at(-1)]) label.click();
}"""
"""Choose four cards by name, two of them alike."""


@pytest.mark.parametrize("rules", tiered(["gigamic"], ["kidult", "gigamic", "oliphante"]))
def test_cards_by_name_fit_a_phone_and_stay_uncovered(glasses: tuple[Viewport, ...], rules: str) -> None:
    state = next(each for each in walk_states("coyote", rules, 6, 0) if "call/is asked reveal" in str(each))
    for viewport, (width, height) in product(glasses, ((360, FOLD), (NARROW, 640))):
        page = viewport.page
        page.set_viewport_size({"width": width, "height": height})
        try:
            viewport.phones.show(page, state)
            assert page.locator(".hint").count() == 1
            page.evaluate(PICK)
            assert page.locator(".picked button").count() == 4
            assert page.locator(".picked li").count() == 6
            assert covered(page, ".pile.some, .picked, .say.main, .peek > summary, .fact, h1") == []
            # no button covers a chosen card
            assert page.locator(".pile.some label").evaluate_all(f"each => each.every({IS_FREE_OF_MARKS})")
            assert page.evaluate("document.scrollingElement.scrollHeight") <= height
            strip = present(page.locator(".peek > summary").bounding_box())
            assert lowest(page, ".say.main") <= height - strip["height"]
            size = present(page.locator(".picked button").first.bounding_box())
            assert min(size["width"], size["height"]) >= TARGET
            page.locator(".picked button").first.click()
            assert page.locator(".picked button").count() == 3
        finally:
            page.set_viewport_size({"width": 360, "height": FOLD})


TALL = {
    "coup-d-etat": (4, 0, ("rows/is asked domino/own", "row/is asked card/own", "few only/is asked card")),
    "ogallala": (4, 0, ("few place", "many place", "few attack")),
    "coup": (6, 1, ("chooses of many action/own turn",)),
    "coyote": (6, 1, ("waits for announce/waits for turn",)),
}
"""Players, a seed, and the kinds of states with the most cards, places, players or answers."""


@pytest.mark.parametrize("game", TALL)
def test_tall_states_fit_a_small_phone_without_scrolling(glasses: tuple[Viewport, ...], game: str) -> None:
    seats, seed, kinds = TALL[game]
    states, found = states_of(game, seats, seed, kinds), dict[str, object]()
    for viewport, state in product(glasses, states):
        page = viewport.page
        page.set_viewport_size({"width": NARROW, "height": 640})
        viewport.phones.show(page, state)
        # a page keeps what an earlier test unfolded
        page.evaluate("document.querySelectorAll('details[open]').forEach(each => { each.open = false })")
        page.evaluate("document.fonts.ready")
        below = page.evaluate("document.scrollingElement.scrollHeight") - 640
        if told := [*page_faults(page), *([f"{below} pixels too tall"] if below > 0 else [])]:
            found[f"{viewport.phones.code} {state}"] = told
        page.set_viewport_size({"width": 360, "height": FOLD})
    assert found == {}


@release("every kind of state there is, of every setting")
@pytest.mark.parametrize(("game", "rules"), SETTINGS)
def test_every_state_follows_the_layout_rules(
    glasses: tuple[Viewport, ...], request: pytest.FixtureRequest, game: str, rules: str
) -> None:
    seed = int(request.config.getoption("--hypothesis-seed") or 0) if ALL else 0
    states = list(walk_states(game, rules, seats_of(game, rules), seed))
    assert faults_of(glasses, states) == {}


LARGE, MIDDLE, SMALL = (1920, 1080), (1280, 800), (800, 600)
SCREEN_APART = (
    ".tab, .top h1, .facts, .top .join, .paper, .season, .spread, .rowsfour, .year, .counting li,"
    " .sum, .scale, #notice, .alarm, .verdict, .next, .shout, .statement, .deadline, .lean,"
    " .claimed:only-child, .drawn, .cells, .rail"
)
"""Elements that must not overlap."""
OVERLAY_APART = ".strip, .situation, .newest figcaption, .cry"
SCORE_APART = ".strip, .alarm, .window, .asked, .rail, details, .told, .ways a, .joining"
WRONG = "Je vois 5 pièces devant Zoé ; le registre dit 4 pièces. Enlevez ce qui est en trop, ou dites-le."
SAY = "text => Object.assign(document.getElementById('notice'), { textContent: text, hidden: false })"
FULLEST = ("coyote-count", "coup-block", "coup-d-etat-trick", "plenty-coups-display", "ogallala-place")
CLIPPED = """() => [...document.querySelectorAll(".plate > .has, .plate > .code")]
  .filter((each) => each.scrollWidth > each.clientWidth).map((each) => each.textContent.trim())"""
CROWDED = (
    ("coup", "rule text", 6, "number/waits for block"),
    ("coup", "rule text", 6, "waits for challenge/waits for objections"),
    ("coyote", "oliphante, all powers", 6, "count/"),
    ("coyote", "kidult, all powers", 6, "waits for after"),
    ("ogallala", "other rules", 2, "chooses of few turn"),
    ("plenty-coups", "rule text", 6, "row/"),
    ("ogallala", "two crews", 2, "won"),
)
"""Tables on which long names crowded out content: game, rules and players."""
STACKED = ["coup-block", *(["coyote-call", "coyote-count", "coup-claim", "coup-caught"] if ALL else [])]


@pytest.fixture(name="room", scope="module")
def _room(tmp_path_factory: pytest.TempPathFactory) -> Room:
    folder = tmp_path_factory.mktemp("room")
    return room_with(find_match(MOMENTS[0]), folder, looks=Looks())


@pytest.fixture(name="site", scope="module")
def _site(room: Room) -> Iterator[Site]:
    with served(room) as site:
        yield site


@pytest.fixture(name="screen", scope="module")
def _screen(chromium: Browser, room: Room, site: Site) -> Iterator[Page]:
    with open_phone(chromium, site, Phone(1920, language="fr")) as page:
        become_screen(page, room)
        yield page


@pytest.fixture(name="phone", scope="module")
def _phone(chromium: Browser, site: Site) -> Iterator[Page]:
    with open_phone(chromium, site, Phone(360, language="fr", height=FOLD)) as page:
        yield page


def show(page: Page, room: Room, name: str, address: str) -> None:
    room.client.tell(match_at(name))
    page.goto(address, wait_until="load")
    page.wait_for_function("() => document.fonts.status === 'loaded'")


def faults_at(screen: Page, *sizes: tuple[int, int]) -> dict[tuple[int, int], list[str]]:
    """Check the screen in some sizes: no text is smaller than a 27th of its height."""
    found = {}
    for width, height in sizes:
        screen.set_viewport_size({"width": width, "height": height})
        found[width, height] = layout_faults(screen, min(width / 48, height / 27), SCREEN_APART)
    return {size: told for size, told in found.items() if told}


@pytest.mark.parametrize("name", MOMENT_NAMES if ALL else FULLEST)
def test_moment_fits_screen_overlay_and_phone(screen: Page, phone: Page, room: Room, name: str) -> None:
    show(screen, room, name, "/screen")
    assert faults_at(screen, LARGE, SMALL) == {}
    phone.set_viewport_size({"width": 360, "height": FOLD})
    show(phone, room, name, "/")
    assert lowest(phone, ".window, .asked .question") <= FOLD
    assert small_targets(phone) == []
    phone.set_viewport_size({"width": 320, "height": 5000})
    assert layout_faults(phone, 14.5, SCORE_APART) == []
    phone.set_viewport_size({"width": 1920, "height": 1080})
    show(phone, room, name, "/overlay")
    assert layout_faults(phone, 40, OVERLAY_APART) == []


WIDEST_CODE = """() => {
    for (const code of document.querySelectorAll(".plate > .code"))
        code.innerHTML = code.innerHTML.replace(/[A-Z]{7}/, "WMWMWMW");
}"""


@pytest.mark.parametrize(("game", "rules", "seats", "kind"), CROWDED)
def test_long_names_fit_the_screen(
    screen: Page, room: Room, game: str, rules: str, seats: int, kind: str
) -> None:
    states = walk_states(game, rules, seats, 1)
    room.client.tell(next(state.match for state in states if kind in str(state)))
    screen.goto("/screen", wait_until="load")
    screen.wait_for_function("() => document.fonts.status === 'loaded'")
    # QR codes are drawn, and the widest one fits
    screen.evaluate(WIDEST_CODE)
    assert faults_at(screen, LARGE) == {}
    assert screen.evaluate(CLIPPED) == []


@pytest.mark.parametrize("name", STACKED)
@pytest.mark.parametrize("kind", ["alarms", "notice"])
def test_fault_notice_covers_nothing_on_the_screen(screen: Page, room: Room, name: str, kind: str) -> None:
    room.client.lasting = (
        (said(WRONG), said("la caméra : ni caméra ni image à cet endroit")) if kind == "alarms" else ()
    )
    try:
        show(screen, room, name, "/screen")
        if kind == "notice":
            screen.evaluate(SAY, WRONG)
        assert faults_at(screen, LARGE, SMALL, MIDDLE) == {}
    finally:
        room.client.lasting = ()
