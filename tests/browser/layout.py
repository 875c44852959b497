"""What is cut, too small, or covered on a page, as a person would see it."""

from playwright.sync_api import Page

FIND = """
({least, apart}) => {
  const found = [];
  const unseen = ".unseen, [aria-hidden=true], [hidden], .scene";
  const shown = (node) => !node.closest(unseen) && node.checkVisibility()
    && getComputedStyle(node).clipPath === "none";
  const name = (node) => `${node.tagName.toLowerCase()}.${node.getAttribute("class") || ""}`;
  const words = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (words.nextNode()) {
    const text = words.currentNode, node = text.parentElement;
    if (!text.data.trim() || !shown(node) || node.closest("script, style, noscript")) continue;
    const size = parseFloat(getComputedStyle(node).fontSize);
    if (size < least - 0.1) found.push(`small: ${size} px: ${text.data.trim().slice(0, 40)}`);
    const range = document.createRange();
    range.selectNodeContents(text);
    const slack = size * 0.3;
    for (let around = node; around && around !== document.documentElement; around = around.parentElement) {
      const style = getComputedStyle(around);
      // what ends in dots is meant to, and what scrolls is reached
      if (style.textOverflow === "ellipsis" || around.matches(".river")) break;
      if (around !== document.body && style.overflowX === "visible" && style.overflowY === "visible") continue;
      const whole = { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
      const frame = around === document.body ? whole : around.getBoundingClientRect();
      for (const box of range.getClientRects()) {
        const beside = box.left < frame.left - 1 || box.right > frame.right + 1;
        if (beside || box.top < frame.top - slack || box.bottom > frame.bottom + slack)
          found.push(`cut by ${name(around)}: ${text.data.trim().slice(0, 40)}`);
      }
    }
  }
  const parts = [...document.querySelectorAll(apart)].filter(shown);
  const left = document.scrollingElement.scrollHeight - innerHeight - scrollY;
  const isBar = (node) => getComputedStyle(node).position === "sticky";
  const isStuck = (node) => node && (isBar(node) || isStuck(node.parentElement));
  for (const [place, one] of parts.entries()) for (const other of parts.slice(place + 1)) {
    if (one.contains(other) || other.contains(one)) continue;
    const [a, b] = [one.getBoundingClientRect(), other.getBoundingClientRect()];
    const across = Math.min(a.right, b.right) - Math.max(a.left, b.left);
    const down = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
    // what scrolls comes out from under a bar that stays at the thumb
    const scrolls = (isStuck(one) || isStuck(other)) && down <= left;
    if (across > 2 && down > 2 && !scrolls) found.push(`${name(one)} lies over ${name(other)}`);
  }
  for (const image of document.images)
    if (image.complete && !image.naturalWidth) found.push(`no picture: ${image.src}`);
  const all = document.scrollingElement;
  if (all.scrollWidth > innerWidth) found.push(`${all.scrollWidth - innerWidth} pixels too wide`);
  return [...new Set(found)];
}
"""
CARDS = ".hand .take, .felt image, .shown .card, .claims .card, .piles .card, .river"
BESIDE = f".plate, .console, {CARDS}"
"""What stands beside the question, and must not be under it."""
MISPLACED = """([cards, beside]) => {
  const found = [], near = 3;
  const shown = names => [...document.querySelectorAll(names)].filter(each => each.getClientRects().length);
  const box = each => each.getBoundingClientRect();
  const say = each => `${each.getAttribute("class") || each.tagName} ${(each.innerText || "").slice(0, 40)}`;
  const isOver = (one, other) => {
    const [a, b] = [box(one), box(other)];
    const isBeside = a.left > b.right - near || b.left > a.right - near;
    return !isBeside && a.top < b.bottom - near && b.top < a.bottom - near;
  };
  for (const each of shown(`.label, ${beside}, .camera, .tools`)) {
    const at = box(each);
    if (at.left < -near || at.right > innerWidth + near) found.push(`beyond the edge: ${say(each)}`);
    if (at.top < -near || at.bottom > innerHeight + near) found.push(`beyond the fold: ${say(each)}`);
  }
  const [label] = shown(".label"), [board] = shown(".console");
  if (label.scrollHeight > label.clientHeight + near) found.push(`cut: ${say(label)}`);
  for (const each of shown(beside)) if (isOver(label, each)) found.push(`under the question: ${say(each)}`);
  for (const each of shown(cards)) if (board && isOver(each, board)) found.push(`under it: ${say(each)}`);
  return found;
}"""
LOWEST = """selectors => Math.max(0, ...[...document.querySelectorAll(selectors)]
    .map((each) => each.getBoundingClientRect().bottom))"""
TARGETS = "a, button, summary, input:not([type=hidden]), select, label:has(input)"
SMALL_TARGETS = """([targets, least]) => [...document.querySelectorAll(targets)]
    .filter((each) => each.getClientRects().length && !each.closest(".unseen") && !each.matches("p a, small a"))
    .filter((each) => !(each.matches("input") && each.closest("label")))
    .map((each) => [each.textContent.trim().slice(0, 30), each.getBoundingClientRect()])
    .filter(([text, box]) => box.width < least - 0.5 || box.height < least - 0.5)
    .map(([text, box]) => `${text} ${Math.round(box.width)} x ${Math.round(box.height)}`)"""


def layout_faults(page: Page, least: float, apart: str) -> list[str]:
    """List texts that are cut or smaller than `least` pixels, and parts `apart` of which one covers another."""
    found: list[str] = page.evaluate(FIND, {"least": least, "apart": apart})
    return found


def covered(page: Page, apart: str) -> list[str]:
    return [each for each in layout_faults(page, 0, apart) if "lies over" in each]


def misplaced(page: Page) -> list[str]:
    """List what of the simulated table is cut, beyond the edge of the screen, or hidden by something else."""
    found: list[str] = page.evaluate(MISPLACED, [CARDS, BESIDE])
    return found


def lowest(page: Page, selectors: str) -> float:
    """Tell how far down the lowest of some things reaches."""
    found: float = page.evaluate(LOWEST, selectors)
    return found


def small_targets(page: Page, least: int = 44) -> list[str]:
    found: list[str] = page.evaluate(SMALL_TARGETS, [TARGETS, least])
    return found


def is_seen_at_once(page: Page, selector: str) -> bool:
    """Tell whether something is seen whole, without scrolling."""
    box, size = page.locator(selector).first.bounding_box(), page.viewport_size
    if box is None or size is None:
        return False
    is_wide = box["x"] >= 0 and box["x"] + box["width"] <= size["width"] + 0.5
    return is_wide and box["y"] >= 0 and box["y"] + box["height"] <= size["height"] + 0.5
