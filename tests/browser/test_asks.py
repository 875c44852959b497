"""Every game is begun and played by phones: whatever a seat is asked, its page is good for everybody."""

from contextlib import ExitStack
from random import Random

import pytest
from playwright.sync_api import Browser, Locator, Page

from tests.browser.evening import begin
from tests.browser.house import House, Phone, become_host, faults, open_phone, take_seat

SMALL = Phone(320, misses=("409", "400"))
"""What isn't legal is refused, and its page says so."""
NAMES = ("Ana", "Bo", "Chloé", "Dora")
ANSWERS = 14


@pytest.mark.parametrize(
    ("game", "seats", "kinds"),
    [
        ("coup", 3, {"choice", "card"}),
        ("coup-d-etat", 4, {"choice", "card"}),
        ("plenty-coups", 3, {"choice"}),
        ("ogallala", 2, {"choice"}),
    ],
)
def test_what_seats_are_asked_is_good_for_everybody(
    chromium: Browser, house: House, game: str, seats: int, kinds: set[str]
) -> None:
    with ExitStack() as open_phones:
        host, *phones = (
            open_phones.enter_context(open_phone(chromium, house, SMALL)) for _phone in range(1 + seats)
        )
        become_host(host, house)
        begin(host, game, NAMES[:seats])
        for seat, phone in enumerate(phones):
            take_seat(phone, house, seat)
        evening = Evening(Random(game))
        for _answer in range(ANSWERS):
            evening.go_on(phones)
        assert evening.found == []
        assert kinds <= evening.kinds, evening.tapped


class Evening:
    """People with phones who answer whatever they are asked, and prefer what hasn't been tapped yet."""

    def __init__(self, rng: Random) -> None:
        """Begin with nothing seen."""
        self._rng = rng
        self.found: list[str] = []
        self.kinds: set[str] = set()
        self.tapped: list[str | None] = []

    def go_on(self, phones: list[Page]) -> None:
        """Let one of the seats that are asked answer, if the match isn't over."""
        for phone in self._rng.sample(phones, len(phones)):
            phone.goto("/seat", wait_until="domcontentloaded")
            asked = phone.locator("form.ask")
            if asked.count():
                self._answer(phone, asked.nth(self._rng.randrange(asked.count())))
                return

    def _answer(self, phone: Page, form: Locator) -> None:
        kind = kind_of(form)
        if kind not in self.kinds:
            self.found += [f"{phone.locator('h1').inner_text()}: {fault}" for fault in faults(phone)]
        self.kinds.add(kind)
        if kind == "cards":
            fill_in(form, self._rng)
        ways = ways_of(form)
        words = [word_of(way) for way in ways]
        fresh = [place for place, word in enumerate(words) if word not in self.tapped] or range(len(ways))
        place = self._rng.choice(list(fresh))
        self.tapped.append(words[place])
        with phone.expect_navigation(wait_until="domcontentloaded"):
            tap(form, ways[place])


def word_of(way: Locator) -> str | None:
    """Tell what a tap says: a button, or a label's card or cell; a button below says what stands above it."""
    field = way.locator("input")
    return way.get_attribute("value") or (field.get_attribute("value") if field.count() else None)


def kind_of(form: Locator) -> str:
    """Tell what a form asks for."""
    for kind, sign in (
        ("cards", ".piles"),
        ("card", "[name=card]"),
        ("number", "[name=other]"),
        ("choice", "[name=option], [name=cell]"),
    ):
        if form.locator(sign).count():
            return kind
    return "done"


def ways_of(form: Locator) -> list[Locator]:
    """List what may be tapped: options, folded up or not, cards and cells in sight, else "done"."""
    picked = [label for label in form.locator("label:has(.pick[required])").all() if label.is_visible()]
    return [*form.locator("button[name=option]").all(), *picked] or form.locator("button.main").all()


UNFOLD = """way => {
    const folded = way.closest("details"), panel = way.closest(".panel");
    if (folded) folded.open = true;
    const suits = panel?.closest(".bysuit")?.querySelectorAll("input[name=suit]") ?? [];
    if (suits.length) suits[[...panel.parentElement.children].indexOf(panel)].checked = true;
}"""


def unfold(way: Locator) -> None:
    """Open what something is folded up in, or turn to its suit."""
    way.evaluate(UNFOLD)


def tap(form: Locator, way: Locator) -> None:
    """Tap an option, unfolded if need be; or a card or a cell, and then the button below."""
    unfold(way)
    way.click()
    if way.locator("input").count():
        form.locator("button.main").click()


def fill_in(form: Locator, rng: Random) -> None:
    """Count as many cards as are asked for, of any faces that there may be."""
    piles = form.locator(".pile input").all()
    least = [int(pile.get_attribute("min") or 0) for pile in piles]
    most = [int(pile.get_attribute("max") or 0) for pile in piles]
    room = [place for place in range(len(piles)) for _card in range(most[place] - least[place])]
    left = int(form.locator(".piles").get_attribute("data-count") or 0) - sum(least)
    more = rng.sample(room, left)
    for place, pile in enumerate(piles):
        if place in more:
            unfold(pile)
            pile.fill(str(least[place] + more.count(place)))


def test_a_page_counts_down_what_the_clock_answers(chromium: Browser, house: House) -> None:
    with (
        open_phone(chromium, house) as host,
        open_phone(chromium, house) as ana,
        open_phone(chromium, house) as bo,
    ):
        become_host(host, house)
        begin(host, "coup", NAMES[:3], window_seconds="60")
        take_seat(ana, house, 0)
        take_seat(bo, house, 1)
        for said in ("Ana begins", "foreign aid", "any objections?"):
            with ana.expect_navigation(wait_until="domcontentloaded"):
                ana.locator("form.ask button[name=option]", has_text=said).click()
        bo.wait_for_function(find_countdown("5[0-9]"))
        assert faults(bo) == []
        host.goto("/host")
        with host.expect_navigation(wait_until="domcontentloaded"):
            host.get_by_role("button", name="Pause").click()
        bo.wait_for_selector(".clock:not([data-ends])")
        with host.expect_navigation(wait_until="domcontentloaded"):
            host.get_by_role("button", name="Resume").click()
        bo.wait_for_function(find_countdown("[0-5][0-9]"))


def find_countdown(left: str) -> str:
    """Find a page that says how many seconds are left."""
    return f"() => /{left} s left/.test(document.body.innerText)"
