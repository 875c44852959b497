// Animates recent events: a call, a count card by card, a claim, a trick, a whole canoe, the end.
// Any key or tap skips the animation; with reduced motion, it ends at once.
"use strict";
(() => {
  const part = document.getElementById("part");
  const still = matchMedia("(prefers-reduced-motion: reduce)");
  const CARD = 900, ALL_CARDS = 5000, VERDICT = 900; // milliseconds
  const SETTLED = 60; // milliseconds; of simultaneous updates only the newest is played
  // subject and duration of each scene, by window layout
  const SCENES = {
    call: [".call, .huge", 1500], count: [".counting", 0], claim: [".claimed", 700], reveal: [".camps", 700], row: [".trick", 700],
    rows: [".rowsfour, .trick", 700], grid: [".whole", 900], won: [".call, .huge", 1900],
  };
  let waiting, ending;

  function look() {
    const sheet = part.querySelector(".sheet");
    const layout = sheet && Object.keys(SCENES).find((name) => sheet.classList.contains(`layout-${name}`));
    const about = layout ? [...sheet.querySelectorAll(SCENES[layout][0])].map((node) => node.outerHTML).join() : "";
    return { sheet, layout, about, key: sheet ? `${sheet.dataset.match}/${sheet.dataset.moment}` : "" };
  }

  // play what arrives before the first event, but not its repetition
  let before = look();

  document.addEventListener("drawn", () => {
    clearTimeout(waiting);
    end();
    const now = look();
    const isNew = now.key !== before.key && (now.layout !== before.layout || now.about !== before.about);
    const plays = isNew && now.layout && !still.matches && !now.sheet.classList.contains("quiet");
    // start at the first frame, so that the result isn't visible early
    const pace = plays && prepare(now.sheet);
    waiting = setTimeout(() => {
      before = now;
      if (plays && now.sheet.classList.contains("held")) play(now, pace);
    }, SETTLED);
  });

  function prepare(sheet) {
    // the player's own card is turned last
    const cards = sheet.querySelectorAll(".counting li, .counting .own .card").length;
    const card = Math.min(CARD, ALL_CARDS / Math.max(cards, 1));
    sheet.style.setProperty("--card", `${card}ms`);
    sheet.style.setProperty("--cards", cards);
    sheet.classList.add("playing", "held");
    return { card, cards };
  }

  function play({ sheet, layout, key }, { card, cards }) {
    sheet.classList.remove("held");
    part.dataset.played = key;
    document.dispatchEvent(new CustomEvent("scene", { detail: { sheet, card } }));
    ending = setTimeout(end, layout === "count" ? card * cards + VERDICT : SCENES[layout][1]);
  }

  function end() {
    clearTimeout(ending);
    for (const sheet of part.querySelectorAll(".playing")) sheet.classList.remove("playing", "held");
    document.dispatchEvent(new CustomEvent("scene-over"));
  }

  addEventListener("keydown", end);
  addEventListener("pointerdown", end);
})();
