"""A table that runs on its twin in a process of its own, as `./run` starts it; phones in a real Chromium."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Protocol

from axe_playwright_python.sync_playwright import Axe
from msgspec import Struct
from playwright.sync_api import Browser, ConsoleMessage, Page, Playwright

from firmware.storage.people.evening import Evening
from firmware.storage.people.links_file import read_links
from tests.firmware.start.program import run_table
from tests.given import present

CHROMIUM = Path("/usr/bin/chromium-headless-shell")
"""Chromium without a window: drawing toolbars would take most of the time of a run."""
FLAGS = (
    "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--disable-quic", "--disable-audio-output",
)  # fmt: skip
PAGE_TIMEOUT = 90.0
AXE = Axe()
RULES = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice")
ONLY_FAULTS = {"runOnly": RULES, "resultTypes": ["violations"], "selectors": False, "preload": False}
"""What axe is to look for, and that nothing else is written down: that takes nearly half of its time."""
AT_ITS_END = """async options => {
  await document.fonts.ready
  // the bar that stays at the foot of the host's pages covers nothing at their end
  scrollTo(0, document.scrollingElement.scrollHeight)
  return (await axe.run(options)).violations
}"""
"""Look for faults in one go: of a page that grows after it was scrolled, the last lines lie under the bar."""


class Phone(Struct, frozen=True):
    """How a person looks at a page."""

    width: int = 360
    scheme: str = "light"
    language: str = "en"
    has_script: bool = True
    misses: tuple[str, ...] = ()  # what its console may complain of: the part of a line that tells
    height: int = 0  # as phones and screens are, unless it is said
    is_still: bool = True  # whether less movement is wished for


SMALL = Phone()


class Site(Protocol):
    """Whose pages a phone opens."""

    def address(self, page: str) -> str:
        """Give a page's whole address."""


class House(Struct, frozen=True):
    """A table that runs, and where it keeps what it keeps."""

    port: int
    folder: Path

    @property
    def links(self) -> Evening:
        return present(read_links(self.folder / "state" / "links.json"))

    def address(self, page: str) -> str:
        return f"http://127.0.0.1:{self.port}{page}"


@contextmanager
def open_house(folder: Path) -> Iterator[House]:
    with run_table(folder, "--twin") as table:
        yield House(table.port, folder)


def launch_chromium(play: Playwright) -> Browser:
    return play.chromium.launch(executable_path=str(CHROMIUM), args=[*FLAGS])


@contextmanager
def open_phone(chromium: Browser, site: Site, phone: Phone = SMALL) -> Iterator[Page]:
    """Open a phone that has visited no page yet; what its console complains of fails the test."""
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


def stop_time(page: Page) -> None:
    """Let time pass on a page only by so much as the test says: a slow machine moves nothing on."""
    now = datetime.now(UTC)
    page.clock.install(time=now)
    page.clock.pause_at(now + timedelta(seconds=1))


def become_host(page: Page, house: House) -> None:
    page.goto("/host")
    page.fill("input[name=pin]", house.links.pin)
    page.click("main button")
    page.wait_for_selector(".bottom")


def take_seat(page: Page, house: House, seat: int) -> None:
    page.goto(f"/seat?code={house.links.codes[seat]}")
    page.click("main button")
    page.wait_for_selector("#part")


def faults(page: Page, *, has_axe: bool = True) -> list[str]:
    """List what axe finds, and whether the page is wider than the phone."""
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


SAY_IT = ".of-number button.main"


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
    page.click(SAY_IT)
