"""How people come in: by the link to look, by the code of a seat, by the PIN."""

import pytest
from playwright.sync_api import Browser

from tests.browser.evening import begin
from tests.browser.house import House, Phone, become_host, open_phone, take_seat
from tests.browser.seat_taps import hand_over

REFUSED = Phone(misses=("403",))


def test_a_phone_that_follows_the_link_looks_on(chromium: Browser, house: House) -> None:
    with open_phone(chromium, house) as page:
        page.goto("/join")
        assert page.locator(".qr svg").is_visible()
        page.goto("/")
        assert page.locator(".rail").is_visible()
        assert page.locator("form").count() == 0


@pytest.mark.parametrize("has_script", [True, False])
def test_a_seat_is_taken_by_its_address_once_one_agrees(
    chromium: Browser, house: House, has_script: bool
) -> None:
    with open_phone(chromium, house, Phone(has_script=has_script)) as page:
        page.goto(f"/seat?code={house.codes[1]}")
        assert page.input_value("input[name=code]") == house.codes[1]
        assert page.locator("#part").count() == 0
        page.get_by_role("button", name="Take a seat").click()
        page.wait_for_selector("#part")
        assert page.locator(".who").inner_text().startswith(f"You are {house.names[1]}.")


@pytest.mark.parametrize("has_script", [True, False])
def test_a_seat_is_taken_by_typing_its_code(chromium: Browser, house: House, has_script: bool) -> None:
    with open_phone(chromium, house, Phone(has_script=has_script, misses=REFUSED.misses)) as page:
        page.goto("/")
        page.get_by_role("link", name="My seat").click()
        page.get_by_label("Seat code").fill("????")
        page.keyboard.press("Enter")
        assert page.get_by_role("alert").inner_text() == "No seat has this code. Check it and try again."
        page.get_by_label("Seat code").fill(house.codes[0].lower())
        page.keyboard.press("Enter")
        page.wait_for_selector("#part")
        assert page.locator(".who").inner_text().startswith(f"You are {house.names[0]}.")


def test_a_seat_is_taken_on_the_page_that_invites(chromium: Browser, house: House) -> None:
    with open_phone(chromium, house) as page:
        page.goto("/join")
        page.get_by_label("Seat code").fill(house.codes[0])
        page.get_by_role("button", name="Take a seat").click()
        page.wait_for_selector("#part")
        page.goto("/join")
        assert page.get_by_label("Seat code").count() == 0
        page.get_by_role("link", name="Back to my seat").click()
        assert page.locator(".who").inner_text().startswith(f"You are {house.names[0]}.")


def test_the_host_sees_who_joins_without_a_tap(chromium: Browser, house: House) -> None:
    with open_phone(chromium, house) as host, open_phone(chromium, house) as phone:
        become_host(host, house)
        # phones of other tests have been let in by other names
        begin(host, "coyote", ("Odile", "Ilse"), edition="kidult", boxes="1")
        host.goto("/host/people")
        seat, used = host.locator("#seat-1"), house.codes[1]
        assert seat.get_by_text("no phone yet").is_visible()
        seat.get_by_role("link", name="Code of Ilse").click()
        assert host.get_by_text("open http").is_visible()
        assert host.locator(".code").inner_text() == used
        take_seat(phone, house, 1)
        host.get_by_text("Ilse's phone is here.").wait_for()
        host.get_by_text("A code for one more phone").click()
        assert host.locator(".code").inner_text() == house.codes[1] != used
        host.get_by_role("link", name="Next: Odile").click()
        assert host.locator(".code").inner_text() == house.codes[0]


@pytest.mark.parametrize("has_script", [True, False])
def test_the_host_comes_in_by_the_pin(chromium: Browser, house: House, has_script: bool) -> None:
    with open_phone(chromium, house, Phone(has_script=has_script, misses=REFUSED.misses)) as page:
        page.goto("/host")
        page.get_by_label("PIN").fill("0")
        page.get_by_role("button", name="Enter").click()
        assert page.get_by_role("alert").inner_text() == "Wrong PIN."
        become_host(page, house)
        page.goto("/host/people")
        assert not page.get_by_text(house.pin).is_visible()
        page.get_by_text("Show the PIN").click()
        assert page.get_by_text(house.pin).is_visible()


def test_a_seat_that_is_handed_over_leaves_the_phone(chromium: Browser, house: House) -> None:
    with (
        open_phone(chromium, house) as host,
        open_phone(chromium, house) as before,
        open_phone(chromium, house) as after,
    ):
        become_host(host, house)
        begin(host, "coyote", ("Ana", "Bo"), edition="kidult", boxes="1")
        take_seat(before, house, 0)
        with open_phone(chromium, house) as same:
            take_seat(same, house, 0)
            hand_over(same)
            assert same.locator("p.code").inner_text() == house.codes[0]
        # the other phone of the same seat is told at the next moment, or within seconds
        before.get_by_label("Seat code").wait_for()
        take_seat(after, house, 0)
        assert after.locator("form.ask").first.is_visible()


def test_the_host_sees_who_joins_without_loading_the_page_anew(chromium: Browser, house: House) -> None:
    with open_phone(chromium, house) as host, open_phone(chromium, house) as phone:
        become_host(host, house)
        begin(host, "coyote", ("Ana", "Ida"), edition="kidult", boxes="1")
        host.goto("/host")
        seat = host.locator(".people .row").nth(1)
        seat.get_by_text("no phone yet").wait_for()
        take_seat(phone, house, 1)
        seat.locator("summary").click()
        seat.get_by_role("button", name="Put Ida out").click()
        seat.get_by_text("no phone yet").wait_for()
