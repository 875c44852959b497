({ confirm, least, claims, said, fold, clock, may }) => {
  const found = [], near = 1;
  const shown = (each) => each.checkVisibility() && each.getClientRects().length
    && !each.closest(".unseen, [hidden]");
  const all = (names) => [...document.querySelectorAll(names)].filter(shown);
  const box = (each) => each.getBoundingClientRect();
  const plain = (text) => text.toLowerCase().replace(/\s+/g, " ");
  const say = (what, each) =>
    found.push(`${what}: ${each.getAttribute("class") || each.localName} ${plain(each.innerText)}`);
  const end = (names, last) => {
    for (const each of all(names))
      if (!each.closest(".river, .targets") && box(each).bottom > last + near)
        say(`ends at ${Math.round(box(each).bottom)}`, each);
  };
  // what is decided about
  const fact = all(".fact")[0];
  if (!fact) return ["no fact"];
  const { top, bottom, height } = box(fact);
  if (height < least) found.push(`the fact is ${Math.round(height)} high`);
  const cards = all(".fact .claimed .card").length;
  // what has come to light is a scene, which has its own words
  const isScene = all(".fact .in-scene").length > 0;
  if (!isScene && cards < claims) found.push(`${cards} of ${claims} claimed cards are shown`);
  for (const each of all(".fact .inner > *, .fact :not(.in) > .card"))
    if (box(each).top < top - 3 || box(each).bottom > bottom + 3) say("beyond the fact", each);
  const told = plain(all(".fact, .everybody").map((each) => each.innerText).join(" "));
  if (!isScene && said.length && !said.some((words) => words.every((word) => told.includes(plain(word)))))
    found.push(`the fact lacks: ${said}`);
  if (clock && !all(".fact .fuse").length) found.push("no clock");
  const page = plain(document.querySelector(".phone").innerText);
  if (!page.includes(plain(may))) found.push(`nowhere: ${may}`);
  // what is asked, and what is pressed
  end("h1, .asking h2, .asking form :is(button, summary, .face), .asking a.choice, button.howl", confirm);
  end(".peek > summary, #hold", fold);
  // whole words, and nothing beyond the edge
  const texts = document.createTreeWalker(document.querySelector(".phone"), NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const text = texts.currentNode, around = text.parentElement;
    if (!text.data.trim() || !shown(around) || around.closest("svg, .sheetup")) continue;
    for (const part of text.data.matchAll(/[^\s\u2010-\u2014\/-]+/g)) {
      const range = document.createRange();
      range.setStart(text, part.index);
      range.setEnd(text, part.index + part[0].length);
      const [first, ...lines] = [...range.getClientRects()].filter((each) => each.width > 0);
      if (lines.some((each) => each.top > first.top + first.height / 2)) say(`broken: ${part[0]}`, around);
    }
    const isCut = around.scrollWidth > around.clientWidth + 1
      && getComputedStyle(around).textOverflow === "ellipsis";
    const isWhole = around.closest(".fact, .asking, .hint") && !around.closest(".laid, .brought");
    if (isCut && isWhole) say("ends in dots", around);
  }
  for (const each of all(".phone *")) {
    if (each.closest(".river, svg, .in, .peek > summary > span")) continue;
    if (box(each).right > innerWidth + near || box(each).left < -near) say("beyond the edge", each);
  }
  return [...new Set(found)];
}
