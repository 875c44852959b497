// Keeps a page up to date. Optional: without it, reload the page.
"use strict";
(() => {
  const part = document.getElementById("part");
  const lost = document.getElementById("lost");
  const notice = document.getElementById("notice");
  const address = document.body.dataset.live;
  const SILENCE = 12000; // milliseconds; the table sends a heartbeat every 4 seconds
  const AGAIN = 3000;
  let source, heard, quiet;
  let leaving = false; // a form was submitted, and its response is the next page
  let ahead; // seconds by which the table's clock is ahead of the browser's
  const TAP = 700; // longest tap or held call, in milliseconds
  let pressed = false, waiting; // a finger is down; update received meanwhile
  let shown = part.innerHTML; // the part as sent by the table, before scripts change it

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

  // Update the emblem and colours around the part, because another game may have started.
  function wearLook(fresh) {
    const emblem = fresh.querySelector("template[data-look]");
    if (!emblem || emblem.dataset.look === document.body.dataset.game) return;
    document.body.classList.replace(`look-${document.body.dataset.game}`, `look-${emblem.dataset.look}`);
    document.body.dataset.game = emblem.dataset.look;
    document.querySelector("header .tab")?.replaceChildren(emblem.content.cloneNode(true));
  }

  // Delay updates until a tap is over, so that its target doesn't disappear.
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
    // the click event follows the release
    addEventListener(end, () => { pressed = false; setTimeout(showWaiting); }, true);
  }

  function show(drawn) {
    const fresh = document.createElement("div");
    fresh.innerHTML = drawn;
    notice.hidden = true;
    // a stream starts with the moment already on the page; don't replace what is being tapped
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
    count();
  }

  // Restore the keyboard focus, or move it to the question.
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

  // Restore the text cursor: after typed text, or with a preset value selected.
  function goOnTyping(field) {
    const typed = field.value;
    field.focus();
    if (typed === field.defaultValue) { field.select(); return; }
    field.value = "";
    field.value = typed;
  }

  // Return a key that identifies a fold in the next update.
  function nameOf(fold) {
    return fold.id || `${fold.getAttribute("name")} ${fold.querySelector("summary").textContent.trim()}`;
  }

  // Restore typed text while the ask stays the same.
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

  // Restore the scroll position of grids; scroll to the first button of a grid with buttons.
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

  // Count down the seconds until the clock answers.
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
    // an existing alert already announces it
    const bare = text.replace(/\s+/g, " ");
    if ([...part.querySelectorAll("[role=alert]")].some((alarm) => alarm.textContent.replace(/\s+/g, " ").includes(bare))) return;
    notice.textContent = text;
    notice.hidden = false;
    clearTimeout(quiet);
    quiet = setTimeout(() => { notice.hidden = true; }, 15000);
  }

  addEventListener("submit", (event) => { leaving = !event.defaultPrevented; });
  addEventListener("pageshow", () => { leaving = false; });
  scrollGrids(new Map());
  // start after all other scripts, so that none misses the first moment
  addEventListener("DOMContentLoaded", () => { open(); setInterval(keepOpen, 1000); });
})();
