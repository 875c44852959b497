// Updates the parts of the control room and the people page as they change. Without it, reload the page.
"use strict";
(() => {
  const lost = document.getElementById("lost");
  const RELOAD_MS = Number(document.querySelector("[data-each]")?.dataset.each) || 15000; // milliseconds; a device that goes silent sends no event
  let asked = false;
  let again = false;

  // Don't replace a part while it has an open menu or typed text.
  function isBusy(part) {
    return part.querySelector("details[open]") || (part.contains(document.activeElement) && document.activeElement.matches("input"));
  }

  function replace(part, fresh) {
    const here = part.contains(document.activeElement) ? document.activeElement : null;
    const [address, label] = [here?.getAttribute("href") || here?.form?.getAttribute("action"), here?.getAttribute("aria-label")];
    part.replaceChildren(...fresh.childNodes);
    if (!address) return;
    const same = [...part.querySelectorAll("a, button")].filter((each) => (each.getAttribute("href") || each.form?.getAttribute("action")) === address);
    (same.find((each) => each.getAttribute("aria-label") === label) || same[0])?.focus();
  }

  function show(text) {
    const fresh = new DOMParser().parseFromString(text, "text/html");
    // the PIN page for a device that was removed
    if (fresh.querySelector("form[action='/host/enter']")) { location.assign("/host"); return; }
    for (const part of document.querySelectorAll("[data-part]")) {
      const other = fresh.querySelector(`[data-part="${part.dataset.part}"]`);
      if (other && !isBusy(part) && other.innerHTML !== part.innerHTML) replace(part, other);
    }
    document.dispatchEvent(new CustomEvent("drawn"));
  }

  async function look() {
    if (document.hidden) return;
    if (asked) { again = true; return; }
    asked = true;
    try {
      show(await (await fetch(location.pathname)).text());
      lost.hidden = true;
    } catch { lost.hidden = false; }
    asked = false;
    if (again) { again = false; look(); }
  }

  const source = new EventSource("/events/host");
  source.addEventListener("change", look);
  source.addEventListener("notice", look);
  source.addEventListener("gone", () => location.assign("/host"));
  source.onopen = () => { lost.hidden = true; };
  source.onerror = () => { lost.hidden = false; };
  document.addEventListener("visibilitychange", look);
  setInterval(look, RELOAD_MS);
})();
