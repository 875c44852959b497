"""A room's pages in a browser, opened as the host, as a screen, or at a seat."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import pytest
from msgspec import Struct
from playwright.sync_api import Browser, Page, Route

from firmware.services.looks import Looks
from referee.match import Match
from tests.browser.house import SMALL, Phone, faults, open_phone
from tests.browser.layout_rules import page_faults
from tests.given import present
from tests.tiers import ALL
from tests.waiting import until
from tests.webui import room as rooms
from tests.webui.room import HERE, Room, said, serving
from vision.troubles import Problem
from webui.access.viewers import HOST, SCREEN, SEAT, VISITOR, cookie_name

STORE_LAST_EVENT = """const add = EventSource.prototype.addEventListener;
EventSource.prototype.addEventListener = function (kind, hear) {
  add.call(this, kind, (event) => { hear(event); if (kind === "table") window.newest = event.data; });
};"""
"""Stores the table's last event once the page has received it."""


class Site(Struct, frozen=True):
    """A server of a room's pages."""

    home: str

    def address(self, page: str) -> str:
        return f"{self.home}{page}"


@contextmanager
def served(room: Room) -> Iterator[Site]:
    room.client.waits = True
    with serving(room.app) as server:
        yield Site(f"http://{HERE}:{server.port}")


@contextmanager
def page_of(chromium: Browser, room: Room, phone: Phone = SMALL) -> Iterator[Page]:
    with served(room) as site, open_phone(chromium, site, phone) as page:
        yield page


def come_in(page: Page, other: rooms.Browser, *kinds: str) -> None:
    for name in (VISITOR, *(cookie_name(other.links, kind) for kind in kinds)):
        cookie = other.client.get_cookie(name)
        assert cookie is not None
        page.context.add_cookies([{"name": name, "value": cookie.value, "domain": HERE, "path": "/"}])


def enter(page: Page, room: Room) -> None:
    come_in(page, room.browser().host(), HOST)


def become_screen(page: Page, room: Room) -> None:
    host = room.browser().host()
    assert host.send("/screen", "/screen/ask").status_code == 303
    come_in(page, host, HOST, SCREEN)


def give_seat(page: Page, room: Room, seat: int) -> None:
    """Seat a browser without opening the seat's page."""
    come_in(page, room.browser().sit(seat), SEAT)


def sit(page: Page, room: Room, seat: int) -> None:
    give_seat(page, room, seat)
    page.goto("/seat")
    page.wait_for_selector(".phone")


def open_at(page: Page, room: Room, address: str, match: Match) -> None:
    """Open a page at a moment, after all earlier event streams have ended."""
    page.goto("about:blank")
    room.client.match = match
    while room.client._listeners:
        # the server detects closed streams only when it sends an event
        room.client.redraw()
        page.wait_for_timeout(10)
    page.goto(address)


def hold(page: Page, address: str, times: int | None = None) -> list[Route]:
    """Leave requests for an address without an answer; the list grows with each of them."""
    held = list[Route]()

    def keep(route: Route) -> None:
        held.append(route)

    page.route(address, keep, times=times)
    return held


@contextmanager
def delayed_stream(page: Page) -> Iterator[None]:
    held = hold(page, "**/events/**", times=1)
    yield
    while not held:
        page.wait_for_timeout(10)
    for route in held:
        route.continue_()


def trigger_redraw(room: Room, *wrong: str | Problem) -> None:
    """Trigger a redraw, as when a fault begins or ends."""
    room.client.lasting = tuple(said(each) if isinstance(each, str) else each for each in wrong)
    until(lambda: room.client._listeners)
    room.client.tell(said("a notice"))


PHONES = (Phone(320, "light", "fr"), Phone(360, "dark", "en"), Phone(1920, "dark", "fr"))
each_phone = pytest.mark.parametrize(
    "phone", PHONES if ALL else PHONES[:1], ids=lambda phone: f"{phone.width}-{phone.scheme}-{phone.language}"
)


with_artwork = pytest.mark.parametrize("looks", [Looks()], ids=["artwork"])
"""Gives a test the games' own looks, because it checks the layout, or holds Coyote's round button."""


def look_at(page: Page, *addresses: str, sizes: Sequence[tuple[int, int]] = ()) -> list[str]:
    """Check pages, in other sizes if given; of several, axe checks only the first one for each commit."""
    found, usual = list[str](), present(page.viewport_size)
    for place, address in enumerate(addresses):
        response = page.goto(address, wait_until="domcontentloaded")
        if response is None or response.status != 200:
            found.append(f"{address}: {response and response.status}")
        for width, height in sizes:
            page.set_viewport_size({"width": width, "height": height})
            found += [f"{address} {width}: {fault}" for fault in page_faults(page)]
        page.set_viewport_size(usual)
        has_axe = ALL or not place
        if has_axe or not sizes:
            # axe scrolls to the end
            found += now_shown(page, has_axe=has_axe)
    return found


def now_shown(page: Page, *, has_axe: bool = True) -> list[str]:
    page.wait_for_selector("main")
    return [f"{page.url}: {fault}" for fault in faults(page, has_axe=has_axe)]
