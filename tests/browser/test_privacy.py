"""What is kept, on a host's phone; and an evening that is forgotten on a table that runs."""

from pathlib import Path
from typing import get_args

import pytest
from playwright.sync_api import Browser

from tests.browser.evening import begin, newest_match
from tests.browser.house import House, Phone, become_host, faults, open_phone
from tests.browser.layout import small_targets
from webui.doors.privacy import KeptKind

HOME = "/host/privacy"


@pytest.mark.parametrize(("language", "scheme"), [("en", "light"), ("fr", "dark")])
def test_what_is_kept_is_told_on_a_phone(chromium: Browser, house: House, language: str, scheme: str) -> None:
    with open_phone(chromium, house, Phone(language=language, scheme=scheme)) as page:
        become_host(page, house)
        page.goto("/host/more")
        page.click(f"a[href='{HOME}']")
        assert page.locator(".kept li").count() == len(get_args(KeptKind))
        # nobody outside is told, and no clips are kept, unless the host wants that
        assert page.locator(".kept .tag").count() == 6
        if page.locator(".sure > summary").count():
            page.locator(".sure > summary").first.click()
        assert faults(page) == []
        assert small_targets(page) == []


def test_an_evening_is_forgotten_and_the_table_is_back_by_itself(chromium: Browser, tmp_path: Path) -> None:
    table = House(tmp_path)
    data = tmp_path / "data" / "coyote-table"
    try:
        with open_phone(chromium, table, Phone(misses=("404",))) as page:
            become_host(page, table)
            begin(page, "coyote", ("Wilhelmina", "Bo"), edition="kidult", boxes="1")
            newest_match(page)
            page.goto(HOME)
            page.locator(".sure > summary").first.click()
            page.locator(".sure .say").first.click()
            # the page looks again by itself until the table is there
            page.get_by_text("No evening is kept.").wait_for()
            page.goto("/history")
            assert page.locator(".match a").count() == 0
    finally:
        table.close()
    files = [path for path in data.rglob("*") if path.is_file()]
    assert data / "links.json" in files
    assert [path.name for path in files if b"Wilhelmina" in path.read_bytes()] == []
