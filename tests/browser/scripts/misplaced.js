groups => {
  const found = [], near = 3;
  const shown = names => [...document.querySelectorAll(names)].filter(each => each.checkVisibility() && each.getClientRects().length);
  const box = each => each.getBoundingClientRect();
  const say = each => `${each.getAttribute("class") || each.tagName} ${(each.innerText || "").slice(0, 40)}`;
  const isOver = (one, other) => {
    const [a, b] = [box(one), box(other)];
    const isBeside = a.left > b.right - near || b.left > a.right - near;
    return !isBeside && a.top < b.bottom - near && b.top < a.bottom - near;
  };
  const all = groups.map(shown);
  for (const each of all.flat()) {
    const at = box(each);
    if (at.left < -near || at.right > innerWidth + near) found.push(`beyond the edge: ${say(each)}`);
    if (at.top < -near || at.bottom > innerHeight + near) found.push(`beyond the fold: ${say(each)}`);
  }
  for (const each of shown(".label")) if (each.scrollHeight > each.clientHeight + near) found.push(`cut: ${say(each)}`);
  for (const each of shown(".hand .take.lit")) {
    const at = box(each), over = document.elementFromPoint(at.left + 12, at.top + at.height / 2);
    if (!each.contains(over)) found.push(`a card covers ${each.ariaLabel}`);
  }
  // a text that ends in dots lacks something that matters
  for (const each of shown(".bar .facts span, .board *, .label *"))
    if (getComputedStyle(each).textOverflow === "ellipsis" && each.scrollWidth > each.clientWidth + 1)
      found.push(`cut: ${say(each)}`);
  const below = document.scrollingElement.scrollHeight - innerHeight;
  if (below > near) found.push(`${below} pixels below the fold`);
  all.forEach((group, place) => {
    for (const other of all.slice(place + 1).flat())
      for (const each of group)
        if (!each.contains(other) && isOver(each, other)) found.push(`${say(each)} over ${say(other)}`);
  });
  return found;
}
