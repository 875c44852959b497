"""The host's pages of wired devices: board, buttons, loudspeakers, power, club; and a kiosk."""

from collections.abc import Callable
from pathlib import Path

import pytest
from gpiozero.pins.mock import MockFactory  # type: ignore[import-untyped]
from playwright.sync_api import Browser, Page

from firmware.board.inputs.buttons import PinProbe
from firmware.board.inputs.usb_buttons import UsbButtons, UsbReader
from firmware.integrations.club_messages import CallAnswer
from firmware.services.own_club import ClubLinkStatus
from firmware.services.table_board import TableBoard
from firmware.services.usb_learning import UsbLearning
from firmware.storage.wired_board import KEPT_BUTTONS, WiredBoard
from firmware.table.effects import ShowLamp
from hardware.board.lamps import Lamp
from hardware.board.usb_box import UsbBox
from hardware.board.uses import known_pins
from tests.browser.house import Phone, faults, open_phone
from tests.browser.layout import small_targets
from tests.browser.rooms import enter, page_of, served
from tests.firmware.board.inputs.piped_inputs import PipedInputs
from tests.firmware.recording_client import RecordingClient
from tests.hardware.board.own_boards import BOARDS
from tests.tiers import ALL, slow
from tests.webui.fakes import CallRecorder, FakePower, FakeSound
from tests.webui.room import match_of, room_with

PRESSED = 200  # duration of a button press in milliseconds, with its bounce
GONE = Phone(misses=("ERR_INTERNET_DISCONNECTED",))
BOX = UsbBox("DragonRise Inc. Generic USB Joystick", "usb-0000:01:00.0-1.2/input0")
FRIDAYS = ClubLinkStatus(
    "Fridays", "Table 8", is_connected=True, waiting=3, calls=(CallAnswer("0" * 16, "coming", "At once."),)
)

each_scheme = pytest.mark.parametrize("scheme", ["light", "dark"] if ALL else ["dark"])


def wrong(page: Page, *, has_axe: bool = ALL) -> list[str]:
    """Return accessibility and layout faults on a phone, and for a release on a desktop."""
    found = list[str]()
    for width in (360, 1280) if ALL else (360,):
        page.set_viewport_size({"width": width, "height": 800})
        found += [*faults(page, has_axe=has_axe), *small_targets(page)]
    return found


@slow("a board that is wired, as its page shows it")
@each_scheme
def test_button_press_shows_at_once_and_mismatch_is_named(
    chromium: Browser, tmp_path: Path, scheme: str
) -> None:
    factory = MockFactory()
    probe = PinProbe(known_pins(BOARDS), factory)
    client = TableBoard(tmp_path, WiredBoard(), BOARDS, RecordingClient(), probe)
    room = room_with(match_of(), tmp_path, board=client)
    with page_of(chromium, room, Phone(scheme=scheme)) as page:
        enter(page, room)
        page.goto("/host/board")
        assert wrong(page) == []
        page.get_by_role("button", name="This one: full").click()
        page.wait_for_selector("[data-each]")
        for gpio in (17, 12):
            factory.pin(gpio).drive_low()
            # a press must last
            page.wait_for_timeout(PRESSED)
            factory.pin(gpio).drive_high()
        page.get_by_text("GPIO12 was pressed").wait_for()
        assert page.locator("[data-part=wired] .lamp.green").count() == 1
        assert wrong(page, has_axe=True) == []
    probe.close()


@each_scheme
def test_led_test_repeats_until_confirmed_or_skipped(chromium: Browser, tmp_path: Path, scheme: str) -> None:
    table = RecordingClient()
    client = TableBoard(tmp_path, WiredBoard("minimal", "confirmed"), BOARDS, table)
    room = room_with(match_of(), tmp_path, board=client)
    with page_of(chromium, room, Phone(scheme=scheme)) as page:
        enter(page, room)
        page.goto("/host/board")
        for tapped, seen in (
            ("Test the lamps one by one", "Do you see it?"),
            ("No", "GPIO22, pin 15 of the header"),
            ("Continue without it", "Not in use:"),
        ):
            page.get_by_role("button", name=tapped).click()
            page.get_by_text(seen).wait_for()
            assert wrong(page, has_axe=tapped == "No") == []
        assert (table.done[0], table.done[-1]) == (ShowLamp(Lamp("attention")), ShowLamp(None))


@slow("buttons by USB, as their page shows them")
@each_scheme
def test_usb_button_presses_are_assigned_seat_by_seat(chromium: Browser, tmp_path: Path, scheme: str) -> None:
    inputs = PipedInputs()
    buttons = UsbButtons(UsbReader((), lambda _edge: None, lambda _box, _wrong: None, inputs))
    room = room_with(match_of(), tmp_path, usb=UsbLearning(tmp_path, buttons.learn))
    box = inputs.plug_in(BOX)
    with page_of(chromium, room, Phone(scheme=scheme)) as page:
        enter(page, room)
        page.goto("/host/usb-buttons")
        assert wrong(page) == []
        page.get_by_role("button", name="Press the seats' buttons").click()
        for seat in (1, 2, 3):
            page.get_by_text(f"Press the button of seat {seat}.").wait_for()
            box.press(1.0, 287 + seat)
            box.release(1.1, 287 + seat)
        page.get_by_text("Press the button of seat 4.").wait_for()
        assert page.locator("[data-part=known] .lamp.green").count() == 3
        assert wrong(page, has_axe=True) == []
        with page.expect_navigation():
            page.get_by_role("button", name="Done").click()
    buttons.close()
    assert [button.code for button in KEPT_BUTTONS.read(tmp_path)] == [288, 289, 290]


def test_shutdown_and_new_start_need_confirmation_and_show_their_progress(
    chromium: Browser, tmp_path: Path
) -> None:
    room = room_with(match_of(), tmp_path, power=FakePower(), sound=FakeSound())
    with page_of(chromium, room, GONE) as page:
        page.clock.install()
        enter(page, room)
        confirm_and_lose(page, 0)
        assert page.locator("#gone").is_visible()
        page.context.set_offline(offline=False)
        pass_until(page, page.locator("#gone").is_hidden)
        confirm_and_lose(page, -1)
        page.context.set_offline(offline=False)
        pass_until(page, lambda: page.url.endswith("/host"))


def confirm_and_lose(page: Page, place: int) -> None:
    """Choose from the page of the power, until the table can't be reached any more."""
    page.goto("/host/power")
    page.locator("summary").nth(place).click()
    assert wrong(page) == []
    page.locator(".asks button").nth(place).click()
    page.wait_for_selector("#going")
    assert wrong(page, has_axe=True) == []
    page.context.set_offline(offline=True)
    pass_until(page, lambda: bool(page.locator("#going[data-gone]").count()))


def pass_until(page: Page, is_so: Callable[[], bool]) -> None:
    while not is_so():
        page.clock.run_for(1000)


@slow("two devices follow what one of them does")
def test_joining_and_leaving_a_club_updates_other_devices(chromium: Browser, tmp_path: Path) -> None:
    joined = [ClubLinkStatus()]
    club = CallRecorder(status=lambda: ClubLinkStatus() if ("leave",) in club.asked else joined[-1])
    club.answers["join"] = "The club doesn't know this code."
    room = room_with(match_of(), tmp_path, club=club)
    refused = Phone(misses=("409",))
    with served(room) as site, open_phone(chromium, site, refused) as page, open_phone(chromium, site) as other:
        for each in (page, other):
            enter(each, room)
            each.goto("/host/club")
        page.get_by_label("Address").fill("club.local")
        # an automatic refresh doesn't remove it
        with page.expect_response("**/host/club"):
            room.client.tell(room.client.match)
        assert wrong(page) == []
        page.get_by_label("Code").fill("WRONG")
        page.get_by_role("button", name="Join").click()
        page.get_by_text("doesn't know this code").wait_for()
        assert page.get_by_label("Address").input_value() == "club.local"
        club.answers.clear()
        joined.append(FRIDAYS)
        page.get_by_label("Code").fill("ABCD")
        page.get_by_role("button", name="Join").click()
        page.get_by_text("Fridays · Table 8").wait_for()
        assert wrong(page, has_axe=True) == []
        room.client.tell(room.client.match)
        other.get_by_role("button", name="Director, please").wait_for()
        page.locator("summary", has_text="Leave").click()
        page.get_by_role("button", name="Leave the club").click()
        page.get_by_label("Address").wait_for()
    assert club.asked == [("join", "club.local", "WRONG"), ("join", "club.local", "ABCD"), ("leave",)]


@slow("it looks every few seconds whether it is confirmed")
def test_kiosk_requests_and_shows_the_table_once_confirmed(chromium: Browser, tmp_path: Path) -> None:
    room = room_with(match_of(), tmp_path)
    with page_of(chromium, room) as page:
        page.goto("/screen")
        page.wait_for_selector("main button")
        assert room.browser().links.screens == ()
        page.goto("about:blank")
        page.goto("/screen#ask")
        page.wait_for_selector("main .pairing")
        [asking] = room.browser().links.screens
        assert not asking.is_in
        assert room.browser().host().send("/host", "/host/screen").status_code == 303
        page.wait_for_selector("#part .sheet")
        # a removed kiosk asks again, even without a request in the address
        page.context.clear_cookies()
        page.goto("/screen")
        page.wait_for_selector("main .pairing")
