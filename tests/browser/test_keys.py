"""A round of Coyote by keyboard needs few keys, because the focus moves to the next question."""

from playwright.sync_api import Browser, Page, expect

from referee.contract import Answer, Option
from tests.browser.house import open_phone
from tests.browser.rooms import Site, delayed_stream, sit, with_artwork
from tests.webui.room import Room, match_of

MOST = 20  # maximum keys of a round
FAR = 40  # tabs before an element counts as unreachable
AT = "selector => document.activeElement.matches(selector)"
HEARD = "document.getElementById('aloud').textContent + (document.activeElement.ariaLabel || '')"


class Keys:
    """The counted keys of a keyboard user."""

    def __init__(self, page: Page) -> None:
        self._page, self.count = page, 0

    def press(self, key: str) -> None:
        self._page.keyboard.press(key)
        self.count += 1

    def choose(self, selector: str) -> None:
        self._page.wait_for_selector(selector)
        for _tab in range(FAR):
            if self._page.evaluate(AT, selector):
                break
            self.press("Tab")
        else:
            raise AssertionError(f"{selector} is out of reach")
        self.press("Enter")


@with_artwork
def test_round_on_a_seat_page_needs_few_keys(chromium: Browser, site: Site, room: Room) -> None:
    room.client.tell(match_of(seats=2))
    with open_phone(chromium, site) as page:
        sit(page, room, 0)
        keys = Keys(page)
        keys.choose("form.ask button[value*=opens]")
        page.wait_for_selector("form.of-number")
        expect(page.locator("#question")).to_be_focused()
        keys.choose("input[name=other]")
        page.wait_for_selector("form.of-number", state="detached")
        # answers of others don't move the focus
        room.client.submit(Answer(2, "announce", 9, 1))
        page.wait_for_selector("button.howl")
        expect(page.locator("#question")).to_be_focused()
        keys.press("Space")
        keys.press("Space")
        page.wait_for_selector(".layout-call")
        room.client.submit(Answer(4, "reveal", ("20", "10"), None, "camera"))
        page.wait_for_selector(".layout-count")
        expect(page.locator("#question")).to_be_focused()
        assert keys.count <= MOST
        question = page.locator("#question").inner_text()
        # the ruling comes before the next question
        assert heard(page).index("30") < heard(page).index(question)


def test_screen_reader_announces_rulings_despite_later_events(
    chromium: Browser, site: Site, room: Room
) -> None:
    room.client.tell(match_of(seats=2))
    with open_phone(chromium, site) as page:
        with delayed_stream(page):
            sit(page, room, 0)
            page.evaluate("document.activeElement.blur()")
            room.client.submit(Answer(0, "opener", Option("opens", seat=0)))
            for number, said in enumerate((8, 9)):
                room.client.submit(Answer(number + 1, "announce", said, number))
        page.wait_for_selector(".phone[data-moment='3']")
        told = page.locator("#aloud p").all_inner_texts()
        places = [next(place for place, text in enumerate(told) if number in text) for number in ("8", "9")]
        assert places == sorted(places)
        assert page.locator("#question").inner_text() in told[-1]


def heard(page: Page) -> str:
    """Return what a screen reader announces: the log, and the name of the focused element."""
    return page.evaluate(HEARD)
