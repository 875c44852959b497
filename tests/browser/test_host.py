"""How people come in, by links, codes and the PIN; and the host's control room in a thumb's reach."""

import pytest
from playwright.sync_api import Browser, Route

from tests.browser.evening import begin, begin_duel, hand_over, say_number
from tests.browser.house import House, Phone, become_host, open_phone, take_seat
from tests.browser.layout import covered, is_seen_at_once, small_targets
from tests.tiers import ALL

REFUSED = ("403",)
HOST = Phone(misses=("404",))
"""The simulated table, where bots are sent away, still asks for cards of the match before."""
PARTS = ".health a, .people li, .answers li, .bottom .choice, .bottom .say, .strip > *"

either_way = pytest.mark.parametrize("has_script", [True, False])


@either_way
def test_a_seat_is_taken_by_its_address_once_one_agrees_or_by_typing_its_code(
    chromium: Browser, house: House, has_script: bool
) -> None:
    with open_phone(chromium, house, Phone(has_script=has_script, misses=REFUSED)) as page:
        page.goto("/join")
        assert page.locator(".qr svg").is_visible()
        page.goto("/")
        assert page.locator("form").count() == 0
        page.get_by_role("link", name="My seat").click()
        page.get_by_label("Seat code").fill("????")
        page.keyboard.press("Enter")
        page.get_by_role("alert").wait_for()
        page.get_by_label("Seat code").fill(house.codes[0].lower())
        page.keyboard.press("Enter")
        page.wait_for_selector("#part")
        assert page.locator(".who").inner_text().startswith(f"You are {house.names[0]}.")
        page.goto("/join")
        assert page.get_by_label("Seat code").count() == 0
    with open_phone(chromium, house, Phone(has_script=has_script)) as page:
        page.goto(f"/seat?code={house.codes[1]}")
        assert page.input_value("input[name=code]") == house.codes[1]
        assert page.locator("#part").count() == 0
        page.get_by_role("button", name="Take a seat").click()
        page.wait_for_selector("#part")
        assert page.locator(".who").inner_text().startswith(f"You are {house.names[1]}.")


def test_the_host_sees_who_joins_without_a_tap_and_puts_out_only_when_that_is_said_twice(
    chromium: Browser, house: House
) -> None:
    with open_phone(chromium, house, HOST) as host, open_phone(chromium, house) as phone:
        # phones of other tests have been let in by other names
        begin_duel(host, house, ("Odile", "Ilse"))
        host.goto("/host/people")
        seat, used = host.locator("#seat-1"), house.codes[1]
        assert seat.get_by_text("no phone yet").is_visible()
        seat.get_by_role("link", name="Code of Ilse").click()
        assert host.locator(".code").inner_text() == used
        take_seat(phone, house, 1)
        host.get_by_text("Ilse's phone is here.").wait_for()
        host.get_by_text("A code for one more phone").click()
        assert host.locator(".code").inner_text() == house.codes[1] != used
        host.get_by_role("link", name="Next: Odile").click()
        assert host.locator(".code").inner_text() == house.codes[0]
        host.goto("/host")
        row = host.locator(".people li", has_text="Ilse")
        row.locator("summary").click()
        row.get_by_role("button", name="Put Ilse out").click()
        row.get_by_role("link", name="Code of Ilse").wait_for()


def test_a_seat_that_is_handed_over_leaves_the_phone_which_sees_its_code_however_slow_the_page_comes(
    chromium: Browser, house: House
) -> None:
    with open_phone(chromium, house) as host, open_phone(chromium, house) as other:
        begin_duel(host, house)
        take_seat(other, house, 1)
        with open_phone(chromium, house) as same:
            take_seat(same, house, 1)
            ended: list[str] = []
            # whichever comes first: the table ends the stream, or the page lets go of it
            for outcome in ("requestfinished", "requestfailed"):
                same.on(outcome, lambda request: ended.append(request.url))

            def come_late(route: Route) -> None:
                # the page hears that its seat is gone before it sees what it asked for
                answer = route.fetch(max_redirects=0)
                while not any("/events/seat" in url for url in ended):
                    same.wait_for_timeout(20)
                route.fulfill(response=answer)

            same.route("**/seat/hand-over", come_late)
            hand_over(same)
            assert same.locator("p.code").inner_text() == house.codes[1]
        # the other phone of the same seat is told at the next moment, or within seconds
        other.get_by_label("Seat code").wait_for()


@pytest.mark.parametrize("language", ["fr", "en"] if ALL else ["fr"])
def test_what_the_host_needs_is_seen_at_once(chromium: Browser, house: House, language: str) -> None:
    with open_phone(chromium, house, Phone(language=language, misses=HOST.misses)) as page:
        become_host(page, house)
        # other tests have let in people by other names
        begin(page, "coyote", ("Ulla", "Nils", "Frieda", "Dédé"), edition="gigamic", boxes="1")
        for part in (".health li:last-child", ".people li:last-child", ".bottom .say", ".bottom a", ".more"):
            assert is_seen_at_once(page, part), part
        for address in ("/host", "/host/more", "/host/people"):
            page.goto(address)
            assert (address, small_targets(page), covered(page, PARTS)) == (address, [], [])


def test_two_taps_correct_and_the_room_follows_by_itself(chromium: Browser, house: House) -> None:
    with open_phone(chromium, house, HOST) as host, open_phone(chromium, house) as seat:
        begin_duel(host, house)
        take_seat(seat, house, 0)
        host.goto("/host")
        seat.locator("button[name=option]").first.click()
        host.locator(".answers .choice").first.wait_for()
        seat.goto("/seat")
        say_number(seat, 3)
        host.locator(".answers").get_by_text("Ana: 3").wait_for()
        host.locator(".answers .choice").first.click()
        host.locator("button[name=number][value='5']").click()
        host.locator(".answers").get_by_text("Ana: 5").wait_for()
        assert small_targets(host) == []
