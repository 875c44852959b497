"""What is wrong with how the simulated table is laid out: cut, beyond the fold, or one thing over another."""

from playwright.sync_api import Page

FOUND = """() => {
  const found = [], near = 3;
  const shown = names => [...document.querySelectorAll(names)].filter(each => each.getClientRects().length);
  const box = each => each.getBoundingClientRect();
  const say = each => `${each.getAttribute("class") || each.tagName} ${(each.innerText || "").slice(0, 40)}`;
  const parts = ".label, .plate, .console, .hand .take, .felt image, .shown .card, .claims .card, .piles .card, .river";
  for (const each of shown(`${parts}, .camera, .tools`)) {
    const at = box(each);
    if (at.left < -near || at.right > innerWidth + near) found.push(`beyond the edge: ${say(each)}`);
    if (at.top < -near || at.bottom > innerHeight + near) found.push(`beyond the fold: ${say(each)}`);
  }
  const [label] = shown(".label");
  if (label.scrollHeight > label.clientHeight + near) found.push(`cut: ${say(label)}`);
  const over = (one, other) => {
    const [a, b] = [box(one), box(other)];
    return a.left < b.right - near && b.left < a.right - near && a.top < b.bottom - near && b.top < a.bottom - near;
  };
  const beside = ".plate, .console, .hand .take, .felt image, .shown .card, .claims .card, .piles .card, .river";
  for (const each of shown(beside)) if (over(label, each)) found.push(`under the question: ${say(each)}`);
  for (const each of shown(".hand .take")) if (over(each, shown(".console, .nothing")[0] || label)) found.push("a card under the board");
  return found;
}"""


def misplaced(page: Page) -> list[str]:
    """List what is cut, beyond the edge of the screen, or hidden by something else."""
    found: list[str] = page.evaluate(FOUND)
    return found
