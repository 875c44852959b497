// Extras for a seat: number steps, held calls, vibration. Optional: everything works without it.
"use strict";
(() => {
  const part = document.getElementById("part");
  const HOLD = 600; // milliseconds to hold a call
  const TWICE = 2000; // milliseconds between two presses of a call
  const SETTLED = 60; // milliseconds; of simultaneous updates only the newest counts
  const wishes = { buzz: false, chime: false, voice: false };
  const DISMISSED = 8; // dismissed lines to remember
  let gone = [];
  try { gone = JSON.parse(sessionStorage.getItem("put-away")) ?? []; } catch { /* storage is blocked: nothing was dismissed */ }
  let armed, settling, asked = (part.querySelector(".phone") || {}).dataset?.asked;
  document.documentElement.classList.add("js");

  // numbers

  const numberOf = (form) => form.querySelector("input[name=other]");

  function showNumber(form) {
    const input = numberOf(form);
    if (!input) return;
    const say = form.querySelector("[data-say]");
    if (input.value) say.textContent = say.dataset.say.replace("#", input.value);
    for (const digit of form.querySelectorAll(".digit")) digit.setAttribute("aria-pressed", digit.value === input.value);
  }

  // single cards and cells

  function showCard(form) {
    const say = form.querySelector("[data-card], [data-cell]");
    const chosen = form.querySelector("input[name=card]:checked, input[name=cell]:checked");
    if (!say) return;
    // browsers can't show a required field inside a closed fold, so block an empty form here
    say.disabled = !chosen;
    if (chosen) say.textContent = chosen.dataset.said || say.dataset.card.replace("#", chosen.dataset.name);
  }

  function draw() {
    for (const form of part.querySelectorAll("form.ask")) { showNumber(form); showCard(form); }
    for (const river of part.querySelectorAll(".river")) frame(river);
    showCame();
    for (const box of part.querySelectorAll("[data-wish]")) box.checked = wishes[box.dataset.wish];
    const choice = part.querySelector(".by-choice");
    if (choice) choice.hidden = false;
  }

  // Hide the dismissed result of the last answer until a new one arrives.
  function putAway(came) {
    gone = [...gone, came.dataset.news].slice(-DISMISSED);
    try { sessionStorage.setItem("put-away", JSON.stringify(gone)); } catch { /* storage is blocked: it reappears */ }
    came.remove();
    document.getElementById("question")?.focus({ preventScroll: true });
  }

  function showCame() {
    for (const came of part.querySelectorAll(".came")) {
      const away = came.querySelector(".away");
      if (away) away.hidden = false;
      if (away && gone.includes(came.dataset.news)) came.remove();
    }
  }

  // Frame the visible part of a river on its map.
  function frame(river) {
    const map = river.previousElementSibling;
    if (!map.classList.contains("map")) return;
    const view = map.querySelector(".view");
    const table = river.firstElementChild;
    const head = table.querySelector("tbody th").offsetWidth;
    const all = table.scrollWidth - head;
    if (all <= 0) return; // another player's river is visible
    const width = map.viewBox.baseVal.width;
    view.setAttribute("x", Math.max(0, river.scrollLeft / all * width));
    view.setAttribute("width", Math.min(1, (river.clientWidth - head) / all) * width);
  }

  part.addEventListener("scroll", (event) => { if (event.target.classList?.contains("river")) frame(event.target); }, true);
  part.addEventListener("input", (event) => {
    const form = event.target.closest("form.ask");
    if (form) { showNumber(form); showCard(form); }
    if (event.target.dataset.wish) keepWish(event.target);
  });
  part.addEventListener("click", (event) => {
    const step = event.target.closest(".step[data-step]");
    const digit = event.target.closest(".digit[name=number]");
    const dots = event.target.closest(".dots");
    if (step) {
      const input = numberOf(step.form);
      step.dataset.step < 0 ? input.stepDown() : input.stepUp();
      showNumber(step.form);
    }
    if (digit) {
      event.preventDefault();
      numberOf(digit.form).value = digit.value;
      showNumber(digit.form);
    }
    const away = event.target.closest(".came .away");
    if (away) putAway(away.closest(".came"));
    if (dots) {
      event.preventDefault();
      const peek = document.getElementById("peek");
      peek.open = !peek.open;
    }
    // with many options, the opened part is below the fold
    if (dots || event.target.closest("#peek > summary")) setTimeout(showPeek);
  });

  function showPeek() {
    const peek = document.getElementById("peek");
    if (peek.open) peek.scrollIntoView({ block: "start" });
  }

  // calls: hold until the ring is full, or press twice

  let timer, held, pressed = 0;

  part.addEventListener("pointerdown", (event) => {
    const howl = event.target.closest("button.howl");
    if (!howl) return;
    held = howl;
    timer = setTimeout(() => { if (held === howl && howl.isConnected) call(howl); }, HOLD);
  });
  for (const end of ["pointerup", "pointercancel", "pointerleave"]) addEventListener(end, () => { clearTimeout(timer); held = undefined; });
  part.addEventListener("contextmenu", (event) => { if (event.target.closest("button.howl")) event.preventDefault(); });

  addEventListener("submit", (event) => {
    const howl = event.submitter?.closest("button.howl");
    if (!howl || armed === howl) return;
    const now = Date.now();
    if (now - pressed < TWICE) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    pressed = now;
    const how = howl.form.querySelector(".how");
    const before = how.textContent;
    how.textContent = howl.form.dataset.again;
    // next to a hint, it is below the fold
    how.scrollIntoView({ block: "nearest" });
    setTimeout(() => { if (how.isConnected) how.textContent = before; }, TWICE);
  }, true);

  // the keyboard shortcut of the simulated table's button needs two presses here, too
  addEventListener("keydown", (event) => {
    const howl = part.querySelector("button.howl");
    if (event.key !== " " || !howl || ![document.body, document.getElementById("question")].includes(event.target)) return;
    event.preventDefault();
    if (!event.repeat) howl.form.requestSubmit(howl);
  });

  function call(howl) {
    clearTimeout(timer);
    held = undefined;
    armed = howl;
    if (navigator.vibrate && wishes.buzz) navigator.vibrate([60, 40, 120]);
    howl.form.requestSubmit(howl);
  }

  // notify the player of an ask, if enabled

  function keepWish(box) {
    wishes[box.dataset.wish] = box.checked;
    try { localStorage.setItem(`wish-${box.dataset.wish}`, box.checked ? "1" : ""); } catch { /* storage is blocked: the choice isn't stored */ }
    if (box.checked) remind();
  }

  for (const wish of Object.keys(wishes)) {
    try { wishes[wish] = localStorage.getItem(`wish-${wish}`) === "1"; } catch { /* storage is blocked: use the default */ }
  }

  function remind() {
    if (wishes.buzz && navigator.vibrate) navigator.vibrate(80);
    if (wishes.chime) document.dispatchEvent(new Event("chime"));
  }

  // tunes for the table's events, if enabled
  document.addEventListener("tune", (event) => {
    if (wishes.chime) document.dispatchEvent(new CustomEvent("sound", { detail: JSON.parse(event.detail) }));
  });
  // speech, if enabled
  document.addEventListener("speech", (event) => {
    if (wishes.voice) document.dispatchEvent(new CustomEvent("say", { detail: JSON.parse(event.detail) }));
  });
  if (wishes.chime) document.dispatchEvent(new Event("wake"));

  addEventListener("keydown", (event) => {
    const hint = event.key === "Escape" && part.querySelector(".hint[open]");
    if (hint) hint.open = false;
  });

  // restore the selection and the open sheet after an update

  document.addEventListener("drawing", (event) => {
    const fresh = event.detail;
    const peek = document.getElementById("peek");
    if (peek && peek.open) fresh.querySelector("#peek")?.setAttribute("open", "");
    for (const chosen of part.querySelectorAll("form.ask input[type=radio]:checked")) {
      const ask = chosen.form.querySelector("[name=ask]").value;
      const form = [...fresh.querySelectorAll("form.ask")].find((other) => other.querySelector("[name=ask]")?.value === ask);
      const again = form && [...form.querySelectorAll("input[type=radio]")].find((other) => other.name === chosen.name && other.value === chosen.value);
      if (again) again.checked = true;
    }
  });

  document.addEventListener("drawn", () => {
    draw();
    clearTimeout(settling);
    settling = setTimeout(() => {
      const now = part.querySelector(".phone")?.dataset.asked;
      if (now && !asked) remind();
      asked = now;
    }, SETTLED);
  });

  // restore a selected number after a hint is dismissed

  const KEPT = "number";
  const momentOf = () => part.querySelector(".phone")?.dataset.moment;
  addEventListener("submit", (event) => {
    const input = event.target.closest(".hint") && part.querySelector("form.ask input[name=other]");
    if (input) try { sessionStorage.setItem(KEPT, `${momentOf()} ${input.value}`); } catch { /* storage is blocked: the number isn't stored */ }
  });
  try {
    const [moment, number] = (sessionStorage.getItem(KEPT) || "").split(" ");
    const input = part.querySelector("form.ask input[name=other]");
    if (input && moment === momentOf()) input.value = number;
    sessionStorage.removeItem(KEPT);
  } catch { /* storage is blocked: use the default */ }

  // links from the simulated table open the form that names the cards there
  if (location.hash === "#by-name") document.getElementById("by-name")?.setAttribute("open", "");

  draw();
})();
