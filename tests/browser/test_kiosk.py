"""A screen without keyboard and mouse: it asks by itself, and shows the table once it is confirmed."""

from pathlib import Path

from playwright.sync_api import Browser

from tests.browser.moments import served
from tests.webui.room import match_of, room_with


def test_a_kiosk_asks_by_itself_and_shows_the_table_once_it_is_confirmed(
    chromium: Browser, tmp_path: Path
) -> None:
    room = room_with(match_of(), tmp_path)
    with served(room) as site:
        context = chromium.new_context(base_url=site)
        page = context.new_page()
        page.goto("/screen")
        page.wait_for_selector("main button")
        assert room.browser().links.screens == ()
        page.goto("about:blank")
        page.goto("/screen#ask")
        page.wait_for_selector("main .now")
        [asking] = room.browser().links.screens
        assert not asking.is_in
        assert room.browser().host().send("/host", "/host/screen").status_code == 303
        page.wait_for_selector(".sheet", timeout=30_000)
        # one that was put out asks again, also where nothing in the address says so
        context.clear_cookies()
        page.goto("/screen")
        page.wait_for_selector("main .now")
        context.close()
