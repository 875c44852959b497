// Keeps an overlay up to date.
"use strict";
(() => {
  const part = document.getElementById("part");
  const SILENCE = 12000; // milliseconds; the table sends a heartbeat every 4 seconds
  const BRIEF = { newest: 8000, cry: 4000 };
  let source, heard;

  function open() {
    source = new EventSource(document.body.dataset.live);
    alive();
    for (const kind of ["clock", "beat", "notice"]) source.addEventListener(kind, alive);
    source.addEventListener("moment", (event) => { alive(); show(event.data); });
  }

  function alive() {
    heard = Date.now();
    document.body.classList.remove("lost");
  }

  setInterval(() => {
    if (Date.now() - heard <= SILENCE) return;
    document.body.classList.add("lost");
    source.close();
    open();
    heard = 0;
  }, 1000);

  function show(drawn) {
    const fresh = document.createElement("div");
    fresh.innerHTML = drawn;
    const [before, after] = [part.querySelector(".overlay"), fresh.querySelector(".overlay")];
    if (!after) return;
    const key = ({ dataset }) => `${dataset.match}/${dataset.moment}`;
    // timed content stays until its time is up, unless newer content replaces it
    for (const kind in BRIEF) {
      const [shown, newer] = [before.querySelector(`.${kind}`), after.querySelector(`.${kind}`)];
      if (newer && key(before) !== key(after)) continue;
      newer?.remove();
      if (shown) after.append(shown);
    }
    part.replaceChildren(after);
    resume();
  }

  // Moving an element restarts its animation, so resume it at its previous time.
  function resume() {
    for (const kind in BRIEF) {
      const shown = part.querySelector(`.${kind}`);
      if (!shown) continue;
      shown.dataset.since ||= Date.now();
      const age = Date.now() - shown.dataset.since;
      shown.getAnimations({ subtree: true }).forEach((each) => { each.currentTime = age; });
      setTimeout(() => shown.classList.add("over"), BRIEF[kind] - age);
    }
  }

  resume();
  open();
})();
