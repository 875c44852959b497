// Fills a dialog with the rules. Where that fails, they open as a page.
"use strict";

// Returns the part about an answer's word: null without one, undefined if the page opens instead.
async function fillRuleSheet(sheet, address, word) {
  let text;
  try {
    const answer = await fetch(address, { credentials: "same-origin" });
    if (!answer.ok) throw new Error(answer.status);
    text = await answer.text();
  } catch {
    location.href = address;
    return undefined;
  }
  const main = new DOMParser().parseFromString(text, "text/html").querySelector("main");
  sheet.querySelector(".helped").replaceChildren(...main.childNodes);
  return [...sheet.querySelectorAll("[data-word]")].find((each) => each.dataset.word === word) || null;
}
