({ least, target, isOpen }) => {
  const found = [], near = 1;
  const shown = (each) => each.checkVisibility({ visibilityProperty: true })
    && !each.closest(".unseen, [hidden], svg, noscript, [aria-hidden=true]");
  const plain = (text) => text.replace(/\s+/g, " ").trim().slice(0, 60);
  const style = (each) => getComputedStyle(each);
  // what scrolls sideways is reached, but a page that one is on stands in its row of pages
  const scrolls = (each) => each && !each.matches("nav")
    && (style(each).overflowX === "auto" || scrolls(each.parentElement));
  // a bar at the foot, and what stays above others, lets what it covers come out from under it
  const isStuck = (each) => each
    && (["sticky", "fixed"].includes(style(each).position) || isStuck(each.parentElement));
  const frames = (each) => each === document.body ? [] : [
    ...(style(each).overflowY === "visible" ? [] : [each]), ...frames(each.parentElement)];
  const isOf = (one, other) => one.parentElement.contains(other) || other.contains(one)
    || one.closest("label, button, a")?.contains(other);
  if (!isOpen && scrollY) found.push(`opens scrolled by ${scrollY}`);
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const text = texts.currentNode, around = text.parentElement;
    if (!text.data.trim() || !shown(around)) continue;
    const size = parseFloat(style(around).fontSize), said = plain(text.data);
    if (size < least - 0.1) found.push(`${size.toFixed(1)} px: ${said}`);
    const range = document.createRange();
    range.selectNodeContents(text);
    const boxes = [...range.getClientRects()];
    // what ends in dots is meant to, but never what others have
    const isCut = style(around).textOverflow === "ellipsis" && !around.closest(".peek > summary");
    if (!isCut && !scrolls(around) && boxes.some((box) => box.left < -near || box.right > innerWidth + near))
      found.push(`beyond the edge: ${said}`);
    for (const box of isOpen || isCut ? [] : boxes) {
      const x = (box.left + box.right) / 2, y = (box.top + box.bottom) / 2;
      const edges = frames(around).map((frame) => [frame, frame.getBoundingClientRect()]);
      const out = edges.some(([, edge]) => x < edge.left || x > edge.right || y < edge.top || y > edge.bottom);
      // what has no room at all is left out; half a line is cut
      const isHalf = ([frame, edge]) => style(frame).overflowY === "hidden"
        && ((box.top < edge.bottom - 4 && box.bottom > edge.bottom + 4)
          || (box.top < edge.top - 4 && box.bottom > edge.top + 4));
      if (edges.some(isHalf)) found.push(`cut: ${said}`);
      const over = out ? null : document.elementFromPoint(x, y);
      if (over && !over.matches(".felt") && !isOf(over, around) && !isStuck(over) && !isStuck(around))
        found.push(`${over.localName}.${over.getAttribute("class")} lies over: ${said}`);
    }
  }
  // rows of a list may say the same of different things
  const told = [...document.querySelectorAll("p, h1, h2, h3, li, dd, figcaption")]
    .filter((each) => shown(each) && !each.matches(".source") && !each.querySelector("p, h2, li, dl"))
    .map((each) => ({ text: plain(each.innerText), row: each.closest("li, dd, .chapter") }))
    .filter((each) => / .* .* .*[.?!]$/.test(each.text));
  for (const [place, one] of isOpen ? [] : told.entries())
    if (told.slice(0, place).some((each) => each.text === one.text && !(each.row && one.row)))
      found.push(`said twice: ${one.text}`);
  for (const each of document.querySelectorAll("a, button, summary, input:not([type=hidden]), select")) {
    if (!shown(each) || each.matches("p a, small a, li > a:only-child")) continue;
    // what is hit is the label or the field, whichever is larger
    const sides = [each, ...(each.labels ?? [])].map((part) => part.getBoundingClientRect());
    const box = sides.reduce((one, other) => other.height > one.height ? other : one);
    const name = plain(each.innerText || each.ariaLabel || each.name);
    if (Math.min(box.width, box.height) < target - 0.5)
      found.push(`${Math.round(box.width)} x ${Math.round(box.height)}: ${name}`);
    const size = parseFloat(style(each).fontSize);
    const isTall = box.height > 3.5 * size && box.width < 5 * size;
    if (each.matches("a:not(:has(svg))") && name.includes(" ") && isTall)
      found.push(`word below word: ${name}`);
  }
  return [...new Set(found)];
}
