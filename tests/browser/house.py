"""A table that runs on its twin in a process of its own, as `./run` starts it; phones in a real Chromium."""

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Protocol

from axe_playwright_python.sync_playwright import Axe
from msgspec import Struct
from playwright.sync_api import Browser, ConsoleMessage, Page, Playwright

from webui.access.evening import Evening
from webui.access.links_file import read_links

CHROMIUM = Path("/usr/bin/chromium-headless-shell")
"""Chromium without a window: drawing toolbars would take most of the time of a run."""
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-quic",
)
PROGRAM = "from firmware.start.program import main; main()"
PATIENCE = 90.0
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

FULL = (
    "--edition",
    "oliphante",
    "--house",
    "boxes=2",
    "--seats",
    ",".join(f"P{number}" for number in range(12)),
)
"""As many seats as there can be: the table tells the codes of them all."""


class Phone(Struct, frozen=True):
    """How a person looks at a page."""

    width: int = 360
    scheme: str = "light"
    language: str = "en"
    has_script: bool = True
    misses: tuple[str, ...] = ()
    """What its console may complain of: the part of a line that tells."""
    height: int = 0
    """As phones and screens are, unless it is said."""
    is_still: bool = True
    """Whether less movement is wished for."""


SMALL = Phone()


class Site(Protocol):
    """Whose pages a phone opens."""

    def address(self, page: str) -> str:
        """Give a page's whole address."""


class House:
    """The table's process, and what it says at its start."""

    def __init__(self, folder: Path, *words: str) -> None:
        """Start it; what it keeps, it keeps in a folder."""
        with socket.create_server(("127.0.0.1", 0)) as taken:
            self.port = taken.getsockname()[1]
        self._said: SimpleQueue[str | None] = SimpleQueue()
        self._links = folder / "data" / "coyote-table" / "links.json"
        self._process = _start_table(folder, self.port, words)
        self._listener = Thread(target=self._listen, daemon=True)
        self._listener.start()
        try:
            self.line("Codes of the seats: ")
            self.pin = self.line("PIN of the host: ")
        except AssertionError:
            self.close()
            raise

    @property
    def _evening(self) -> Evening:
        evening = read_links(self._links)
        assert evening is not None
        return evening

    @property
    def codes(self) -> tuple[str, ...]:
        """Give the codes of the seats as they are now: each lets one phone in."""
        return self._evening.codes

    @property
    def names(self) -> tuple[str, ...]:
        """List the players of the match that runs."""
        assert self._evening.match is not None
        return self._evening.match.names

    def _listen(self) -> None:
        for line in self._process.stdout or ():
            self._said.put(line.rstrip("\n"))
        self._said.put(None)

    def line(self, start: str) -> str:
        """Wait for a line that starts so, and give the rest of it."""
        heard: list[str] = []
        with suppress(Empty):
            while (line := self._said.get(timeout=PATIENCE)) is not None:
                if line.startswith(start):
                    return line.removeprefix(start)
                heard.append(line)
        raise AssertionError("\n".join([f"it never said {start!r}, but:", *heard]))

    def address(self, page: str) -> str:
        """Give a page's whole address."""
        return f"http://127.0.0.1:{self.port}{page}"

    def kill(self) -> None:
        """Kill the table itself, as if the memory had run out; who looks after it starts it again."""
        own = self._process.pid
        children = Path(f"/proc/{own}/task/{own}/children").read_text(encoding="ascii")
        os.kill(int(children.split()[0]), signal.SIGKILL)

    def close(self) -> None:
        """End it."""
        if self._process.poll() is None:
            self._process.terminate()
        try:
            self._process.wait(30)
        except subprocess.TimeoutExpired:
            # the second wish to end ends it at once
            self._process.terminate()
            self._process.wait(30)
        self._listener.join(30)
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                pipe.close()


def _start_table(folder: Path, port: int, words: tuple[str, ...]) -> "subprocess.Popen[str]":
    places = {f"XDG_{kind}_HOME": str(folder / kind.lower()) for kind in ("DATA", "CONFIG", "STATE")}
    environ = {**os.environ, **places, "LANGUAGE": "en", "COYOTE_JOURNAL": str(folder / "j.sqlite3")}
    environ.pop("NOTIFY_SOCKET", None)
    command = [sys.executable, "-c", PROGRAM, "run", "--twin", "--port", str(port), *words]
    return subprocess.Popen(
        command, env=environ, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )


def launch_chromium(play: Playwright) -> Browser:
    """Start Debian's Chromium, without a window."""
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
    context.set_default_timeout(PATIENCE * 1000)
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


def become_host(page: Page, house: House) -> None:
    """Enter the PIN."""
    page.goto("/host")
    page.fill("input[name=pin]", house.pin)
    page.click("main button")
    page.wait_for_selector(".bottom")


def take_seat(page: Page, house: House, seat: int) -> None:
    """Take a seat by its code."""
    page.goto(f"/seat?code={house.codes[seat]}")
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
