([cards, beside]) => {
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
}
