// Keeps what the camera sees up to date while somebody looks at it. Without it, the page is reloaded now and then.
"use strict";
(() => {
  const LEAST = 1000, SOON = 200; // milliseconds between two looks, and until one after an update
  const FOUND = 2000; // milliseconds for which the row says that all is well again
  const { found } = document.currentScript.dataset;
  const box = document.createElement("div");
  let wasWrong = false;
  let fragment = "", number = 0, isBusy = false, timer;

  const place = () => document.querySelector("[data-view]");

  // The picture stays while a page draws its part again.
  function settle() {
    const there = place();
    if (there && box.parentElement !== there) there.replaceChildren(box);
  }

  function isLookedAt() {
    return !document.hidden && place()?.getClientRects().length > 0;
  }

  // Say for a moment that a problem is over, unless somebody's answer ended it.
  function noteRow() {
    const row = document.querySelector(".cam, .lastline.camera");
    const isWrong = row !== null && !row.matches(".of-seen, .of-odd, .of-waits");
    if (wasWrong && row && !isWrong && found && !row.querySelector("form")) {
      const says = row.querySelector("b");
      const { hidden } = row, before = says.textContent;
      says.textContent = found;
      row.hidden = false;
      row.classList.add("found");
      setTimeout(() => { says.textContent = before; row.hidden = hidden; row.classList.remove("found"); }, FOUND);
    }
    wasWrong = isWrong;
  }

  // Load the next picture completely before it takes the place of the last one.
  async function refresh() {
    const shown = box.querySelector("img");
    if (!shown) return;
    const next = new Image();
    next.alt = shown.alt;
    next.src = `/view.jpg?${place().dataset.view}&${++number}`;
    try { await next.decode(); } catch { shown.style.visibility = "hidden"; return; }
    box.querySelector("img")?.replaceWith(next);
  }

  async function look() {
    settle();
    noteRow();
    if (isBusy || !isLookedAt()) { again(LEAST); return; }
    isBusy = true;
    try {
      const answer = await fetch(`/view/part?${place().dataset.view}`);
      const text = answer.ok ? await answer.text() : "";
      if (text !== fragment) show(text);
      await refresh();
    } catch { /* the table can't be reached: live.js says so */ }
    isBusy = false;
    again(Number(box.querySelector("[data-each]")?.dataset.each) || LEAST);
  }

  function again(milliseconds) {
    clearTimeout(timer);
    timer = setTimeout(look, milliseconds);
  }

  function show(text) {
    fragment = text;
    const before = box.querySelector("img");
    box.innerHTML = text;
    // never a picture that this viewer may no longer see
    const now = box.querySelector("img");
    if (now && before) now.replaceWith(before);
  }

  document.addEventListener("drawn", () => { settle(); noteRow(); again(SOON); });
  box.innerHTML = place()?.innerHTML ?? "";
  settle();
  look();
})();
