// Keeps the club's pages at the current moment. Optional: without it, reload the page.
"use strict";
(() => {
  const address = document.body.dataset.live;
  const lost = document.getElementById("lost"), away = document.getElementById("away");
  const SILENCE = 12000; // the hub sends a sign of life every 4 seconds
  const CALM = 300; // milliseconds between two looks for what has changed
  // what was said while the page was on its way is lost: it looks at everything once
  let source, heard, told = 0, looks = null, again = false, missed = true;

  document.body.classList.add("scripted");

  function open() {
    source = new EventSource(address);
    heard = Date.now();
    source.onopen = alive;
    source.addEventListener("beat", alive);
    source.addEventListener("tile", (event) => { told += 1; alive(); replaceTile(event.data); });
    source.addEventListener("head", (event) => { told += 1; alive(); document.getElementById("head").innerHTML = event.data; begin(); });
    source.addEventListener("all", () => { alive(); loadPart(); });
    source.addEventListener("change", () => { alive(); reload(); });
    source.addEventListener("away", showAway);
    source.onerror = () => { missed = true; if (source.readyState === EventSource.CLOSED) showRefusal(); else lost.hidden = false; };
  }

  function alive() {
    heard = Date.now();
    lost.hidden = away.hidden = true;
    // what was said meanwhile is lost: look at everything once
    if (missed) { missed = false; document.getElementById("part") ? loadPart() : reload(); }
  }

  // The database is away. The director's first page has that in its parts, all other pages in a line above them.
  async function showAway() {
    heard = Date.now();
    missed = lost.hidden = true;
    if (document.querySelector('[data-part="club"]')) await reload();
    // it may be back meanwhile
    if (missed) away.hidden = document.querySelector("[data-silent]") !== null;
  }

  // The hub refuses streams while the database is away. Only another answer has a status that can be read.
  async function showRefusal() {
    const answer = await fetch(location.href).catch(() => null);
    if (answer?.status === 503) showAway(); else lost.hidden = false;
  }

  setInterval(() => {
    if (Date.now() - heard > SILENCE) {
      lost.hidden = false;
      missed = true;
      source.close();
    }
    if (source.readyState === EventSource.CLOSED) open();
  }, 3000);

  function replaceTile(drawn) {
    const fresh = document.createElement("ol");
    fresh.innerHTML = drawn;
    const tile = fresh.firstElementChild;
    const old = document.querySelector(`[data-table="${CSS.escape(tile.dataset.table)}"]`);
    if (old) old.replaceWith(tile); else loadPart();
  }

  // A look that is refused or doesn't end is repeated at the next sign of life.
  async function look(page) {
    const limit = new AbortController(), late = setTimeout(() => limit.abort(), SILENCE);
    try {
      const answer = await fetch(page, { signal: limit.signal }), drawn = await answer.text();
      if (answer.status >= 429) missed = true;
      return { answer, drawn };
    } finally { clearTimeout(late); }
  }

  async function loadPart() {
    try {
      const before = told, { answer, drawn } = await look("/part");
      if (!answer.ok) return;
      // a tile that came meanwhile is newer
      if (told !== before) { loadPart(); return; }
      document.getElementById("part").innerHTML = drawn;
      begin();
    } catch { missed = true; }
  }

  // The page draws its parts anew, but never one in which one is typing or choosing.
  function reload() {
    again = true;
    looks ||= drawAnew().finally(() => { looks = null; });
    return looks;
  }

  async function drawAnew() {
    while (again) {
      await new Promise((ready) => { setTimeout(ready, CALM); });
      again = false;
      try {
        const { drawn } = await look(location.href);
        const fresh = new DOMParser().parseFromString(drawn, "text/html");
        for (const part of document.querySelectorAll("[data-part]")) {
          const other = fresh.querySelector(`[data-part="${part.dataset.part}"]`);
          const busy = part.querySelector("details[open], :checked") || (part.contains(document.activeElement) && document.activeElement.matches("input, select"));
          if (other && !busy && other.innerHTML !== part.innerHTML) part.replaceChildren(...other.childNodes);
        }
        for (const which of [".who b", ".who small"]) {
          const here = document.querySelector(which), there = fresh.querySelector(which);
          if (here && there) here.textContent = there.textContent;
        }
        begin();
      } catch { missed = true; }
    }
  }

  // Minutes count down by themselves.
  function begin() {
    for (const clock of document.querySelectorAll("[data-seconds]")) clock.dataset.ends = Date.now() / 1000 + Number(clock.dataset.seconds);
    count();
  }

  function count() {
    for (const clock of document.querySelectorAll("[data-ends]")) clock.textContent = Math.max(0, Math.ceil((clock.dataset.ends - Date.now() / 1000) / 60));
  }

  // Two names that are tapped change places.
  document.addEventListener("change", (event) => {
    const form = event.target.closest("form.swapping");
    if (form && form.querySelectorAll(":checked").length === 2) form.submit();
  });

  setInterval(count, 5000);
  begin();
  open();
})();
