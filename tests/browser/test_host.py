"""Joining by links and codes, and the host's controls within reach of a thumb."""

from collections import Counter
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, Route

from referee.match import standing_answers
from tests.browser.house import Phone, open_phone, say_number
from tests.browser.layout import covered, expect_at_once, small_targets
from tests.browser.layout_rules import NARROW, TOO_WIDE, page_faults
from tests.browser.rooms import Site, enter, sit, trigger_redraw, with_artwork
from tests.given import present
from tests.tiers import tiered
from tests.webui.matches import SHOWN, reveal_cards
from tests.webui.room import Room, match_of

pytestmark = with_artwork


@pytest.fixture
def host(chromium: Browser, site: Site, room: Room) -> Iterator[Page]:
    with open_phone(chromium, site) as page:
        enter(page, room)
        yield page


def test_host_sees_joins_live_and_removal_needs_confirmation(host: Page, room: Room) -> None:
    host.goto("/host/people")
    seat, used = host.locator("#seat-1"), room.browser().links.codes[1]
    assert seat.get_by_text("no phone yet").is_visible()
    assert host.evaluate("document.documentElement.scrollHeight <= innerHeight")
    seat.get_by_role("link").click()
    assert host.locator(".code").inner_text() == used
    room.browser().sit(1)
    trigger_redraw(room)
    host.get_by_text("Bo's phone is here.").wait_for()
    assert host.get_by_text("Remove phone").count() == 1
    host.get_by_text("A code for one more phone").click()
    assert host.locator(".code").inner_text() == room.browser().links.codes[1] != used
    host.get_by_role("link", name="Next: Chloé").click()
    assert host.locator(".code").inner_text() == room.browser().links.codes[2]
    host.goto("/host")
    row = host.locator(".people li", has_text="Bo")
    row.locator("summary").click()
    row.get_by_role("button", name="Remove the phone").click()
    row.get_by_role("link", name="Code of Bo").wait_for()


@pytest.mark.parametrize("code", tiered(["fr"], ["en", "fr"]))
def test_host_corrects_counted_cards_by_tapping(chromium: Browser, site: Site, room: Room, code: str) -> None:
    room.client.match = reveal_cards(match_of())
    counted = standing_answers(room.client.match)[-1]
    with open_phone(chromium, site, Phone(NARROW, language=code, height=640)) as page:
        enter(page, room)
        page.goto(f"/host/correct/{counted.heard_at}")
        confirm, picked = page.locator(".bottom .say"), page.locator(".picked button")
        expect_at_once(page, ".bottom .say")
        assert covered(page, ".picked button, .pile label, .bottom > *") == []
        assert picked.count() == len(SHOWN)
        picked.first.click()
        assert confirm.is_disabled()
        page.locator(".pile label").nth(1).click()
        assert page_faults(page) == []
        confirm.click()
        page.wait_for_url("**/host")
    cards = Counter(standing_answers(room.client.match)[-1].answer.value)
    assert cards - Counter(SHOWN) == Counter(["15"])


def test_transferred_seat_leaves_the_phone_and_shows_its_code(
    chromium: Browser, site: Site, room: Room
) -> None:
    with open_phone(chromium, site) as other, open_phone(chromium, site) as same:
        for page in (other, same):
            sit(page, room, 1)
        ended: list[str] = []
        # whichever is first: the table ends the stream, or the page closes it
        for outcome in ("requestfinished", "requestfailed"):
            same.on(outcome, lambda request: ended.append(request.url))

        def come_late(route: Route) -> None:
            # the page learns that its seat is gone before it shows the requested page
            answer = route.fetch(max_redirects=0)
            trigger_redraw(room)
            while not any("/events/seat" in url for url in ended):
                same.wait_for_timeout(20)
            route.fulfill(response=answer)

        same.route("**/seat/hand-over", come_late)
        same.click("#peek > summary")
        same.click("#peek .last > summary")
        same.click("#peek .last button")
        assert same.locator("p.code").inner_text() == room.browser().links.codes[1]
        # the other phone of the same seat is notified at the next moment, or within seconds
        other.get_by_label("Seat code").wait_for()


def test_host_controls_are_above_the_fold_and_whole_when_zoomed(
    chromium: Browser, site: Site, room: Room
) -> None:
    with open_phone(chromium, site, Phone(language="fr")) as page:
        enter(page, room)
        page.goto("/host")
        for part in (".health li:last-child", ".people li:nth-child(4)", ".bottom .say", ".bottom a", ".more"):
            expect_at_once(page, part)
        # 200 percent
        page.set_viewport_size({"width": 195, "height": 422})
        for each in page.locator(".bottom > *, .health li").all():
            assert present(each.bounding_box())["width"] > 150
        page.goto("/")
        assert page.evaluate(TOO_WIDE) <= 0


def test_two_taps_correct_an_answer_on_all_devices(
    chromium: Browser, site: Site, host: Page, room: Room
) -> None:
    with open_phone(chromium, site) as seat:
        host.goto("/host")
        sit(seat, room, 0)
        seat.locator("button[name=option]").first.click()
        host.locator(".answers .choice").first.wait_for()
        seat.goto("/seat")
        say_number(seat, 3)
        host.locator(".answers").get_by_text("Ana: 3").wait_for()
        host.locator(".answers .choice").first.click()
        host.locator("button[name=number][value='5']").click()
        host.locator(".answers").get_by_text("Ana: 5").wait_for()
        assert small_targets(host) == []
