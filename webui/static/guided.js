// Refreshes the image and the next step, and reads taps on the image. Without it, reload the page and
// type the corners.
"use strict";
(() => {
  const POLL_MS = 700;
  const guided = document.querySelector("[data-again]");
  const picture = document.querySelector("img[data-live]");
  const figure = document.querySelector("[data-taps]");
  const CORNERS = 4;
  let isSent = false;

  function later(what) { setTimeout(what, POLL_MS); }

  function look() {
    if (document.hidden) { later(look); return; }
    const none = document.querySelector(".none");
    const next = new Image();
    next.onload = () => { picture.src = next.src; if (none) none.hidden = true; later(look); };
    next.onerror = () => { if (none) none.hidden = false; later(look); };
    next.src = `${picture.dataset.live}?at=${Date.now()}`;
  }

  async function again() {
    try {
      if (!document.hidden && !isSent) show(await (await fetch(guided.dataset.again)).text());
    } catch { /* the table is unreachable; try again later */ }
    later(again);
  }

  function show(text) {
    const fresh = new DOMParser().parseFromString(text, "text/html");
    if (!fresh.querySelector("[data-again]")) { location.assign(guided.dataset.again); return; }
    for (const part of document.querySelectorAll("[data-part]")) {
      const other = fresh.querySelector(`[data-part="${part.dataset.part}"]`);
      const isTyping = part.contains(document.activeElement) && document.activeElement.matches("input");
      if (other && !isTyping && other.innerHTML !== part.innerHTML && hasRested(part)) replace(part, other);
    }
  }

  // Text that changes with every image is unreadable, also for screen readers, so hold it for a while.
  const changed = new Map();

  function hasRested(part) {
    const now = Date.now();
    if (now - (changed.get(part) || 0) < Number(part.dataset.rest || 0)) return false;
    changed.set(part, now);
    return true;
  }

  // Restore the focus to the button of the same form and value.
  function replace(part, other) {
    const focused = part.contains(document.activeElement) ? document.activeElement : null;
    const [here, value] = [focused?.form?.getAttribute("action"), focused?.value];
    part.replaceChildren(...other.childNodes);
    if (!here) return;
    const buttons = [...part.querySelectorAll(`form[action="${CSS.escape(here)}"] button`)];
    (buttons.find((button) => button.value === value) || buttons[0])?.focus({ preventScroll: true });
  }

  function taps() {
    const [wide, high] = figure.dataset.taps.split(" ").map(Number);
    const drawing = figure.querySelector("svg");
    const told = document.querySelector(".taps");
    const legends = [...document.querySelectorAll(".corner legend")].map((each) => each.textContent);
    const fields = Array.from({ length: CORNERS }, (_, corner) =>
      ["x", "y"].map((axis) => document.querySelector(`input[name="${axis}${corner}"]`)));
    const places = () => fields.map(([x, y]) =>
      x.value && y.value ? [Number(x.value.replace(",", ".")), Number(y.value.replace(",", "."))] : null);

    function tell() {
      const next = places().indexOf(null);
      told.hidden = false;
      told.textContent = next < 0 ? told.dataset.done : `${told.dataset.next} ${legends[next]}`;
      drawing.querySelectorAll("circle").forEach((each) => each.remove());
      for (const place of places().filter(Boolean)) {
        const dot = document.createElementNS("http://www.w3.org/2000/svg", "circle");
        for (const [name, value] of [["cx", place[0]], ["cy", place[1]], ["r", wide / 60]]) dot.setAttribute(name, value);
        drawing.append(dot);
      }
    }

    // With all four corners set, move the nearest one.
    function nearest(x, y) {
      const far = places().map((place) => Math.hypot(place[0] - x, place[1] - y));
      return far.indexOf(Math.min(...far));
    }

    figure.addEventListener("click", (event) => {
      const box = figure.getBoundingClientRect();
      const x = Math.min(wide - 1, Math.max(0, Math.round((event.clientX - box.left) / box.width * wide)));
      const y = Math.min(high - 1, Math.max(0, Math.round((event.clientY - box.top) / box.height * high)));
      const empty = places().indexOf(null);
      const [across, down] = fields[empty < 0 ? nearest(x, y) : empty];
      across.value = x;
      down.value = y;
      tell();
    });
    fields.flat().forEach((field) => field.addEventListener("input", tell));
    tell();
  }

  // Show that an action takes a while, and prevent sending it twice.
  for (const form of document.querySelectorAll("form[data-slow]")) {
    form.addEventListener("submit", () => {
      isSent = true;
      for (const button of [...form.elements].filter((each) => each.type === "submit")) {
        button.textContent = form.dataset.slow;
        button.disabled = true;
      }
    });
  }

  if (picture) look();
  if (guided) again();
  if (figure) taps();
})();
