"""Where things are on a page: what is seen at once, what overlaps, what is cut off."""

from playwright.sync_api import Page

OVERLAPS = """selectors => {
    const shown = [...document.querySelectorAll(selectors)].filter((each) => each.getClientRects().length);
    const box = new Map(shown.map((each) => [each, each.getBoundingClientRect()]));
    const name = (each) => each.textContent.trim().slice(0, 30) || each.outerHTML.slice(0, 60);
    const found = [];
    for (const [a, one] of box) for (const [b, two] of box) {
        if (a === b || a.contains(b) || b.contains(a) || !(a.compareDocumentPosition(b) & 4)) continue;
        const wide = Math.min(one.right, two.right) - Math.max(one.left, two.left);
        const high = Math.min(one.bottom, two.bottom) - Math.max(one.top, two.top);
        if (wide > 1 && high > 1) found.push(`${name(a)} / ${name(b)}`);
    }
    return found;
}"""
TARGETS = "a, button, summary, input:not([type=hidden]), select, label:has(input)"
SMALL_TARGETS = """([targets, least]) => [...document.querySelectorAll(targets)]
    .filter((each) => each.getClientRects().length && !each.closest(".unseen") && !each.matches("p a, small a"))
    .filter((each) => !(each.matches("input") && each.closest("label")))
    .map((each) => [each.textContent.trim().slice(0, 30), each.getBoundingClientRect()])
    .filter(([text, box]) => box.width < least - 0.5 || box.height < least - 0.5)
    .map(([text, box]) => `${text} ${Math.round(box.width)} x ${Math.round(box.height)}`)"""


def overlaps(page: Page, selectors: str) -> list[str]:
    """List what covers something else."""
    found: list[str] = page.evaluate(OVERLAPS, selectors)
    return found


def small_targets(page: Page, least: int = 44) -> list[str]:
    """List what is too small for a thumb."""
    found: list[str] = page.evaluate(SMALL_TARGETS, [TARGETS, least])
    return found


def is_seen_at_once(page: Page, selector: str) -> bool:
    """Tell whether something is seen whole, without scrolling."""
    box, size = page.locator(selector).first.bounding_box(), page.viewport_size
    if box is None or size is None:
        return False
    is_wide = box["x"] >= 0 and box["x"] + box["width"] <= size["width"] + 0.5
    return is_wide and box["y"] >= 0 and box["y"] + box["height"] <= size["height"] + 0.5
