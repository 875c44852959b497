"""Measure how soon pages are painted, how much they shift, what they weigh: `python -m tests.browser.paint`.

Each page is loaded a few times without what a browser keeps, a moment before a decisive one, and sees it come.
"""

from collections.abc import Iterator
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from msgspec import Struct
from playwright.sync_api import Browser, Page, sync_playwright

from firmware.start.games import hand_in_games
from firmware.start.pages.look_door import Looks
from tests.browser.gallery import Shot, looking, open_page
from tests.browser.house import launch_chromium
from tests.browser.moments import MOMENTS, find_match, served
from tests.webui.room import room_with

TIMES = 5
SHOTS = (Shot("score"), Shot("seat"), Shot("screen", "tv"))
SHOWN = (
    "coyote-bid",
    "coyote-count",
    "coup-claim",
    "coup-d-etat-trick",
    "plenty-coups-display",
    "ogallala-place",
)
SHIFTED = """() => {
  window.shifted = 0;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shifted += entry.value;
  }).observe({ type: "layout-shift", buffered: true });
}"""
PAINTED = "() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0"
SHIFTED_SO_FAR = "() => new Promise((done) => setTimeout(() => done(window.shifted), 300))"


class Paint(Struct, frozen=True):
    """What was measured of one visit: milliseconds, the sum of layout shifts, bytes on the wire."""

    first: float
    shifted: float
    weight: float


def main() -> None:
    """Print a line for each page and moment."""
    hand_in_games()
    print(f"{'page':8} {'moment':24} {'painted ms':>10} {'shifted':>8} {'kB':>6}")
    with sync_playwright() as play:
        browser = launch_chromium(play)
        for shot in SHOTS:
            for name in SHOWN:
                seen = list(visit(browser, shot, name))
                first = median(each.first for each in seen)
                shifted = max(each.shifted for each in seen)
                weight = median(each.weight for each in seen) / 1000
                print(f"{shot.page:8} {name:24} {first:10.0f} {shifted:8.3f} {weight:6.1f}", flush=True)
        browser.close()


def visit(browser: Browser, shot: Shot, name: str) -> Iterator[Paint]:
    """Load a page a few times without anything kept; the last time, let the match go on."""
    match = find_match(next(each for each in MOMENTS if f"{each.game}-{each.name}" == name))
    assert match.before is not None
    for _visit in range(TIMES):
        with TemporaryDirectory() as kept:
            room = room_with(match.before, Path(kept), looks=Looks())
            with served(room) as site, looking(browser, site, shot) as context:
                page = open_page(context, room, shot)
                first, weight = load_anew(page)
                room.door.tell(match)
                page.wait_for_selector(f"[data-moment='{match.number}']")
                yield Paint(first, page.evaluate(SHIFTED_SO_FAR), weight)


def load_anew(page: Page) -> tuple[float, float]:
    """Load a page without what the browser keeps; give when it was painted, and what it weighs."""
    weighed = page.context.new_cdp_session(page)
    weighed.send("Network.enable")
    weighed.send("Network.setCacheDisabled", {"cacheDisabled": True})
    sizes: list[float] = []
    weighed.on("Network.loadingFinished", lambda told: sizes.append(told["encodedDataLength"]))
    page.reload(wait_until="load")
    page.evaluate(SHIFTED)
    page.wait_for_function(PAINTED)
    return page.evaluate(PAINTED), sum(sizes)


if __name__ == "__main__":
    main()
