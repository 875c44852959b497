"""All pages, and how they are looked at; `{answer}` and `{match}` stand for one that there is."""

from collections.abc import Iterable

import pytest
from playwright.sync_api import Page

from tests.browser.house import Phone, faults
from tests.tiers import ALL

OPEN = ("/", "/join", "/seat", "/host", "/history", "/rules", "/rules/why", "/statistics", "/why", "/twin")
SEAT = ("/seat", "/seat/rules", "/twin")
NEW = tuple(f"/host/new?game={game}" for game in ("coyote", "coup", "coup-d-etat", "plenty-coups", "ogallala"))
HOST = (
    "/host",
    "/host/more",
    "/host/people",
    "/host/people/1",
    "/welcome",
    "/host/check",
    "/host/table",
    "/host/teach",
    "/host/settings",
    "/host/backup",
    "/host/privacy",
    *NEW,
)
KEPT = (
    "/why/{answer}",
    "/history/{match}",
    "/history/{match}/decisions",
    "/history/{match}/film",
    "/history/{match}/film?at=3",
    "/history/{match}/film/what-if/2",
)
HOST_KEPT = ("/host/correct/{answer}", "/history/delete", "/history/delete?player=Bo")
PHONES = (Phone(320, "light", "fr"), Phone(360, "dark", "en"), Phone(1920, "dark", "fr"))
CENTRAL = 2
"""Of a list of pages, the first ones are looked at by axe at each commit."""

each_phone = pytest.mark.parametrize(
    "phone", PHONES if ALL else PHONES[:1], ids=lambda phone: f"{phone.width}-{phone.scheme}-{phone.language}"
)


def look_at(page: Page, addresses: Iterable[str]) -> list[str]:
    """Look at pages."""
    found: list[str] = []
    for place, address in enumerate(addresses):
        response = page.goto(address, wait_until="domcontentloaded")
        if response is None or response.status != 200:
            found.append(f"{address}: {response and response.status}")
        found += now_shown(page, has_axe=ALL or place < CENTRAL)
    return found


def now_shown(page: Page, *, has_axe: bool = True) -> list[str]:
    """Look at what a page shows now."""
    page.wait_for_selector("main")
    return [f"{page.url}: {fault}" for fault in faults(page, has_axe=has_axe)]


def weight_of(page: Page, address: str) -> float:
    """Tell how many bytes come by the wire at a first look."""
    weighed = page.context.new_cdp_session(page)
    weighed.send("Network.enable")
    bytes_each: list[float] = []
    weighed.on("Network.loadingFinished", lambda told: bytes_each.append(told["encodedDataLength"]))
    page.goto(address, wait_until="load")
    assert len(bytes_each) >= 3
    return sum(bytes_each)
