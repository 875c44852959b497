"""Which sound is asked for at which moment: of the screen, of phones that chose sounds, never of the score."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from firmware.board.voices.tunes import HOWL, LOSS, WIN, Tune, ruling_tune, tune
from firmware.start.pages.look_door import Looks
from firmware.start.phones import notes_of
from referee.match import Match, moments
from tests.browser.moments import MOMENTS, find_match, served
from tests.webui.room import Room, room_with
from webui.drawing.screen_view import layout_of

LISTEN = """
window.tones = [];
window.stopped = 0;
window.AudioContext = class {
  state = "running";
  currentTime = 0;
  destination = {};
  resume() { return Promise.resolve(); }
  createOscillator() {
    const frequency = { setValueAtTime() {}, exponentialRampToValueAtTime() {} };
    const tone = { frequency, connect: (to) => to, start: (at) => tones.push([tone.frequency.value, at]) };
    tone.stop = (at) => { if (at === undefined) window.stopped += 1; };
    return tone;
  }
  createGain() { return { gain: { setValueAtTime() {}, setTargetAtTime() {} }, connect: (to) => to }; }
};
document.addEventListener("drawn", () => { window.shown = (window.shown || 0) + 1; });
document.addEventListener("tune", () => { window.tunes = (window.tunes || 0) + 1; });
"""
"""An ear in place of the loudspeaker: notes what is to sound, and when."""
SKIP_WHEN_HEARD = """() => { window.skipped = new Promise((done) => {
  const key = new KeyboardEvent("keydown", { key: "a" });
  const look = () => tones.length ? done(dispatchEvent(key)) : setTimeout(look, 5);
  look();
}); }"""
"""The page itself presses the key as soon as it sounds: a slow machine would come when all is over."""
TAP, LOW_TAP = 1175, 392
GAVEL = [220, 1400, 220]
"""What is heard of a gavel, before the tune of the verdict."""


WON = find_match(next(each for each in MOMENTS if (each.game, each.name) == ("coyote", "won")))
MATCH = list(moments(WON))[::-1]
CALL = next(match for match in MATCH if tune(match) == HOWL)
COUNTS = [match for match in MATCH if layout_of(match, None) == "count" and tune(match) == LOSS]
"""The tests go through the match from its beginning: a table never tells what is past."""


def before(match: Match) -> Match:
    assert match.before is not None
    return match.before


# a table for each test: one that told another test's moments may still tell the last of them
@pytest.fixture(name="room")
def _room(tmp_path: Path) -> Room:
    tunes = {"tune": notes_of(tune, None), "ruling_tune": notes_of(ruling_tune, None)}
    return room_with(CALL, tmp_path, looks=Looks(), **tunes)


@pytest.fixture(name="site")
def _site(room: Room) -> Iterator[str]:
    with served(room) as site:
        yield site


@contextmanager
def ears_at(chromium: Browser, site: str) -> Iterator[Page]:
    context = chromium.new_context(base_url=site)
    context.add_cookies([{"name": "hints", "value": "off", "url": site}])
    page = context.new_page()
    page.add_init_script(LISTEN)
    yield page
    context.close()


@pytest.fixture(name="screen")
def _screen(chromium: Browser, site: str, room: Room) -> Iterator[Page]:
    with ears_at(chromium, site) as page:
        become_screen(page, room)
        yield page


def settle(page: Page) -> None:
    """Wait until what has arrived would be sounding."""
    page.evaluate("() => new Promise((done) => setTimeout(done, 200))")


def listen_from(page: Page, room: Room, address: str, match: Match) -> None:
    """Open a page at a moment, and wait until it listens."""
    room.door.match = match
    page.goto(address)
    page.wait_for_function("() => window.shown")
    settle(page)


def become_screen(page: Page, room: Room) -> None:
    """Make the device a screen of the host's, with its sound on."""
    page.goto("/host")
    page.fill("input[name=pin]", room.browser().links.pin)
    page.click("main button")
    page.goto("/screen")
    page.click("main button")
    page.goto("/host/people")
    page.click("form[action='/host/sound'] button")


def sit(page: Page, room: Room) -> None:
    page.goto(f"/seat?code={room.browser().links.codes[1]}")
    page.click("main button")
    page.wait_for_selector(".phone")


def tell(page: Page, room: Room, match: Match) -> None:
    """Tell a moment, and wait until its tune has come."""
    room.door.tell(match)
    page.wait_for_function("() => window.tunes")


def hear(page: Page, least: int) -> list[int]:
    """Wait for as many tones, and list them."""
    page.wait_for_function("least => tones.length >= least", arg=least)
    settle(page)
    return page.evaluate("tones.map(([hertz]) => hertz)")


def hertz(notes: Tune) -> list[int]:
    return [note.hertz for note in notes if note.hertz]


def taps(match: Match) -> list[int]:
    """List the taps of a count: a card that counts no more is lower."""
    game = match.setup.game
    row = next(row for row in game.board(game.view(match.state, None)).cards if row.faces and row.notes)
    return [LOW_TAP if place in row.struck else TAP for place in range(len(row.faces))]


def test_a_call_howls_and_loading_is_silent(screen: Page, room: Room) -> None:
    listen_from(screen, room, "/screen", before(CALL))
    assert screen.evaluate("tones") == []
    tell(screen, room, CALL)
    assert hear(screen, len(hertz(HOWL))) == hertz(HOWL)


def test_a_count_is_tapped_card_by_card_then_comes_its_tune(screen: Page, room: Room) -> None:
    listen_from(screen, room, "/screen", before(COUNTS[0]))
    tell(screen, room, COUNTS[0])
    expected = [*taps(COUNTS[0]), *GAVEL, *hertz(LOSS)]
    assert hear(screen, len(expected)) == expected
    times = screen.evaluate("tones.map(([_, at]) => at)")
    count = len(taps(COUNTS[0]))
    assert times[:count] == pytest.approx([place * times[1] for place in range(count)])
    assert times[count] == pytest.approx(count * times[1])


def test_a_key_skips_the_taps_and_the_tune_comes_at_once(screen: Page, room: Room) -> None:
    listen_from(screen, room, "/screen", before(COUNTS[1]))
    screen.evaluate(SKIP_WHEN_HEARD)
    tell(screen, room, COUNTS[1])
    screen.evaluate("window.skipped")
    first = len(taps(COUNTS[1])) + len(GAVEL) + len(hertz(LOSS))
    assert screen.evaluate("stopped") == first
    assert screen.evaluate("first => tones.slice(first).map(([hertz]) => hertz)", first) == [
        *GAVEL,
        *hertz(LOSS),
    ]
    assert screen.evaluate("first => tones[first][1]", first) == 0


def test_less_movement_is_no_silence(screen: Page, room: Room) -> None:
    screen.emulate_media(reduced_motion="reduce")
    listen_from(screen, room, "/screen", before(COUNTS[2]))
    tell(screen, room, COUNTS[2])
    assert hear(screen, len(GAVEL) + len(hertz(LOSS))) == [*GAVEL, *hertz(LOSS)]
    screen.emulate_media(reduced_motion="no-preference")


def test_of_tunes_that_arrive_together_only_the_newest_sounds(screen: Page, room: Room) -> None:
    listen_from(screen, room, "/screen", COUNTS[2])
    screen.evaluate(
        """tunes => { for (const detail of tunes) {
          document.dispatchEvent(new CustomEvent("drawn"));
          document.dispatchEvent(new CustomEvent("tune", { detail }));
        } }""",
        ["[[440,0.1]]", "[[550,0.1]]", "[[660,0.1]]"],
    )
    assert hear(screen, 1) == [660]


def test_the_score_is_silent(chromium: Browser, site: str, room: Room) -> None:
    with ears_at(chromium, site) as page:
        listen_from(page, room, "/", before(COUNTS[3]))
        room.door.tell(COUNTS[3])
        page.wait_for_selector(f"[data-moment='{COUNTS[3].number}']")
        settle(page)
        assert page.evaluate("[tones.length, window.tunes]") == [0, None]


def test_a_phone_sounds_only_if_it_chose_to(chromium: Browser, site: str, room: Room) -> None:
    with ears_at(chromium, site) as page:
        sit(page, room)
        for wish, heard in (("1", [*GAVEL, *hertz(WIN)]), ("", [])):
            page.evaluate("wish => localStorage.setItem('wish-chime', wish)", wish)
            listen_from(page, room, "/seat", before(WON))
            tell(page, room, WON)
            assert hear(page, len(heard)) == heard


@pytest.mark.parametrize("name", ["drum", "coin", "gavel"])
def test_a_strike_is_heard_and_what_follows_waits_for_it(screen: Page, room: Room, name: str) -> None:
    listen_from(screen, room, "/screen", COUNTS[2])
    screen.evaluate(
        "detail => document.dispatchEvent(new CustomEvent('tune', { detail }))", f'[["{name}",0.4],[440,0.1]]'
    )
    heard = hear(screen, 3)
    assert heard[-1] == 440
    assert len(heard) > 2
    assert screen.evaluate("tones[tones.length - 1][1] - tones[0][1]") == pytest.approx(0.4)
