"""A room's pages in a browser: they are served, and people come in as the host, as a screen, or at a seat."""

from collections.abc import Iterator
from contextlib import contextmanager

from msgspec import Struct
from playwright.sync_api import Browser, Page

from tests.browser.house import SMALL, Phone, open_phone
from tests.webui.room import Room, WaitingFeed
from webui.server.serving import serve


class Site(Struct, frozen=True):
    """Where a room's pages are served."""

    home: str

    def address(self, page: str) -> str:
        """Give a page's whole address."""
        return f"{self.home}{page}"


@contextmanager
def served(room: Room) -> Iterator[Site]:
    """Serve a room's pages."""
    room.door.feed = WaitingFeed
    server = serve(room.app, "127.0.0.1", 0)
    try:
        yield Site(f"http://127.0.0.1:{server.port}")
    finally:
        server.shutdown()
        server.server_close()


@contextmanager
def page_of(chromium: Browser, room: Room, phone: Phone = SMALL) -> Iterator[Page]:
    """Serve a room's pages to one phone."""
    with served(room) as site, open_phone(chromium, site, phone) as page:
        yield page


def enter(page: Page, room: Room) -> None:
    """Become the host."""
    page.goto("/host")
    page.fill("input[name=pin]", room.browser().links.pin)
    page.click("main button")
    page.wait_for_selector(".room")


def become_screen(page: Page, room: Room) -> None:
    """Let the device be a screen, as the host's own."""
    enter(page, room)
    page.goto("/screen")
    page.click("main button")
    page.wait_for_selector(".sheet")


def sit(page: Page, room: Room, seat: int) -> None:
    """Take a seat, unless the phone has it already."""
    page.goto(f"/seat?code={room.browser().links.codes[seat]}")
    taking = page.locator("form[action='/seat/take'] button")
    if taking.count():
        taking.first.click()
    page.wait_for_selector(".phone")
