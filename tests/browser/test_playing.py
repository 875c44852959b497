"""A whole match of Coyote against a bot, with every card read by the camera; why, and a correction."""

import json

from playwright.sync_api import Browser, Page

from tests.browser import places
from tests.browser.evening import begin, newest_answer, newest_match, play_coyote
from tests.browser.house import House, Phone, become_host, faults, open_phone, take_seat

RACES = ("409",)
"""Another player was quicker: the page says so, and so does the console."""


def test_a_match_that_the_camera_reads_is_explained_corrected_and_kept(chromium: Browser, house: House) -> None:
    with open_phone(chromium, house) as host, open_phone(chromium, house, Phone(misses=RACES)) as ana:
        become_host(host, house)
        begin(host, "coyote", ("Ana", "Bo"), bots={1}, edition="kidult", boxes="1")
        take_seat(ana, house, 0)
        ana.goto("/twin")
        play_coyote(ana)
        number = newest_match(host)
        _everything_was_read(host, number)
        answer = newest_answer(host)
        assert _faults_of_what_is_kept(host, answer, number) == []
        _is_corrected_by_a_runner_up(host, ana, answer)


def _everything_was_read(page: Page, number: str) -> None:
    lines = page.request.get(f"/history/{number}.jsonl").text().splitlines()
    answers = [json.loads(line) for line in lines]
    shown = [answer for answer in answers if isinstance(answer.get("value"), list)]
    assert len(shown) >= 3
    assert {answer["sense"] for answer in shown} == {"camera"}


def _faults_of_what_is_kept(host: Page, answer: str, number: str) -> list[str]:
    found: list[str] = []
    for address in (*places.OPEN, *places.KEPT, *places.HOST_KEPT):
        host.goto(address.format(answer=answer, match=number))
        found += [f"{address}: {fault}" for fault in faults(host)]
    return found


def _is_corrected_by_a_runner_up(host: Page, ana: Page, answer: str) -> None:
    """Tap what the reader thought of second: the match goes on, or ends otherwise."""
    before = ana.locator(".told").first.inner_text()
    host.goto(f"/why/{answer}")
    assert (
        host.locator("img.seen").evaluate("picture => picture.decode().then(() => picture.naturalWidth)") > 100
    )
    host.get_by_role("link", name="Correct").click()
    runner_up = host.locator(".guess button[name=cards]").first
    right = runner_up.locator("b").inner_text()
    runner_up.click()
    host.wait_for_selector(".people")
    host.goto(f"/why/{answer}")
    assert right in host.locator(".now").inner_text()
    assert host.get_by_text("corrected by the host").is_visible()
    ana.wait_for_function("before => document.querySelector('.told').innerText !== before", arg=before)
