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
