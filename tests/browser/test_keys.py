"""A round of Coyote by keyboard needs few keys, because the focus moves to the next question."""

from playwright.sync_api import Browser, Page, expect

from referee.contract import Answer, Option
from tests.browser.house import House, Phone, become_host, begin, open_phone, take_seat
from tests.browser.rooms import Site, delayed_stream, sit
from tests.tiers import release
from tests.webui.room import Room, match_of

MOST = 20  # maximum keys of a round
FAR = 40  # tabs before an element counts as unreachable
AT = "selector => document.activeElement.matches(selector)"
NEXT = "before => document.querySelector('[name=moment]')?.value !== before"
HEARD = "document.getElementById('aloud').textContent + (document.activeElement.ariaLabel || '')"
LISTEN = f"""() => {{
  window.allHeard = "";
  new MutationObserver(() => {{ allHeard += {HEARD}; }}).observe(document.body, {{
    subtree: true, childList: true, attributes: true, attributeFilter: ["aria-label"],
  }});
}}"""
ASKED = "#asked form.ask button[data-say], #asked form.ask:not(:has([data-say])) button[name]"


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


@release("bots take the time that people take")
def test_round_on_the_simulated_table_needs_few_keys(chromium: Browser, house: House) -> None:
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
        page.evaluate(LISTEN)
        play_until_counted(page, keys)
        assert "Bo: wears " in page.evaluate("allHeard")
        verdict = page.locator("#scene h2").inner_text()
        assert verdict in heard(page)
        keys.choose("#hurry")
        page.wait_for_selector("#asked")
        assert page.evaluate(AT, "#asked, #asked *")
        assert keys.count <= MOST


def play_until_counted(page: Page, keys: Keys) -> None:
    """Announce the first offered number, call Coyote at the first chance, and show the own card."""
    while True:
        page.wait_for_selector(f"{ASKED}, #lay-it, #scene")
        moment = page.locator("#table [name=moment]").first
        before = moment.input_value() if moment.count() else ""
        if page.locator("#scene").count():
            return
        if page.locator("#lay-it").count():
            keys.choose("#lay-it")
            page.wait_for_selector("#scene")
        elif "Coyote" in page.inner_text("#asked form.ask h2"):
            keys.press("Space")
            page.wait_for_function(NEXT, arg=before)
        else:
            keys.choose(ASKED)
            page.wait_for_function(NEXT, arg=before)


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
