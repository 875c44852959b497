"""Sounds and speech of screens and phones at each moment, by the host's and the player's settings."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from firmware.board.outputs.tunes import HOWL, LOSS, WIN, Tune, tune
from firmware.language.catalogues import language as catalogue
from firmware.services.looks import Looks
from firmware.services.table_sound import TableSound
from firmware.table.client import TableSummary
from referee.announcing import announce
from referee.match import Match, moments
from referee.moment_view import view_of
from tests.browser.house import Phone, faults, open_phone, stop_time
from tests.browser.layout import script, small_targets
from tests.browser.moments import match_at
from tests.browser.rooms import Site, become_screen, open_at, sit, with_artwork
from tests.webui.room import Room, room_with
from webui.views.screen_view import layout_of

LISTEN = script("listen")
"""Replaces audio and speech output, and records sounds with their times and sentences with their voices."""
TAP, LOW_TAP = 1175, 392
GAVEL = [220, 1400, 220]  # the audible part of a gavel, before the verdict's tune
WON = match_at("coyote-won")
MATCH = list(moments(WON))[::-1]
CALL = next(match for match in MATCH if tune(match) == HOWL)
TOLD = [(match, view_of(match, catalogue("en"))) for match in MATCH]
COUNTS = [match for match, told in TOLD if layout_of(told) == "count" and tune(match) == LOSS]
"""Tests play the match from its beginning, because a table never announces past events."""
ENGLISH, FRENCH = (("Beth", "en-GB"), ("Alan", "en_US"), ("Claire", "fr-FR")), (("Claire", "fr-FR"),)


def before(match: Match) -> Match:
    assert match.before is not None
    return match.before


@pytest.fixture(name="room")
def _room(tmp_path: Path, looks: Looks) -> Room:
    return room_with(CALL, tmp_path, looks=looks, sound=TableSound(tmp_path, 80))


@contextmanager
def open_recorder(
    chromium: Browser, site: Site, language: str = "en", voices: tuple[tuple[str, str], ...] = ENGLISH
) -> Iterator[Page]:
    with open_phone(chromium, site, Phone(1280, language=language, is_still=False)) as page:
        page.context.add_cookies([{"name": "hints", "value": "off", "url": site.address("/")}])
        page.add_init_script(LISTEN.replace("VOICES", str([list(each) for each in voices])))
        yield page


@pytest.fixture(name="screen")
def _screen(chromium: Browser, site: Site, room: Room) -> Iterator[Page]:
    with open_recorder(chromium, site) as page:
        stop_time(page)
        become_screen(page, room)
        yield page


def choose(room: Room, level: str) -> None:
    host = room.browser().host()
    assert host.send("/host/people", "/host/announcer", level=level).status_code == 303


def choose_on_page(page: Page, level: str) -> None:
    page.goto("/host/people")
    page.click("details:has(form[action='/host/announcer']) > summary")
    page.select_option("select[name=level]", level)
    page.click("form[action='/host/announcer'] button")
    page.wait_for_selector(f"select[name=level] option[value={level}][selected]", state="attached")


def choose_sound(page: Page) -> None:
    page.goto("/host/people")
    page.click("details:has(form[action='/host/sound']) > summary")
    page.click("form[action='/host/sound'] button")


def listen_from(page: Page, room: Room, address: str, match: Match) -> None:
    open_at(page, room, address, match)
    page.wait_for_function("() => window.shown")
    page.clock.run_for(200)


def tell(page: Page, room: Room, match: Match, what: str) -> None:
    count = page.evaluate(f"window.{what} || 0")
    room.client.tell(match)
    page.wait_for_function(f"count => (window.{what} || 0) > count", arg=count)
    page.clock.run_for(200)


def show(page: Page, room: Room, match: Match) -> None:
    room.client.tell(match)
    page.wait_for_selector(f"[data-moment='{match.number}']")
    page.clock.run_for(200)


def heard(page: Page) -> list[int]:
    return page.evaluate("tones.map(([hertz]) => hertz)")


def said(page: Page, count: int) -> list[list[str | float | None]]:
    """Skip running animations; finish this many sentences, and all further ones."""
    page.keyboard.press("a")
    page.clock.run_for(100)
    page.wait_for_function("count => said.length >= count", arg=count)
    page.clock.run_for(100)
    return page.evaluate("said")


def expected(match: Match, level: str, language: str = "en") -> list[str]:
    return [each.text for each in announce(match, catalogue(language), level).spoken]  # type: ignore[arg-type]


def hertz(notes: Tune) -> list[int]:
    return [each for each, _seconds in notes if each]


def taps(match: Match) -> list[int]:
    game = match.setup.game
    row = next(
        row for row in game.shown.board(game.shown.view(match.state, None)).cards if row.faces and row.notes
    )
    return [LOW_TAP if place in row.struck else TAP for place in range(len(row.faces))]


def test_call_and_count_play_their_sounds_in_order(screen: Page, room: Room) -> None:
    choose_sound(screen)
    listen_from(screen, room, "/screen", before(CALL))
    assert heard(screen) == []
    tell(screen, room, CALL, "tunes")
    assert heard(screen) == hertz(HOWL)
    listen_from(screen, room, "/screen", before(COUNTS[0]))
    tell(screen, room, COUNTS[0], "tunes")
    assert heard(screen) == [*taps(COUNTS[0]), *GAVEL, *hertz(LOSS)]
    times, count = screen.evaluate("tones.map(([_, at]) => at)"), len(taps(COUNTS[0]))
    assert times[: count + 1] == pytest.approx([place * times[1] for place in range(count + 1)])


def test_score_page_is_silent_and_phone_sound_is_opt_in(chromium: Browser, site: Site, room: Room) -> None:
    with open_recorder(chromium, site) as page:
        stop_time(page)
        listen_from(page, room, "/", before(COUNTS[3]))
        show(page, room, COUNTS[3])
        assert page.evaluate("[tones.length, window.tunes, said.length]") == [0, None, 0]
        sit(page, room, 1)
        for wish in ("1", ""):
            for name in ("wish-chime", "wish-voice"):
                page.evaluate("([name, wish]) => localStorage.setItem(name, wish)", [name, wish])
            listen_from(page, room, "/seat", before(WON))
            tell(page, room, WON, "tunes")
            texts = expected(WON, "rulings") if wish else []
            assert heard(page) == ([*GAVEL, *hertz(WIN)] if wish else [])
            assert [each[0] for each in said(page, len(texts))] == texts


@with_artwork
@pytest.mark.parametrize(
    ("language", "voices", "referee", "announcer"),
    [
        # two voices of the language, distinguished by name, with their own pitch
        ("en", ENGLISH, ["Alan", 1], ["Beth", 1]),
        ("fr", FRENCH, ["Claire", 0.85], ["Claire", 1.15]),
    ],
)
def test_referee_and_announcer_have_their_own_voices(
    chromium: Browser,
    room: Room,
    site: Site,
    *,
    language: str,
    voices: tuple[tuple[str, str], ...],
    referee: list[str | float],
    announcer: list[str | float],
) -> None:
    with open_recorder(chromium, site, language, voices) as page:
        become_screen(page, room)
        if language == "fr":
            choose_on_page(page, "play")
            assert (faults(page), small_targets(page)) == ([], [])
        choose(room, "play")
        stop_time(page)
        listen_from(page, room, "/screen", before(COUNTS[0]))
        assert page.evaluate("said") == []
        tell(page, room, COUNTS[0], "speeches")
        texts, rulings = (expected(COUNTS[0], level, language) for level in ("play", "rulings"))
        assert said(page, len(texts)) == [
            [text, *(referee if text in rulings else announcer), language] for text in texts
        ]


def test_speech_follows_the_host_setting_and_waits_only_in_a_pause(screen: Page, room: Room) -> None:
    for level, count in (("off", COUNTS[0]), ("rulings", COUNTS[1])):
        choose(room, level)
        listen_from(screen, room, "/screen", before(count))
        show(screen, room, count)
        texts = expected(count, level)
        assert [each[0] for each in said(screen, len(texts))] == texts
        assert bool(texts) == (level == "rulings")
    listen_from(screen, room, "/screen", before(COUNTS[2]))
    room.client.summary = TableSummary(1, is_paused=True)
    show(screen, room, COUNTS[2])
    assert screen.evaluate("[said.length, window.speeches]") == [0, None]
    # the result of a count is spoken even after the next round has started
    room.client.summary = TableSummary(1)
    choose(room, "play")
    listen_from(screen, room, "/screen", before(COUNTS[0]))
    tell(screen, room, COUNTS[0], "speeches")
    later = MATCH[MATCH.index(COUNTS[0]) + 1]
    tell(screen, room, later, "speeches")
    texts = [*expected(COUNTS[0], "play"), *expected(later, "play")]
    assert [each[0] for each in said(screen, len(texts))] == texts


def test_blocked_audio_asks_for_a_tap_and_missing_speech_is_fine(screen: Page, room: Room) -> None:
    choose(room, "rulings")
    screen.add_init_script("window.refuses = true")
    listen_from(screen, room, "/screen", before(CALL))
    assert not screen.is_visible("#sound")
    tell(screen, room, CALL, "speeches")
    screen.wait_for_selector("#sound", state="visible")
    screen.add_init_script("Object.defineProperty(window, 'speechSynthesis', { value: undefined })")
    listen_from(screen, room, "/screen", before(COUNTS[0]))
    show(screen, room, COUNTS[0])
