// Keeps a page at the current moment. Optional: without it, reload the page.
"use strict";
(() => {
  const part = document.getElementById("part");
  const lost = document.getElementById("lost");
  const notice = document.getElementById("notice");
  const address = document.body.dataset.live;
  const SILENCE = 12000; // the table sends a sign of life every 4 seconds
  const AGAIN = 3000;
  let source, heard, quiet;
  let leaving = false; // a form was sent, and its response is the next page
  let ahead; // seconds by which the table's clock is ahead of ours
  const TAP = 700; // milliseconds that a tap or a held call takes, at most
  let pressed = false, waiting; // a finger is down, and what came meanwhile
  let shown = part.innerHTML; // as the table drew it, before scripts change it

  function open() {
    source = new EventSource(address);
    heard = Date.now();
    source.onopen = alive;
    source.addEventListener("beat", alive);
    source.addEventListener("moment", (event) => { alive(); showSoon(event.data); });
    source.addEventListener("notice", (event) => { alive(); say(event.data); });
    source.addEventListener("tune", (event) => { document.dispatchEvent(new CustomEvent("tune", { detail: event.data })); });
    source.addEventListener("speech", (event) => { document.dispatchEvent(new CustomEvent("speech", { detail: event.data })); });
    source.addEventListener("clock", (event) => { ahead = Number(event.data) - Date.now() / 1000; count(); });
    source.addEventListener("gone", () => { source.close(); if (!leaving) location.assign(document.body.dataset.home); });
    source.onerror = () => { lost.hidden = false; };
  }

  function alive() {
    heard = Date.now();
    lost.hidden = true;
  }

  // Reconnect if the connection went silent or the browser gave up.
  function keepOpen() {
    const silent = Date.now() - heard;
    if (silent > SILENCE) lost.hidden = false;
    if (silent > SILENCE || (source.readyState === EventSource.CLOSED && silent > AGAIN)) {
      source.close();
      open();
    }
  }

  // Emblem and colours around the part are the game's: another one may have begun.
  function wearLook(fresh) {
    const emblem = fresh.querySelector("template[data-look]");
    if (!emblem || emblem.dataset.look === document.body.dataset.game) return;
    document.body.classList.replace(`look-${document.body.dataset.game}`, `look-${emblem.dataset.look}`);
    document.body.dataset.game = emblem.dataset.look;
    document.querySelector("header .tab")?.replaceChildren(emblem.content.cloneNode(true));
  }

  // What is under a finger stays until the tap is over: it would be lost with what it was meant for.
  function showSoon(drawn) {
    if (!pressed) { show(drawn); return; }
    if (waiting === undefined) setTimeout(showWaiting, TAP);
    waiting = drawn;
  }

  function showWaiting() {
    if (waiting === undefined) return;
    const drawn = waiting;
    waiting = undefined;
    show(drawn);
  }

  addEventListener("pointerdown", () => { pressed = true; }, true);
  for (const end of ["pointerup", "pointercancel"]) {
    // the tap itself comes after the finger has gone up
    addEventListener(end, () => { pressed = false; setTimeout(showWaiting); }, true);
  }

  function show(drawn) {
    const fresh = document.createElement("div");
    fresh.innerHTML = drawn;
    notice.hidden = true;
    // a stream begins with the moment that the page shows already: what is under a finger stays
    if (fresh.innerHTML !== shown) replace(fresh);
    document.dispatchEvent(new CustomEvent("drawn"));
  }

  function replace(fresh) {
    shown = fresh.innerHTML;
    wearLook(fresh);
    keepTyped(fresh);
    document.dispatchEvent(new CustomEvent("drawing", { detail: fresh }));
    const focused = document.activeElement && part.contains(document.activeElement) ? document.activeElement : null;
    const unfolded = new Set([...part.querySelectorAll("details[open]")].map(nameOf));
    const scrolled = new Map([...part.querySelectorAll(".grid")].map((grid) => [grid.getAttribute("aria-label"), grid.scrollLeft]));
    part.replaceChildren(...fresh.childNodes);
    scrollGrids(scrolled);
    for (const fold of part.querySelectorAll("details")) fold.open = fold.open || unfolded.has(nameOf(fold));
    if (focused) goOnAt(focused);
    steppers();
    count();
  }

  // Keys go on where they were; where that is gone, at the question.
  function goOnAt(focused) {
    const { id, name, value } = focused;
    const typed = name && focused.localName === "input" && focused.type !== "radio" && part.querySelector(`input[name="${CSS.escape(name)}"]`);
    if (typed) { goOnTyping(typed); return; }
    const fold = focused.localName === "summary" && nameOf(focused.parentElement);
    const same = id ? document.getElementById(id)
      : name ? part.querySelector(`[name="${CSS.escape(name)}"][value="${CSS.escape(value)}"]`)
      : fold && [...part.querySelectorAll("details")].find((each) => nameOf(each) === fold)?.querySelector("summary");
    (same || document.getElementById("question"))?.focus({ preventScroll: true });
  }

  // Go on where one was typing: behind what was typed, or over what stands there by itself.
  function goOnTyping(field) {
    const typed = field.value;
    field.focus();
    if (typed === field.defaultValue) { field.select(); return; }
    field.value = "";
    field.value = typed;
  }

  // What a fold is called, by which it is known in the next drawing.
  function nameOf(fold) {
    return fold.id || `${fold.getAttribute("name")} ${fold.querySelector("summary").textContent.trim()}`;
  }

  // Keep what is being typed while the ask stays the same.
  function keepTyped(fresh) {
    for (const form of part.querySelectorAll("form.ask")) {
      const ask = form.querySelector("[name=ask]");
      const same = ask && [...fresh.querySelectorAll("form.ask")]
        .find((other) => other.querySelector("[name=ask]")?.value === ask.value);
      if (!same) continue;
      for (const typed of form.querySelectorAll("input[type=number]")) {
        const field = same.querySelector(`input[name="${CSS.escape(typed.name)}"]`);
        if (field && typed.value !== typed.defaultValue && field.defaultValue === typed.defaultValue) field.value = typed.value;
      }
    }
  }

  // Keep the scroll position of grids; show the first button of a grid with buttons.
  function scrollGrids(scrolled) {
    for (const grid of part.querySelectorAll(".grid")) {
      const before = scrolled.get(grid.getAttribute("aria-label"));
      const button = grid.querySelector("button");
      if (before !== undefined) grid.scrollLeft = before;
      if (!button) continue;
      const [all, one] = [grid.getBoundingClientRect(), button.getBoundingClientRect()];
      if (one.left < all.left || one.right > all.right) grid.scrollLeft += one.left - all.left - all.width / 3;
    }
  }

  // Count the seconds down until the clock answers.
  function count() {
    if (ahead === undefined) return;
    for (const clock of part.querySelectorAll("[data-ends]")) {
      const exact = Math.max(0, clock.dataset.ends - ahead - Date.now() / 1000);
      if (clock.localName === "progress") { clock.value = exact; continue; }
      const left = Math.ceil(exact);
      const text = clock.dataset.left.replace("#", left);
      if (clock.textContent !== text) clock.textContent = text;
    }
  }

  setInterval(count, 250);

  function say(text) {
    // an alarm that stands there says it already
    const bare = text.replace(/\s+/g, " ");
    if ([...part.querySelectorAll("[role=alert]")].some((alarm) => alarm.textContent.replace(/\s+/g, " ").includes(bare))) return;
    notice.textContent = text;
    notice.hidden = false;
    clearTimeout(quiet);
    quiet = setTimeout(() => { notice.hidden = true; }, 15000);
  }

  // A tap on a card counts it once more, a tap on the button below once less.
  function steppers() {
    for (const input of part.querySelectorAll(".pile input")) {
      const label = input.labels[0];
      const button = document.createElement("button");
      button.type = "button";
      button.className = "less";
      button.textContent = "−";
      button.setAttribute("aria-label", `− ${label.querySelector("img")?.alt || label.textContent}`);
      button.addEventListener("click", () => countBy(input, -1));
      label.addEventListener("click", (event) => { event.preventDefault(); countBy(input, 1); });
      input.after(button);
      input.closest(".pile").classList.add("stepper");
    }
  }

  function countBy(input, by) {
    by < 0 ? input.stepDown() : input.stepUp();
    input.dispatchEvent(new Event("input", { bubbles: true }));
  }

  addEventListener("submit", (event) => { leaving = !event.defaultPrevented; });
  addEventListener("pageshow", () => { leaving = false; });
  steppers();
  scrollGrids(new Map());
  // the page's other scripts have run by then: none misses the first moment
  addEventListener("DOMContentLoaded", () => { open(); setInterval(keepOpen, 1000); });
})();
