// Refreshes the guide's parts, and reads taps on the picture. Without it, reload the page and use the buttons
// at the picture's edges and on the cut cards.
"use strict";
(() => {
  const POLL_MS = 700;
  const guided = document.querySelector("[data-again]");
  const picture = document.querySelector("img[data-live]");
  const figure = document.querySelector("[data-seat]");
  const tapped = document.querySelector("[data-tap]");
  const middle = document.querySelector("[data-middle]");
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
      if (!document.hidden && !isSent) await show(await (await fetch(guided.dataset.again)).text());
    } catch { /* the table is unreachable; try again later */ }
    later(again);
  }

  async function show(text) {
    const fresh = new DOMParser().parseFromString(text, "text/html");
    if (!fresh.querySelector("[data-again]")) { location.assign(guided.dataset.again); return; }
    for (const part of document.querySelectorAll("[data-part]")) {
      const other = fresh.querySelector(`[data-part="${part.dataset.part}"]`);
      const isTyping = part.contains(document.activeElement) && document.activeElement.matches("input");
      if (other && !isTyping && other.innerHTML !== part.innerHTML && hasRested(part)) await replace(part, document.importNode(other, true));
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

  // Outlines appear with the picture that they belong to. The focus returns to the button of the same form and value.
  async function replace(part, other) {
    await Promise.all([...other.querySelectorAll("img")].map((each) => each.decode().catch(() => {})));
    const focused = part.contains(document.activeElement) ? document.activeElement : null;
    const [here, value] = [focused?.form?.getAttribute("action"), focused?.value];
    part.replaceChildren(...other.childNodes);
    if (!here) return;
    const buttons = [...part.querySelectorAll(`form[action="${CSS.escape(here)}"] button`)];
    (buttons.find((button) => button.value === value) || buttons[0])?.focus({ preventScroll: true });
  }

  // One tap on the picture shows where seat 1 sits.
  function seat() {
    figure.addEventListener("click", (event) => {
      if (event.target.closest("button")) return;
      send(document.getElementById("seat"), figure, event);
    });
  }

  // A tap on an outline takes it away; a tap on a card adds it.
  function tap() {
    tapped.addEventListener("click", (event) => {
      if (tapped.querySelector("img")) send(document.getElementById("tap"), tapped, event);
    });
  }

  function send(form, within, event) {
    const image = within.querySelector("img");
    const size = within.dataset.seat || within.dataset.middle || `${image.getAttribute("width")} ${image.getAttribute("height")}`;
    const [wide, high] = size.split(" ").map(Number);
    const box = (within.closest("figure") || within).getBoundingClientRect();
    const x = Math.min(wide - 1, Math.max(0, Math.round((event.clientX - box.left) / box.width * wide)));
    const y = Math.min(high - 1, Math.max(0, Math.round((event.clientY - box.top) / box.height * high)));
    const at = form.querySelector("input[name=at]") || form.appendChild(Object.assign(document.createElement("input"), { type: "hidden", name: "at" }));
    at.value = `${x},${y}`;
    form.submit();
  }

  // Drag the middle of the table.
  function drag() {
    const box = () => middle.closest("figure").getBoundingClientRect();
    middle.addEventListener("pointerdown", (event) => { middle.setPointerCapture(event.pointerId); event.preventDefault(); });
    middle.addEventListener("pointermove", (event) => {
      if (!middle.hasPointerCapture(event.pointerId)) return;
      const at = box();
      middle.setAttribute("x", event.clientX - at.left);
      middle.setAttribute("y", event.clientY - at.top);
    });
    middle.addEventListener("pointerup", (event) => send(document.getElementById("centre"), middle, event));
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
  if (figure) seat();
  if (tapped) tap();
  if (middle) drag();
  // on the way to real cards, the table is found without another tap
  document.querySelector("[data-begins] form")?.requestSubmit();
})();
