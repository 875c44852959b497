"""Finds clipped, small or covered elements of a page."""

from pathlib import Path

from playwright.sync_api import Page, expect

SCRIPTS = Path(__file__).with_name("scripts")


def script(name: str) -> str:
    return (SCRIPTS / f"{name}.js").read_text("utf-8")


FIND = script("cut_or_covered")
APART = (
    ".label",
    ".seats .plate, .seats .before",
    ".felt:not(.empty) image, .shown .card, .claims .card, .piles .card, .river",
    ".mine > .plate",
    ".hand .take, .edge .before, .edge .hint",
    ".console, .buttons > summary",
)
"""Elements of the simulated table; those of different groups must not overlap."""
MISPLACED = script("misplaced")
TARGETS = "a, button, summary, input:not([type=hidden]), select, label:has(input)"
SMALL_TARGETS = script("small_targets")
LONG_STORY = """() => document.querySelector("#story").insertAdjacentHTML("beforeend",
  `<ol>${"<li><p>told</p><p class=unseen>heard</p></li>".repeat(40)}</ol>`)"""
OVERHANG = """pair => {
  const [inner, outer] = pair.map(each => document.querySelector(each).getBoundingClientRect());
  return Math.max(
    outer.left - inner.left, inner.right - outer.right, outer.top - inner.top, inner.bottom - outer.bottom
  );
}"""


def layout_faults(page: Page, least: float, apart: str) -> list[str]:
    """Return texts that are clipped or smaller than `least` pixels, and overlapping elements of `apart`."""
    found: list[str] = page.evaluate(FIND, {"least": least, "apart": apart})
    return found


def covered(page: Page, apart: str) -> list[str]:
    return [each for each in layout_faults(page, 0, apart) if "lies over" in each]


def misplaced(page: Page) -> list[str]:
    """Return elements of the simulated table that are clipped, below the fold, or covered."""
    found: list[str] = page.evaluate(MISPLACED, APART)
    return found


def lengthen_story(page: Page) -> None:
    """Add many events to what happened at the simulated table."""
    page.evaluate(LONG_STORY)


def lowest(page: Page, selectors: str) -> float:
    boxes = [each.bounding_box() for each in page.locator(selectors).all()]
    return max((box["y"] + box["height"] for box in boxes if box is not None), default=0.0)


def small_targets(page: Page) -> list[str]:
    found: list[str] = page.evaluate(SMALL_TARGETS, [TARGETS, 44])  # pixels
    return found


def overhang(page: Page, inner: str, outer: str) -> float:
    """Return the largest overhang of one element beyond another, in pixels."""
    found: float = page.evaluate(OVERHANG, [inner, outer])
    return found


def expect_at_once(page: Page, selector: str) -> None:
    """Wait until an element is whole in sight, without scrolling."""
    expect(page.locator(selector).first).to_be_in_viewport(ratio=0.99, timeout=60_000)
