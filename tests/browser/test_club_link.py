"""The host's page of the club, as a phone shows it: one joins there, and it follows what others do."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.browser.house import faults
from tests.browser.layout import small_targets
from tests.browser.moments import host_phone, served
from tests.webui.room import match_of, room_with
from webui.doors.club_link import ClubStatus, DirectorCall

FRIDAYS = ClubStatus(
    "Fridays", "Table 8", is_connected=True, waiting=3, calls=(DirectorCall("coming", "At once."),)
)


class Link:
    """A link to a club of which one code is known."""

    def __init__(self) -> None:
        """Be in no club."""
        self.joined = ClubStatus()

    def status(self) -> ClubStatus:
        """Tell how the link stands."""
        return self.joined

    def join(self, address: str, code: str) -> str | None:
        """Join by the right address and code."""
        if (address, code) != ("club.local", "ABCD"):
            return "The club doesn't know this code."
        self.joined = FRIDAYS
        return None

    def leave(self) -> None:
        """Leave."""
        self.joined = ClubStatus()

    def call_director(self, _who: str, _why: str) -> str | None:
        """Refuse nothing: no director is called here."""
        return None


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_table_joins_its_club_and_leaves_it(chromium: Browser, tmp_path: Path, scheme: str) -> None:
    room = room_with(match_of(), tmp_path, club=Link())
    with served(room) as site:
        page = host_phone(chromium, room, site, scheme)
        page.goto("/host/club")
        page.get_by_label("Address").fill("club.local")
        # what the page asks for by itself doesn't take it away
        with page.expect_response("**/host/club"):
            room.door.tell(room.door.match)
        assert (faults(page), small_targets(page)) == ([], [])
        page.get_by_label("Code").fill("WRONG")
        page.get_by_role("button", name="Join").click()
        page.get_by_text("doesn't know this code").wait_for()
        assert page.get_by_label("Address").input_value() == "club.local"
        page.get_by_label("Code").fill("ABCD")
        page.get_by_role("button", name="Join").click()
        page.get_by_text("Fridays · Table 8").wait_for()
        assert (faults(page), small_targets(page)) == ([], [])
        page.locator("summary", has_text="Leave").click()
        page.get_by_role("button", name="Leave the club").click()
        page.get_by_label("Address").wait_for()
        page.context.close()


def test_the_page_follows_when_another_device_joins_a_club(chromium: Browser, tmp_path: Path) -> None:
    link = Link()
    room = room_with(match_of(), tmp_path, club=link)
    with served(room) as site:
        page = host_phone(chromium, room, site, "light")
        page.goto("/host/club")
        page.get_by_label("Address").wait_for()
        link.joined = FRIDAYS
        page.get_by_text("Fridays · Table 8").wait_for()
        page.get_by_role("button", name="Director, please").wait_for()
        page.context.close()
