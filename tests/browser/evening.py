"""What people tap of an evening: they begin matches, let bots play, say numbers, lay cards."""

from collections.abc import Collection, Sequence

from playwright.sync_api import Page
from playwright.sync_api import TimeoutError as TooSlow

READING = 12_000
"""Milliseconds after which a card that the camera doesn't read is laid anew."""
PICTURES = 10
TAPS = 60
"""Taps after which a match isn't short any more."""
WAYS = {
    "opens": "button[value*='\"opens\"']",
    "call": "button[value*='\"coyote\"']",
    "say": "input[name=other]",
    "lay": "#table .take",
}
NOW = """ways => {
  if (document.querySelector("#part .over")) return "over";
  const asks = [...document.querySelectorAll("#part form.ask")];
  if (asks.some(ask => ask.querySelector(".piles, .faces"))) return document.querySelector(ways.lay) && "lay";
  return ["opens", "call", "say"].find(way => asks.some(ask => ask.querySelector(ways[way])));
}"""
MOMENT = "document.querySelector('#part [name=moment]')?.value ?? ''"


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
    for seat in range(host.locator(".chair").count()):
        chair = host.locator(f".chair:has(#bot-{seat})")
        is_bot = chair.get_by_text("⚙").count() > 0
        if is_bot != (seat in seats):
            host.click(f"#bot-{seat}")
            chair.get_by_text("⚙").wait_for(state="hidden" if is_bot else "visible")


def play_coyote(page: Page) -> None:
    """Play a match of Coyote to its end on the twin's page: say a high number, or call; lay the own card."""
    for _tap in range(TAPS):
        way = page.wait_for_function(NOW, arg=WAYS).json_value()
        if way == "over":
            return
        moment = page.evaluate(MOMENT)
        _tap_it(page, way)
        _wait_until_heard(page, moment)
    raise AssertionError(page.inner_text("main"))


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
        page.fill(WAYS["say"], "99")
        page.press(WAYS["say"], "Enter")
    else:
        page.click(WAYS[way])


def _wait_until_heard(page: Page, moment: str) -> None:
    """Wait until a moment is over; what isn't read in time is taken away, and laid anew."""
    try:
        page.wait_for_function(f"moment => ({MOMENT}) !== moment", arg=moment, timeout=READING)
    except TooSlow:
        back = page.locator("#table [id^=back-]").first
        if back.count():
            back.click()
            _wait_for_pictures(page)


def _wait_for_pictures(page: Page) -> None:
    """Give the camera time to see that nothing lies there: else it takes a card for the one that lay there."""
    page.locator("#eye").scroll_into_view_if_needed()
    for _picture in range(PICTURES):
        page.wait_for_event("response", lambda answer: "/twin/camera.jpg" in answer.url)
