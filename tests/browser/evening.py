"""What people tap of an evening: they begin matches, let bots play, say numbers, lay cards."""

from collections.abc import Collection, Sequence

from playwright.sync_api import Browser, Page
from playwright.sync_api import TimeoutError as TooSlow

from tests.browser.house import House, Phone, become_host, open_phone, take_seat

READING = 12_000
"""Milliseconds after which a card that the camera doesn't read is laid anew."""
PICTURES = 10
TAPS = 60
"""Taps after which a match isn't short any more."""
WAYS = {
    "over": "#again",
    "opens": "button[value*='\"opens\"']",
    "call": "button[value*='\"coyote\"']",
    "say": "input[name=other]",
    "hurry": "#hurry",
    "lay": "#table .take.lit",
}
SAY_IT = ".of-number button.main"
NOW = """ways => Object.keys(ways).find(way => document.querySelector(ways[way]))"""
MOMENT = "document.querySelector('#table [name=moment]')?.value ?? ''"


def begin(host: Page, game: str, names: Sequence[str], bots: Collection[int] = (), **agreed: str) -> None:
    """Begin a match on the host's page; bots play for these seats, and for no others."""
    let_bots_play(host, ())
    host.goto(f"/host/new?game={game}")
    fields = host.locator("#names input")
    for number in reversed(range(len(names), fields.count())):
        if fields.nth(number).input_value():
            fields.nth(number).fill("")
    for number, name in enumerate(names):
        fields.nth(number).fill(name)
    host.locator("details.group > summary").click()
    for rule, value in agreed.items():
        field = host.locator(f"[name=rule-{rule}]")
        if rule == "edition":
            host.check(f"[name=rule-edition][value={value}]")
        elif not field.is_visible():
            continue  # it is another edition's
        elif field.evaluate("field => field.matches('select')"):
            field.select_option(value)
        else:
            field.fill(value)
    host.click("form[action='/host/new'] button.main")
    host.wait_for_selector(".bottom")
    if bots:
        let_bots_play(host, bots)


def let_bots_play(host: Page, seats: Collection[int]) -> None:
    """Let bots play for these seats, and for no others."""
    host.goto("/twin")
    host.click("#bots > summary")
    for seat in range(host.locator("#bots .chair").count()):
        wanted = "true" if seat in seats else "false"
        if host.get_attribute(f"#bot-{seat}", "aria-pressed") != wanted:
            host.click(f"#bot-{seat}")
            host.wait_for_selector(f"#bot-{seat}[aria-pressed={wanted}]")


SAY = """(field, number) => {
  field.value = number;
  if (field.isConnected) field.form.requestSubmit(field.form.querySelector("button:not([type=button])"));
}"""
"""Says a number as who types it and presses Enter does."""


def play_coyote(page: Page) -> None:
    """Play a match of Coyote to its end on the twin's page: say a high number, or call; lay the own card."""
    for _tap in range(TAPS):
        way = page.wait_for_function(NOW, arg=WAYS).json_value()
        if way == "over":
            return
        if way == "hurry":
            hurry(page)
            continue
        moment = page.evaluate(MOMENT)
        _tap_it(page, way)
        _wait_until_heard(page, moment)
    raise AssertionError(page.inner_text("main"))


def begin_duel(
    host: Page, house: House, names: Sequence[str] = ("Ana", "Bo"), bots: Collection[int] = ()
) -> None:
    """Become the host, and begin a short match of two."""
    become_host(host, house)
    begin(host, "coyote", names, bots, edition="kidult", boxes="1")


def play_a_match(chromium: Browser, house: House) -> str:
    """Play a match against a bot, with every card read by the camera, and give its number."""
    with open_phone(chromium, house) as host, open_phone(chromium, house, Phone(misses=("409",))) as ana:
        begin_duel(host, house, bots={1})
        take_seat(ana, house, 0)
        ana.goto("/twin")
        play_coyote(ana)
        return newest_match(host)


def newest_answer(page: Page) -> str:
    """Give the number of the newest answer that rests on a picture."""
    page.goto("/why")
    return _last_path_part(page, ".whys a")


def newest_match(page: Page) -> str:
    """Give the number of the newest match that is kept."""
    page.goto("/history")
    return _last_path_part(page, ".match a")


def _last_path_part(page: Page, links: str) -> str:
    return (page.locator(links).first.get_attribute("href") or "").rpartition("/")[2]


def _tap_it(page: Page, way: str) -> None:
    if way == "say":
        field = page.query_selector(WAYS["say"])
        if field is not None:
            # the match may have moved on at any moment: then nothing is sent
            field.evaluate(SAY, "99")
    else:
        page.click(WAYS[way])


def hurry(page: Page) -> None:
    """Have bots move, or what was read be put away, and wait until the page shows what came of it."""
    button = page.query_selector(WAYS["hurry"])
    if button is not None:
        # it may go by itself at any moment
        button.evaluate("button => button.click()")
        button.wait_for_element_state("hidden")


def _wait_until_heard(page: Page, moment: str) -> None:
    """Wait until a moment is over; what isn't read in time is taken away, and laid anew."""
    try:
        page.wait_for_function(f"moment => ({MOMENT}) !== moment", arg=moment, timeout=READING)
    except TooSlow:
        if page.locator("#lying").count():
            page.click("#lying > summary")
            page.locator("#lying [id^=back-]").first.click()
            _wait_for_pictures(page)


def _wait_for_pictures(page: Page) -> None:
    """Give the camera time to see that nothing lies there: else it takes a card for the one that lay there."""
    page.locator("#eye").scroll_into_view_if_needed()
    for _picture in range(PICTURES):
        page.wait_for_event("response", lambda answer: "/twin/camera.jpg" in answer.url)


def say_number(page: Page, number: int) -> None:
    """Type a number, and say it."""
    page.fill("input[name=other]", str(number))
    page.click(SAY_IT)


def hold_to_call(page: Page) -> None:
    """Hold the dome until the call is made."""
    page.hover("button.howl")
    with page.expect_navigation(wait_until="domcontentloaded"):
        page.mouse.down()
    page.mouse.up()


def hand_over(page: Page) -> None:
    """Pull the sheet up, hand the seat over, and say that it is meant."""
    page.click("#peek > summary")
    page.click("#peek .last > summary")
    page.click("#peek .last button")
