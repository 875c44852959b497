"""Joining the table: legible QR codes, uncovered plates, one tap to sit down or become host."""

from pathlib import Path

import cv2
import numpy as np
import pytest
from msgspec.structs import replace
from playwright.sync_api import Browser, Page

from firmware.services.looks import Looks
from firmware.storage.people import links_file
from referee.games.catalogue import GAMES
from referee.match import Match
from tests.browser.house import Phone, faults, open_phone, sit_at_computer
from tests.browser.layout import script
from tests.browser.rooms import become_screen, page_of, served
from tests.firmware.board.inputs.matches import bidden
from tests.firmware.playing import match_at
from tests.given import present
from tests.tiers import ALL, slow
from tests.webui.fakes import UpWifi
from tests.webui.laptop import unclaimed_table
from tests.webui.room import ADDRESS, FixedAddress, Room, room_with
from webui.access import joining

TV = Phone(1920)
FRENCH_NIGHT = replace(TV, scheme="dark", language="fr")
LONG = ("Ana", "Maximiliane-Henriett", "Chloé", "Dédé", "Bo", "Guillaume-Alexandre")
CODES = ("EYGGLNA", "HWNMKGR", "PAGZLKB", "SRCDWKM", "FYYPPTC", "TRBMNDW")
CAPITALS = 0.7  # height of capitals as a share of the font size
COVERED = script("covered_plates")
SPILLED = """() => [...document.querySelectorAll(".seats :is(b, .code, small, .small), .askbar p")].filter(
  text => text.scrollWidth > text.clientWidth + 1 && getComputedStyle(text).textOverflow !== "ellipsis"
).map(text => text.innerText)"""

STEPS_CUT = script("steps_cut")


def seated(game: str, names: tuple[str, ...]) -> Match:
    return match_at("2026-01-02T20:00:00+01:00", *names, game=GAMES[game])


@pytest.fixture(autouse=True)
def known_codes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Draw the same codes in every run, so that QR detection doesn't vary."""
    monkeypatch.setattr(links_file, "draw_codes", lambda count, _taken: CODES[:count])
    monkeypatch.setattr(joining, "draw_codes", lambda count, _taken: ("UMTYVJX",) * count)


def screen_of(page: Page, room: Room) -> None:
    page.goto("/screen")
    become_screen(page, room)
    page.goto("/screen")


def hold_still(page: Page) -> None:
    page.route("**/again.js*", lambda route: route.fulfill(body="", content_type="text/javascript"))


def shown_qr_codes(page: Page, scale: float = 0.5) -> set[str]:
    """Read all QR codes of the screen, by default at half its size, like a phone's camera from afar."""
    whole = cv2.imdecode(np.frombuffer(page.screenshot(), np.uint8), cv2.IMREAD_COLOR)
    scaled = cv2.resize(whole, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    _found, texts, _points, _straight = cv2.QRCodeDetectorAruco().detectAndDecodeMulti(scaled)
    return {text for text in texts if text}


@slow("a browser, and pictures that are read as a camera does")
@pytest.mark.parametrize(("game", "names", "phone"), [("coyote", LONG[:2], TV), ("coup", LONG, FRENCH_NIGHT)])
def test_each_free_seat_has_a_legible_qr_code(
    chromium: Browser, tmp_path: Path, game: str, names: tuple[str, ...], phone: Phone
) -> None:
    room = room_with(seated(game, names), tmp_path, looks=Looks(), address=FixedAddress("http://coyote.local/"))
    room.browser().sit(0)
    with page_of(chromium, room, phone) as page:
        screen_of(page, room)
        assert shown_qr_codes(page) == {f"{ADDRESS}seat?code={code}" for code in CODES[1 : len(names)]}
        assert "coyote.local" in page.inner_text(".askbar")
        # texts shown while people join cover no plate
        page.evaluate(
            "() => { const told = document.getElementById('notice'); told.hidden = false; "
            "told.textContent = 'Maximiliane-Henriett has just joined, and sits down at the table.'; }"
        )
        assert page.evaluate(COVERED) == 0
        assert page.evaluate(SPILLED) == []
        assert faults(page) == []


@slow("a browser, and pictures that are read as a camera does")
def test_qr_code_leads_to_the_seats_during_a_match(chromium: Browser, tmp_path: Path) -> None:
    room = room_with(bidden(15), tmp_path, looks=Looks())
    with page_of(chromium, room, FRENCH_NIGHT) as page:
        screen_of(page, room)
        assert shown_qr_codes(page) == {f"{ADDRESS}seat"}
        assert faults(page) == []


@slow("a browser with two pages")
def test_first_phone_becomes_host_with_one_tap(chromium: Browser, tmp_path: Path) -> None:
    table = unclaimed_table(tmp_path, looks=Looks(), address=FixedAddress("http://coyote.local/"))
    with served(table.room) as site, open_phone(chromium, site, TV) as screen:
        hold_still(screen)
        sit_at_computer(screen, table.room.links_file.evening())
        screen.goto("/screen#ask")
        (square,) = shown_qr_codes(screen)
        assert "coyote.local" in screen.inner_text(".top")
        assert faults(screen) == []
        with open_phone(chromium, site) as phone:
            phone.goto(f"/{square.removeprefix(ADDRESS)}")
            assert faults(phone) == []
            phone.get_by_role("button", name="I host the table").click()
            pin = table.room.browser().links.pin
            phone.get_by_text(f"{pin[:4]} {pin[4:]}").wait_for()
            assert faults(phone) == []
        # a local screen then asks automatically, with QR codes of 200 pixels
        screen.goto("/screen")
        sign = screen.locator(".signs b").first
        size = sign.evaluate("each => parseFloat(getComputedStyle(each).fontSize)")
        assert size * CAPITALS >= 200
        assert faults(screen) == []


@slow("a browser")
@pytest.mark.parametrize(("seat", "typed", "name"), [(5, "", LONG[5]), (4, "Zoé", "Zoé")])
def test_joining_by_code_needs_one_field_and_one_tap(
    chromium: Browser, tmp_path: Path, seat: int, typed: str, name: str
) -> None:
    room = room_with(seated("coup", (*LONG[:4], "Seat 5", LONG[5])), tmp_path, looks=Looks())
    with page_of(chromium, room) as page:
        page.goto(f"/seat?code={CODES[seat]}")
        assert ("Between Seat 5 and Ana" in page.inner_text("h1")) == (not typed)
        assert faults(page, has_axe=ALL or bool(typed)) == []
        button = page.get_by_role("button", name="Sit down")
        box = present(button.bounding_box())
        assert box["y"] + box["height"] <= 684
        if typed:
            # an unnamed seat is focused, so that typing needs no tap
            page.keyboard.type(typed)
        button.click()
        page.wait_for_url("**/seat")
        assert room.client.joined == [name]
        assert room.client.match.setup.names[seat] == name


@slow("a browser, and pictures that are read as a camera does")
def test_table_wifi_has_its_own_qr_code(chromium: Browser, tmp_path: Path) -> None:
    wifi = "WIFI:T:WPA;S:coyote-table;P:k7mq2w9xha;;"
    table = unclaimed_table(tmp_path, looks=Looks(), wifi=UpWifi())
    with page_of(chromium, table.room, FRENCH_NIGHT) as page:
        hold_still(page)
        sit_at_computer(page, table.room.links_file.evening())
        page.goto("/screen")
        joined, lead = sorted(shown_qr_codes(page), key=lambda each: each != wifi)
        assert joined == wifi
        assert lead.startswith(f"{ADDRESS}claim?number=")
        assert faults(page) == []
        assert page.evaluate(STEPS_CUT) == []
    room = room_with(seated("coup", LONG), tmp_path / "seats", looks=Looks(), wifi=UpWifi())
    with page_of(chromium, room, FRENCH_NIGHT) as page:
        screen_of(page, room)
        seats = {f"{ADDRESS}seat?code={code}" for code in CODES}
        assert shown_qr_codes(page) == shown_qr_codes(page, 1.0) == {wifi, *seats}
        assert page.evaluate(SPILLED) == []
        assert faults(page, has_axe=ALL) == []
