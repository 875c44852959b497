"""How pages are looked at: in one width, light and language at each commit, in all of them for a release."""

import pytest
from playwright.sync_api import Page

from tests.browser.house import Phone, faults
from tests.tiers import ALL

PHONES = (Phone(320, "light", "fr"), Phone(360, "dark", "en"), Phone(1920, "dark", "fr"))
each_phone = pytest.mark.parametrize(
    "phone", PHONES if ALL else PHONES[:1], ids=lambda phone: f"{phone.width}-{phone.scheme}-{phone.language}"
)


def look_at(page: Page, *addresses: str) -> list[str]:
    """Look at pages; of several, axe looks at the first one at each commit."""
    found: list[str] = []
    for place, address in enumerate(addresses):
        response = page.goto(address, wait_until="domcontentloaded")
        if response is None or response.status != 200:
            found.append(f"{address}: {response and response.status}")
        found += now_shown(page, has_axe=ALL or not place)
    return found


def now_shown(page: Page, *, has_axe: bool = True) -> list[str]:
    page.wait_for_selector("main")
    return [f"{page.url}: {fault}" for fault in faults(page, has_axe=has_axe)]
