// Detects that the computer is off, and returns to the host's page once it is back. Without it, the page
// itself explains when to unplug the computer.
"use strict";
(() => {
  const going = document.getElementById("going");
  const gone = document.getElementById("gone");
  const POLL_MS = 2000;
  const PATIENCE = 3000;
  const MISSED = 3;
  let missed = 0;

  async function answers() {
    const late = new AbortController();
    const clock = setTimeout(() => late.abort(), PATIENCE);
    try {
      await fetch(`/static/icon.svg?at=${Date.now()}`, { method: "HEAD", cache: "no-store", signal: late.signal });
      return true;
    } catch {
      return false;
    } finally {
      clearTimeout(clock);
    }
  }

  async function look() {
    const isThere = await answers();
    missed = isThere ? 0 : missed + 1;
    if (missed >= MISSED) going.dataset.gone = "yes";
    if (gone) gone.hidden = !going.dataset.gone || isThere;
    if (going.dataset.kind === "again" && going.dataset.gone && isThere) location.assign("/host");
    else setTimeout(look, POLL_MS);
  }

  setTimeout(look, POLL_MS);
})();
