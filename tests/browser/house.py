"""A table on its twin in a separate process, as started by `./run`; phones in a real Chromium."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Protocol

from axe_playwright_python.sync_playwright import Axe
from msgspec import Struct
from playwright.sync_api import Browser, ConsoleMessage, Page, Playwright

from firmware.storage.people.evening import Evening
from firmware.storage.people.links import computer_token
from firmware.storage.people.links_file import read_links
from referee.games.catalogue import GAMES
from tests.firmware.start.known_decks import share_known_decks
from tests.firmware.start.program import run_table
from tests.given import present

CHROMIUM = Path("/usr/bin/chromium-headless-shell")
"""Headless Chromium; rendering toolbars would take most of a run's time."""
FLAGS = (
    "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--disable-quic", "--disable-audio-output",
    # a moving test picture instead of a camera, without a question
    "--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream",
)  # fmt: skip
PAGE_TIMEOUT = 90.0
AXE = Axe()
RULES = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice")
ONLY_FAULTS = {"runOnly": RULES, "resultTypes": ["violations"], "selectors": False, "preload": False}
"""Options of axe: our rules, and violations only, because other results take nearly half of its time."""
AT_ITS_END = """async options => {
  await document.fonts.ready
  // the bar that stays at the foot of the host's pages covers nothing at their end
  scrollTo(0, document.scrollingElement.scrollHeight)
  return (await axe.run(options)).violations
}"""
"""Scroll and check in one call, because the bar covers the last lines of a page that grows in between."""


class Phone(Struct, frozen=True):
    """A person's device and preferences."""

    width: int = 360
    scheme: str = "light"
    language: str = "en"
    has_script: bool = True
    misses: tuple[str, ...] = ()  # allowed console errors, by a part of their text
    height: int = 0  # pixels; 0 for the usual height of phones and screens
    is_still: bool = True  # whether reduced motion is preferred


SMALL = Phone()


class Site(Protocol):
    """A server of pages."""

    def address(self, page: str) -> str:
        """Return a page's full address."""


class House(Struct, frozen=True):
    """A running table and its folders."""

    port: int
    folder: Path

    @property
    def links(self) -> Evening:
        return present(read_links(self.folder / "state" / "links.json"))

    def address(self, page: str) -> str:
        return f"http://localhost:{self.port}{page}"


@contextmanager
def open_house(folder: Path) -> Iterator[House]:
    share_known_decks(folder / "state", *GAMES)
    with run_table(folder, "--twin") as table:
        yield House(table.port, folder)


def launch_chromium(play: Playwright) -> Browser:
    return play.chromium.launch(executable_path=str(CHROMIUM), args=[*FLAGS])


@contextmanager
def open_phone(chromium: Browser, site: Site, phone: Phone = SMALL) -> Iterator[Page]:
    """Open a phone without history; console errors fail the test."""
    complaints: list[str] = []

    def note(told: str) -> None:
        if not any(miss in told for miss in phone.misses):
            complaints.append(f"{page.url}: {told}")

    def listen(said: ConsoleMessage) -> None:
        if said.type == "error":
            note(f"{said.text} ({said.location.get('url', '')})")

    context = chromium.new_context(
        viewport={"width": phone.width, "height": phone.height or (740 if phone.width < 700 else 1080)},
        color_scheme=phone.scheme,  # type: ignore[arg-type]
        locale=phone.language,
        base_url=site.address("/"),
        reduced_motion="reduce" if phone.is_still else "no-preference",
        java_script_enabled=phone.has_script,
    )
    context.set_default_timeout(PAGE_TIMEOUT * 1000)
    page = context.new_page()
    page.on("console", listen)
    page.on("pageerror", lambda error: note(str(error)))
    try:
        yield page
        assert complaints == [], "the console complains"
    except Exception as error:
        error.add_note("\n".join(["the console said:", *complaints]))
        raise
    finally:
        context.close()


def sit_at_computer(page: Page, evening: Evening) -> None:
    """Make the browser this computer's own, and lead it to the welcome page, as `./run` does."""
    page.goto(f"/here#{computer_token(evening.secret)}")
    page.wait_for_url(lambda there: "/here" not in there)


def stop_time(page: Page) -> None:
    """Control a page's time by the test, so that a slow machine advances nothing."""
    now = datetime.now(UTC)
    page.clock.install(time=now)
    page.clock.pause_at(now + timedelta(seconds=1))


def become_host(page: Page, house: House) -> None:
    sit_at_computer(page, house.links)
    page.goto("/host")
    page.click("form[action='/host/here'] button")
    page.wait_for_selector(".bottom")


def take_seat(page: Page, house: House, seat: int) -> None:
    page.goto(f"/seat?code={house.links.codes[seat]}")
    page.click("main button")
    page.wait_for_selector("#part")


def faults(page: Page, *, has_axe: bool = True) -> list[str]:
    """Return the violations found by axe, and a fault if the page is wider than the phone."""
    page.wait_for_load_state("load")
    violations = []
    if has_axe:
        page.evaluate(AXE.axe_script)
        violations = page.evaluate(AT_ITS_END, ONLY_FAULTS)
    found = [
        f"{each['id']}: {each['help']}: {node['html'][:160]}" for each in violations for node in each["nodes"]
    ]
    too_wide = page.evaluate("document.scrollingElement.scrollWidth - window.innerWidth")
    return found + ([f"{too_wide} pixels too wide"] if too_wide > 0 else [])


ANNOUNCE_BUTTON = ".of-number button.main"


def begin(host: Page, game: str, names: Sequence[str], **agreed: str) -> None:
    host.goto(f"/host/new?game={game}")
    fields = host.locator("#names input")
    for number in reversed(range(len(names), fields.count())):
        if fields.nth(number).input_value():
            fields.nth(number).fill("")
    for number, name in enumerate(names):
        fields.nth(number).fill(name)
    host.locator("details.group > summary").click()
    for rule, value in agreed.items():
        if rule == "edition":
            host.check(f"[name=rule-edition][value={value}]")
        else:
            host.select_option(f"[name=rule-{rule}]", value)
    host.click("form[action='/host/new'] button.main")
    host.wait_for_selector(".bottom")


def say_number(page: Page, number: int) -> None:
    page.fill("input[name=other]", str(number))
    page.click(ANNOUNCE_BUTTON)
