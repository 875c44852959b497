// Feeds screen readers: each sentence once and in order, then the question.
"use strict";
(() => {
  const place = document.getElementById("aloud");
  const KEPT = 24; // sentences in the log
  // the question, or the element in its place that has the focus
  const ASKED = "#question, #asked .fact, #asked h2, #asked .total, #asked .verdict, #scene h2";
  const FOCUSED = "#question, #asked, #scene";
  let asked = "", label = "";
  const held = new Map(); // cards already announced, by player

  const plain = (node) => node.textContent.trim().replace(/\s+/g, " ");
  const ended = (text) => (/[.?!:]$/.test(text) ? text : `${text}.`);

  const rulings = () => [...document.querySelectorAll("[data-told]")].sort((one, other) => one.dataset.told - other.dataset.told);
  const newest = () => Number(rulings().at(-1)?.dataset.told ?? -1);
  const matchNow = () => document.querySelector("[data-match]")?.dataset.match;
  // on load, only the newest sentence is new; later sentences always are
  let last = newest() - 1, match = matchNow();

  function told() {
    if (matchNow() !== match) {
      match = matchNow();
      last = -1;
      held.clear();
    }
    const news = rulings().filter((each) => Number(each.dataset.told) > last);
    last = Math.max(last, newest());
    return news.flatMap((each) => [...each.querySelectorAll("p, li:not(:has(a))")].map(plain));
  }

  // Announce new cards: the player's own, and those that others wear.
  function cards() {
    return [...document.querySelectorAll("[data-who]")].flatMap((each) => {
      const before = [...(held.get(each.dataset.who) || [])];
      const now = [...each.querySelectorAll(".worn img, [data-card]")].map((card) => card.dataset.card || card.alt);
      held.set(each.dataset.who, now);
      const came = now.filter((card) => !before.includes(card) || (before.splice(before.indexOf(card), 1), false));
      return came.length ? [each.dataset.who + came.join(", ")] : [];
    });
  }

  const stepOf = (card) => [card.querySelector("img").alt, card.querySelector("p")?.textContent].filter(Boolean).join(": ");

  // Announce the question, or a result step by step; a question shared by several answers comes once.
  function question() {
    const steps = [...document.querySelectorAll("#table .showing .shown li")].map(stepOf);
    return [...steps, ...new Set([...document.querySelectorAll(ASKED)].filter((each) => each.checkVisibility()).map(plain))].filter(Boolean).map(ended);
  }

  function hear() {
    const news = [...told(), ...cards()].map(ended);
    const now = question().filter((each) => !news.includes(each)).join(" ");
    const text = [...news, now === asked ? "" : now].filter(Boolean);
    if (text.length) label = [...news, now].join(" ");
    asked = now;
    const focused = document.activeElement?.matches(FOCUSED) ? document.activeElement : null;
    // screen readers announce the focused element at once, so put the sentences before it
    if (focused) focused.setAttribute("aria-label", label);
    else for (const each of text) place.append(Object.assign(document.createElement("p"), { textContent: each }));
    while (place.children.length > KEPT) place.firstChild.remove();
  }

  document.addEventListener("drawn", hear);
})();
