"""What a screen and a phone say aloud: by the host's choice or one's own, in two voices, never as they load."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from firmware.language.catalogues import language as catalogue
from referee.announcing import announce
from referee.match import Match
from referee.telling import listener_at
from tests.browser.house import faults
from tests.browser.layout import small_targets
from tests.browser.moments import served
from tests.browser.test_sounds import CALL, COUNTS, become_screen, before, ears_at, listen_from, settle, sit
from tests.webui.room import FakeStatus, Room, room_with
from webui.drawing.screen_view import layout_of

SPEAK = """
window.said = [];
window.hushed = 0;
window.SpeechSynthesisUtterance = class { constructor(text) { this.text = text; this.pitch = 1; } };
const voices = VOICES.map(([name, lang]) => ({ name, lang, localService: true }));
Object.defineProperty(window, "speechSynthesis", { value: {
  getVoices: () => voices,
  speak(said) {
    window.said.push([said.text, said.voice?.name ?? null, said.pitch, said.lang]);
    if (window.refuses) { setTimeout(() => said.onerror({ error: "not-allowed" })); return; }
    if (!window.holds) setTimeout(() => said.onend());
  },
  cancel() { window.hushed += 1; },
} });
document.addEventListener("drawn", () => { window.shown = (window.shown || 0) + 1; });
document.addEventListener("speech", () => { window.speeches = (window.speeches || 0) + 1; });
"""
"""A mouth in place of the browser's: notes what it is to say, and in which voice."""
ENGLISH, FRENCH = (("Beth", "en-GB"), ("Alan", "en_US"), ("Claire", "fr-FR")), (("Claire", "fr-FR"),)


@pytest.fixture(name="room")
def _room(tmp_path: Path) -> Room:
    return room_with(CALL, tmp_path)


@pytest.fixture(name="site")
def _site(room: Room) -> Iterator[str]:
    with served(room) as site:
        yield site


@contextmanager
def mouth_at(
    chromium: Browser, site: str, voices: tuple[tuple[str, str], ...] = ENGLISH, language: str = "en"
) -> Iterator[Page]:
    context = chromium.new_context(base_url=site, locale=language)
    context.add_cookies([{"name": "hints", "value": "off", "url": site}])
    page = context.new_page()
    page.add_init_script(SPEAK.replace("VOICES", str([list(each) for each in voices])))
    yield page
    context.close()


def choose(page: Page, level: str) -> None:
    page.goto("/host/people")
    page.select_option("select[name=level]", level)
    page.click("form[action='/host/announcer'] button")
    page.wait_for_selector(f"select[name=level] option[value={level}][selected]", state="attached")


def tell(page: Page, room: Room, match: Match) -> None:
    """Tell a moment, and wait until its sentences have come."""
    count = page.evaluate("window.speeches || 0")
    room.door.tell(match)
    page.wait_for_function("count => (window.speeches || 0) > count", arg=count)


def hear(page: Page, least: int) -> list[list[str | float | None]]:
    page.wait_for_function("least => said.length >= least", arg=least)
    settle(page)
    return page.evaluate("said")


def expected(match: Match, level: str, language: str = "en") -> list[str]:
    listener = listener_at(match.setup, catalogue(language))
    return [each.text for each in announce(listener, match, level).spoken]  # type: ignore[arg-type]


def test_rulings_are_the_referees_and_the_play_the_announcers(chromium: Browser, room: Room, site: str) -> None:
    with mouth_at(chromium, site) as page:
        become_screen(page, room)
        choose(page, "play")
        assert faults(page) == []
        assert small_targets(page) == []
        listen_from(page, room, "/screen", before(COUNTS[0]))
        assert page.evaluate("said") == []
        tell(page, room, COUNTS[0])
        texts = expected(COUNTS[0], "play")
        heard = hear(page, len(texts))
        assert [each[0] for each in heard] == texts
        referees = expected(COUNTS[0], "rulings")
        # two voices of the language, told apart by their names, with their own pitch
        assert {each[1] for each in heard if each[0] in referees} == {"Alan"}
        assert {each[1] for each in heard if each[0] not in referees} == {"Beth"}
        assert {each[2] for each in heard} == {1}


def test_one_voice_alone_is_told_apart_by_its_pitch_and_the_language_is_the_screens(
    chromium: Browser, room: Room, site: str
) -> None:
    with mouth_at(chromium, site, FRENCH, "fr") as page:
        become_screen(page, room)
        choose(page, "play")
        listen_from(page, room, "/screen", before(COUNTS[1]))
        tell(page, room, COUNTS[1])
        texts = expected(COUNTS[1], "play", "fr")
        heard = hear(page, len(texts))
        assert [each[0] for each in heard] == texts
        assert {each[1] for each in heard} == {"Claire"}
        assert {each[2] for each in heard} == {0.85, 1.15}
        assert {each[3] for each in heard} == {"fr"}


@pytest.mark.parametrize("level", ["off", "rulings"])
def test_no_more_is_said_than_the_host_chose(chromium: Browser, room: Room, site: str, level: str) -> None:
    with mouth_at(chromium, site) as page:
        become_screen(page, room)
        choose(page, level)
        listen_from(page, room, "/screen", before(COUNTS[2]))
        room.door.tell(COUNTS[2])
        page.wait_for_selector(f"[data-moment='{COUNTS[2].number}']")
        texts = expected(COUNTS[2], level)
        assert [each[0] for each in hear(page, len(texts))] == texts
        assert bool(texts) == (level == "rulings")


def test_a_call_interrupts_what_is_being_said(chromium: Browser, room: Room, site: str) -> None:
    with mouth_at(chromium, site) as page:
        become_screen(page, room)
        choose(page, "play")
        page.add_init_script("window.holds = true")
        listen_from(page, room, "/screen", before(before(CALL)))
        tell(page, room, before(CALL))
        hear(page, 1)
        tell(page, room, CALL)
        page.wait_for_function("() => hushed === 1")
        assert hear(page, 2)[-1][0] == expected(CALL, "play")[0]


def test_a_count_is_seen_before_it_is_told(chromium: Browser, room: Room, site: str) -> None:
    with mouth_at(chromium, site) as page:
        become_screen(page, room)
        choose(page, "rulings")
        listen_from(page, room, "/screen", before(COUNTS[3]))
        assert layout_of(COUNTS[3], None) == "count"
        page.evaluate("""() => document.addEventListener("scene", () => {
          window.early = said.length;
          const skip = () => dispatchEvent(new KeyboardEvent("keydown", { key: "a" }));
          setTimeout(() => { window.later = said.length; skip(); }, 300);
        })""")
        tell(page, room, COUNTS[3])
        hear(page, 1)
        assert page.evaluate("[window.early, window.later]") == [0, 0]


def test_while_the_table_pauses_nothing_is_said(chromium: Browser, room: Room, site: str) -> None:
    with mouth_at(chromium, site) as page:
        become_screen(page, room)
        choose(page, "play")
        listen_from(page, room, "/screen", before(COUNTS[0]))
        room.door.kept = FakeStatus(is_paused=True)
        room.door.tell(COUNTS[0])
        page.wait_for_selector(f"[data-moment='{COUNTS[0].number}']")
        settle(page)
        assert page.evaluate("[said.length, window.speeches]") == [0, None]


def test_a_browser_that_wants_a_tap_asks_for_it(chromium: Browser, room: Room, site: str) -> None:
    with mouth_at(chromium, site) as page:
        become_screen(page, room)
        choose(page, "rulings")
        page.add_init_script("window.refuses = true")
        listen_from(page, room, "/screen", before(CALL))
        assert not page.is_visible("#sound")
        tell(page, room, CALL)
        page.wait_for_selector("#sound", state="visible")


def test_a_phone_speaks_only_if_it_chose_to_whatever_the_screen_does(
    chromium: Browser, room: Room, site: str
) -> None:
    with mouth_at(chromium, site) as page:
        sit(page, room)
        for wish, match in (("1", CALL), ("", COUNTS[0])):
            page.evaluate("wish => localStorage.setItem('wish-voice', wish)", wish)
            listen_from(page, room, "/seat", before(match))
            tell(page, room, match)
            texts = expected(match, "rulings") if wish else []
            assert [each[0] for each in hear(page, len(texts))] == texts


def test_a_browser_that_cant_speak_shows_the_page(chromium: Browser, room: Room, site: str) -> None:
    with ears_at(chromium, site) as page:
        page.add_init_script("Object.defineProperty(window, 'speechSynthesis', {})")
        become_screen(page, room)
        choose(page, "play")
        complaints: list[str] = []
        page.on("pageerror", lambda error: complaints.append(str(error)))
        listen_from(page, room, "/screen", before(CALL))
        room.door.tell(CALL)
        page.wait_for_selector(f"[data-moment='{CALL.number}']")
        settle(page)
        assert complaints == []
