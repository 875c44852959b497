"""A round of Coyote by keys alone: few of them suffice, as they go on where the next question is."""

from playwright.sync_api import Browser, Page, expect

from referee.contract import Answer
from tests.browser.house import House, Phone, become_host, begin, open_phone, take_seat
from tests.browser.rooms import Site, sit
from tests.tiers import release
from tests.webui.room import Room, match_of

MOST = 20
"""Keys that a round may take."""
FAR = 40
"""Tabs after which a thing counts as out of reach."""
AT = "selector => document.activeElement.matches(selector)"
NEXT = "before => document.querySelector('[name=moment]')?.value !== before"
ASKED = "#asked form.ask button[name]"


class Keys:
    """The keys of somebody who uses nothing else, counted."""

    def __init__(self, page: Page) -> None:
        """Begin where the page begins."""
        self._page, self.count = page, 0

    def press(self, key: str) -> None:
        """Press a key."""
        self._page.keyboard.press(key)
        self.count += 1

    def choose(self, selector: str) -> None:
        """Go to something by tabs, and press it."""
        self._page.wait_for_selector(selector)
        for _tab in range(FAR):
            if self._page.evaluate(AT, selector):
                break
            self.press("Tab")
        else:
            raise AssertionError(f"{selector} is out of reach")
        self.press("Enter")


@release("bots take the time that people take")
def test_a_round_on_the_simulated_table_takes_few_keys(chromium: Browser, house: House) -> None:
    with open_phone(chromium, house, Phone(1440, height=900)) as page:
        become_host(page, house)
        begin(page, "coyote", ("Ana", "Bo"))
        page.goto("/host/new?game=coyote")
        keys = Keys(page)
        keys.choose(".go button")
        page.wait_for_selector(".bottom")
        assert keys.count <= 4, "the names are those of the last match: to start is what comes first"
        take_seat(page, house, 0)
        page.goto("/twin")
        play_until_counted(page, keys)
        steps = page.locator(".shown li p").all_inner_texts()
        assert steps
        aloud = page.locator("#aloud").text_content() or ""
        assert [step for step in steps if step not in aloud] == []
        keys.choose("#hurry")
        page.wait_for_selector("#asked:not(.showing)")
        assert page.evaluate(AT, "#asked, #asked *")
        assert keys.count <= MOST


def play_until_counted(page: Page, keys: Keys) -> None:
    """Say the first number that is offered, call Coyote at the first chance, and lay the own card."""
    while True:
        page.wait_for_selector(f"{ASKED}, #lay-it, #asked.showing")
        moment = page.locator("#table [name=moment]").first
        before = moment.input_value() if moment.count() else ""
        if page.locator("#asked.showing").count():
            return
        if page.locator("#lay-it").count():
            keys.choose("#lay-it")
            page.wait_for_selector("#asked.showing")
        elif "Coyote" in page.inner_text("#asked form.ask h2"):
            keys.press("Space")
            page.wait_for_function(NEXT, arg=before)
        else:
            keys.choose(ASKED)
            page.wait_for_function(NEXT, arg=before)


def test_a_round_on_a_seat_takes_few_keys(chromium: Browser, site: Site, room: Room) -> None:
    room.door.tell(match_of(seats=2))
    with open_phone(chromium, site) as page:
        sit(page, room, 0)
        keys = Keys(page)
        keys.choose("form.ask button[value*=opens]")
        page.wait_for_selector("form.of-number")
        expect(page.locator("#question")).to_be_focused()
        keys.choose("input[name=other]")
        page.wait_for_selector("form.of-number", state="detached")
        # what others answer takes the keys nowhere else
        room.door.submit(Answer(2, "announce", 9, 1))
        page.wait_for_selector("button.howl")
        expect(page.locator("#question")).to_be_focused()
        keys.press("Space")
        keys.press("Space")
        page.wait_for_selector(".layout-call")
        room.door.submit(Answer(4, "reveal", ("20", "10"), None, "camera"))
        page.wait_for_selector(".layout-count")
        expect(page.locator("#question")).to_be_focused()
        expect(page.locator("#aloud")).to_contain_text("30")
        assert keys.count <= MOST
