// Drags cards on the simulated table, presses its buttons, and updates the page. Without it, forms do everything.
"use strict";
(() => {
  const table = document.getElementById("table");
  const eye = document.getElementById("eye");
  const [cant, lost, notice] = ["cant", "lost", "notice"].map((name) => document.getElementById(name));
  const form = table.dataset.form;
  const SLOP = 6; // pixels a tap may move
  const STEP = 10; // millimetres or degrees per key press
  const SILENCE = 12000; // milliseconds; the table sends a heartbeat every 4 seconds
  const HELD = 600; // milliseconds after which a press is long
  const TWICE = 300; // milliseconds within which a second press makes a double press
  let source, heard, drag, waiting, shine, hiding, ahead, isSceneLeft = false;
  let isTouched = false; // a finger or mouse button is down

  // Receiving

  function open() {
    source = new EventSource(table.dataset.events);
    heard = Date.now();
    source.onopen = alive;
    source.addEventListener("beat", alive);
    source.addEventListener("table", (event) => { alive(); arrive(event.data); });
    source.addEventListener("lamps", (event) => { alive(); shine = JSON.parse(event.data); light(); });
    source.addEventListener("notice", (event) => { alive(); if (!lasts(event.data)) say(notice, event.data, 15000); });
    source.addEventListener("clock", (event) => { ahead = Number(event.data) - Date.now() / 1000; count(); });
    source.onerror = () => { lost.hidden = false; };
  }

  // Draw a change once its pictures are there, so that no card is blank; after a second in any case.
  const loaded = new Set();
  let newest;
  async function arrive(part) {
    newest = part;
    const fresh = document.createElement("template");
    fresh.innerHTML = part;
    const missing = [...fresh.content.querySelectorAll("img, image")].map((image) => image.getAttribute("src") || image.getAttribute("href")).filter((address) => !loaded.has(address));
    if (missing.length) {
      const pictures = missing.map((address) => Object.assign(new Image(), { src: address }).decode().then(() => loaded.add(address), () => {}));
      await Promise.race([Promise.all(pictures), new Promise((resolve) => { setTimeout(resolve, 1000); })]);
    }
    if (newest !== part) return;
    waiting = part;
    draw();
  }

  function alive() {
    heard = Date.now();
    lost.hidden = true;
  }

  setInterval(() => {
    const silent = Date.now() - heard;
    if (silent > SILENCE) lost.hidden = false;
    if (silent > SILENCE || (source.readyState === EventSource.CLOSED && silent > 3000)) {
      source.close();
      open();
    }
  }, 1000);

  // Update the page's colours, because another game may have started.
  function wearLook(game) {
    document.body.classList.replace(`look-${document.body.dataset.game}`, `look-${game}`);
    document.body.dataset.game = game;
  }

  const momentIn = (where) => where.querySelector("[name=moment]")?.value;
  const momentShown = () => momentIn(table);
  const rowOf = (summary) => `${summary.closest("form").id} ${summary.dataset.word}`;

  // Replace elements by name; typed text, focus, open folds and scroll positions stay.
  function draw() {
    if (waiting === undefined || isTouched) return;
    const fresh = document.createElement("div");
    fresh.innerHTML = waiting;
    if (staysFor(fresh)) return;
    waiting = undefined;
    isSceneLeft &&= Boolean(fresh.querySelector(".stagecard"));
    wearLook(fresh.querySelector("[data-look]").dataset.look);
    const asked = momentShown();
    for (const piece of [...fresh.children]) {
      const here = document.getElementById(piece.id);
      if (here && here.innerHTML !== piece.innerHTML) renew(here, piece);
    }
    // a typed answer belongs to its own question only
    if (lasts(notice.textContent) || momentShown() !== asked) notice.hidden = true;
    light();
    count();
    showCells();
    showNumber();
    showLifted();
    showCards();
    showDecision();
    document.dispatchEvent(new CustomEvent("drawn"));
  }

  // Delay updates until a tap or drag is over, so that its target doesn't disappear.
  addEventListener("pointerdown", () => { isTouched = true; }, true);
  for (const end of ["pointerup", "pointercancel"]) {
    // the click event follows the release
    addEventListener(end, () => { isTouched = false; setTimeout(draw); }, true);
  }

  // A scene stays until its player taps, even if others have moved on; spectators follow the table.
  function staysFor(fresh) {
    const isSameMatch = fresh.querySelector("[data-match]")?.dataset.match === document.querySelector("[data-match]")?.dataset.match;
    return !isSceneLeft && isSameMatch && Boolean(table.querySelector(".stagecard") && document.getElementById("hurry")) && !fresh.querySelector(".stagecard");
  }

  // Cards that are counted are turned one by one; the result and its consequences come after the last one.
  let counted = { key: "", up: 0 };
  // The player's own card, the only unknown one, is turned last.
  const cardsOf = (scene) => [...scene.querySelectorAll(".camp:first-child .brought > li")].sort((one, other) => one.matches(".own") - other.matches(".own"));
  function showCards() {
    const scene = table.querySelector(".stagecard[data-count]");
    if (!scene) return;
    const [cards, asked] = [cardsOf(scene), document.getElementById("asked")];
    if (counted.key !== scene.dataset.count) counted = { key: scene.dataset.count, up: 0 };
    const isCounting = counted.up < cards.length;
    table.classList.toggle("counting", isCounting);
    cards.forEach((card, place) => {
      card.classList.toggle("up", place < counted.up);
      card.classList.toggle("newest", place === counted.up - 1);
    });
    asked.querySelector(".steps").hidden = !isCounting;
    if (!isCounting) return;
    const [next, name] = [document.getElementById("next-up"), cards[counted.up].querySelector(".whose:not(.claim-it *)")?.textContent.trim()];
    next.textContent = name ? next.dataset.says.replace("#", name) : "";
  }

  // Turn the next card, or all; false if all are open already.
  function turn(count) {
    const scene = table.querySelector(".stagecard[data-count]");
    const cards = scene ? cardsOf(scene) : [];
    if (counted.up >= cards.length) return false;
    for (const card of cards.slice(counted.up, counted.up + count)) {
      const told = [card.querySelector("img")?.alt, card.querySelector("p:not(.counting .own:not(.up) ~ li *)")?.textContent].filter(Boolean).join(": ");
      document.getElementById("aloud").append(Object.assign(document.createElement("p"), { textContent: told }));
    }
    counted.up = Math.min(cards.length, counted.up + count);
    showCards();
    if (counted.up === cards.length) document.dispatchEvent(new CustomEvent("drawn"));
    return true;
  }

  // On a phone, the result would be below the fold.
  let wasShowing = false;
  function showDecision() {
    const showing = table.querySelector(".label.showing, .stagecard");
    if (showing && !wasShowing) showing.scrollIntoView({ block: "nearest" });
    wasShowing = Boolean(showing);
  }

  // The page shows lasting states permanently, so don't announce them again.
  const lasts = (text) => [...table.querySelectorAll(".troubles .alarm")].some((each) => each.textContent.trim() === text);

  function renew(here, piece) {
    const focused = here.contains(document.activeElement) ? document.activeElement : null;
    const typed = [...here.querySelectorAll("input[type=number]")].filter((input) => input.value !== input.defaultValue).map((input) => [input.form?.id, input.name, input.value]);
    const chosen = [...here.querySelectorAll("input[type=radio]:checked, [name=give]:checked")];
    const unfolded = [...here.querySelectorAll("details[open]")].map((each) => each.id);
    const rows = momentIn(here) === momentIn(piece) ? [...here.querySelectorAll(".ask .group[open] > summary")].map(rowOf) : [];
    const scrolled = [...here.querySelectorAll(".river")].map((each) => each.scrollLeft);
    here.replaceChildren(...piece.childNodes);
    for (const [of, name, value] of typed) {
      const input = here.querySelector(`#${CSS.escape(of || "-")} input[name="${CSS.escape(name)}"]`);
      if (input) input.value = value;
    }
    for (const each of chosen) {
      // of equal cards, as many are chosen as before
      const same = [...here.querySelectorAll(`input[name="${CSS.escape(each.name)}"][value="${CSS.escape(each.value)}"]`)];
      const again = each.type === "radio" ? same[0] : same.find((one) => !one.checked);
      if (again) again.checked = true;
    }
    for (const name of unfolded) document.getElementById(name)?.setAttribute("open", "");
    // an opened row of answers belongs to its own moment
    for (const summary of here.querySelectorAll(".ask .group > summary")) if (rows.includes(rowOf(summary))) summary.parentElement.open = true;
    here.querySelectorAll(".river").forEach((each, number) => { each.scrollLeft = scrolled[number] || 0; });
    if (focused) refocus(here, focused);
  }

  // Return the question, or the scene shown instead.
  const question = () => document.getElementById("asked") || document.getElementById("scene");

  function refocus(here, focused) {
    const again = focused.id ? document.getElementById(focused.id)
      : focused.name && here.querySelector(`[name="${CSS.escape(focused.name)}"][value="${CSS.escape(focused.value)}"], input[name="${CSS.escape(focused.name)}"][type=number]`);
    // if the focused element is gone, focus the question
    (again || question())?.focus({ preventScroll: true });
  }

  // A tap selects a number; the button with that number submits it.
  function showNumber() {
    for (const form of table.querySelectorAll("form.ask:has([data-say])")) {
      const [input, say] = [form.elements.other, form.querySelector("[data-say]")];
      if (input.value) say.textContent = say.dataset.say.replace("#", input.value);
      for (const chip of form.querySelectorAll(".numbers button")) chip.setAttribute("aria-pressed", chip.value === input.value);
    }
  }
  table.addEventListener("input", showNumber);
  table.addEventListener("click", (event) => {
    const chip = event.target.closest(".numbers button");
    if (!chip) return;
    event.preventDefault();
    chip.form.elements.other.value = chip.value;
    showNumber();
  });
  showNumber();

  // Cards that leave the hand unseen are lifted by taps or keys; the button counts them, and names what it does.
  function showLifted(lifted) {
    const give = table.querySelector(".give");
    if (!give) return;
    const cards = [...table.querySelectorAll("[name=give]:checked")];
    const [least, most, aside] = ["least", "most", "aside"].map((name) => Number(give.dataset[name]));
    // of two cards for one, the newer one counts
    if (most === 1 && lifted?.checked) for (const card of cards.splice(0)) if (card === lifted) cards.push(card); else card.checked = false;
    const count = cards.length + aside;
    const text = give.dataset[`for${count}`];
    give.textContent = text || give.dataset.wrong.replace("#", count);
    give.disabled = !text;
    if (give.name === "number") give.value = count;
    // pictures of too many cards would push the button below the fold
    give.form.querySelector(".lifted").replaceChildren(...cards.slice(0, most).map((card) => card.parentElement.querySelector("img").cloneNode()));
  }
  table.addEventListener("change", (event) => { if (event.target.name === "give") { cant.hidden = true; showLifted(event.target); } });
  showLifted();

  // Rows scroll on a narrow screen: start at the first option.
  function showCells() {
    for (const river of table.querySelectorAll(".river")) {
      const cell = river.querySelector("button");
      if (!cell || river.scrollLeft) continue;
      const [all, one] = [river.getBoundingClientRect(), cell.getBoundingClientRect()];
      if (one.right > all.right) river.scrollLeft = one.left - all.left - all.width / 3;
    }
  }

  function light() {
    if (!shine) return;
    for (const lamp of table.querySelectorAll("[data-lamp]")) {
      const colour = shine.seats[Number(lamp.dataset.lamp)] || "";
      if (lamp.dataset.light === colour) continue;
      lamp.dataset.light = colour;
      lamp.className = `lamp ${colour}`;
      table.querySelector(`[data-lamp-name="${lamp.dataset.lamp}"]`).textContent = lamp.dataset[colour || "dark"];
    }
    for (const pad of table.querySelectorAll("[data-pad]")) {
      pad.classList.remove("green", "red", "amber");
      const colour = shine.seats[Number(pad.dataset.pad)];
      if (colour) pad.classList.add(colour);
    }
    table.querySelector("[data-attention]")?.classList.toggle("green", Boolean(shine.attention));
    const digits = document.getElementById("digits");
    if (digits && shine.digits !== null) digits.textContent = shine.digits;
  }

  // Count down the seconds until the clock answers.
  function count() {
    if (ahead === undefined) return;
    for (const clock of table.querySelectorAll("[data-ends]")) {
      const exact = Math.max(0, clock.dataset.ends - ahead - Date.now() / 1000);
      if (clock.localName === "progress") { clock.value = exact; continue; }
      const left = Math.ceil(exact);
      const text = clock.dataset.left.replace("#", left);
      if (clock.textContent !== text) clock.textContent = text;
    }
  }

  setInterval(count, 250);

  function say(where, text, milliseconds = 8000) {
    where.textContent = text;
    where.hidden = !text;
    clearTimeout(hiding);
    hiding = setTimeout(() => { cant.hidden = notice.hidden = true; }, milliseconds);
  }

  // Sending

  async function send(address, fields) {
    const body = new URLSearchParams({ moment: momentShown(), ...fields, form, quiet: "1" });
    try {
      const answer = await fetch(address, { method: "POST", body });
      say(cant, answer.ok ? "" : await answer.text());
    } catch {
      say(cant, table.dataset.lost || lost.textContent);
    }
  }

  // Forms don't load a new page; events bring the result.
  document.addEventListener("submit", (event) => {
    const address = event.target.getAttribute("action");
    if (!/^\/(twin|seat)\//.test(address) || address === "/twin/sit") return;
    event.preventDefault();
    if (address === "/twin/hurry" && table.querySelector(".stagecard")) { goOn(); return; }
    const fields = new FormData(event.target, event.submitter);
    if (address.startsWith("/twin/")) send(address, Object.fromEntries(fields));
    else answerFor(address, fields);
  });

  // Submit the seat's answer; if it is rejected, show the reason from the returned page.
  async function answerFor(address, fields) {
    try {
      const answer = await fetch(address, { method: "POST", body: new URLSearchParams(fields), redirect: "manual" });
      const isTaken = answer.ok || answer.type === "opaqueredirect";
      const page = isTaken ? null : new DOMParser().parseFromString(await answer.text(), "text/html");
      const why = page?.querySelector("[role=alert]:not([hidden])");
      why?.querySelectorAll("[aria-hidden]").forEach((sign) => sign.remove());
      say(cant, page ? why?.textContent || answer.statusText : "");
    } catch {
      say(cant, lost.textContent);
    }
  }

  // Dragging

  const felt = () => table.querySelector("svg.felt");

  // The middle has a larger scale than the rest; cards dropped outside it are placed in table millimetres.
  function spot(event) {
    const cloth = table.querySelector(".spread").getBoundingClientRect();
    const isOver = event.clientX > cloth.left && event.clientX < cloth.right && event.clientY > cloth.top && event.clientY < cloth.bottom;
    const place = document.elementsFromPoint(event.clientX, event.clientY).find((each) => each.matches(".place"));
    const drawn = felt();
    if (!drawn || !drawn.getScreenCTM()) return { isOver, place };
    const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(drawn.getScreenCTM().inverse());
    return { x: at.x.toFixed(1), y: at.y.toFixed(1), isOver, place };
  }

  table.addEventListener("pointerdown", (event) => {
    const card = event.target.closest(".laid.may, .take");
    if (!card || event.button) return;
    drag = { card, pointer: event.pointerId, from: [event.clientX, event.clientY] };
  });

  addEventListener("pointermove", (event) => {
    if (!drag || event.pointerId !== drag.pointer) return;
    if (!drag.ghost) {
      if (Math.hypot(event.clientX - drag.from[0], event.clientY - drag.from[1]) < SLOP) return;
      begin();
    }
    drag.ghost.style.left = `${event.clientX}px`;
    drag.ghost.style.top = `${event.clientY}px`;
  });

  function begin() {
    const picture = drag.card.querySelector("img, image");
    drag.ghost = document.createElement("img");
    drag.ghost.src = picture.getAttribute("src") || picture.getAttribute("href");
    drag.ghost.className = "ghost";
    drag.ghost.style.width = `${Math.max(picture.getBoundingClientRect().width, 30)}px`;
    drag.ghost.style.transform = `translate(-50%, -50%) rotate(${drag.card.dataset.angle || 0}deg)`;
    document.body.append(drag.ghost);
    drag.card.classList.add("held");
    if (drag.card.dataset.number) send("/twin/lift", { number: drag.card.dataset.number });
  }

  addEventListener("pointerup", (event) => {
    if (!drag || event.pointerId !== drag.pointer) return;
    const { card, ghost } = drag;
    drag = undefined;
    if (ghost) {
      ghost.remove();
      card.classList.remove("held");
      drop(card, spot(event));
      addEventListener("click", stop, { capture: true, once: true });
      setTimeout(() => removeEventListener("click", stop, { capture: true }), 50);
    }
  });

  function stop(event) {
    event.preventDefault();
    event.stopPropagation();
  }

  addEventListener("pointercancel", () => {
    if (!drag) return;
    const { card, ghost } = drag;
    drag = undefined;
    if (ghost) {
      ghost.remove();
      card.classList.remove("held");
      if (card.dataset.number) move(card.dataset, {});
    }
  });

  function drop(card, at) {
    const { number, where, place } = card.dataset;
    if (at.place) {
      if (number) move(card.dataset, { x: at.place.dataset.x, y: at.place.dataset.y });
      else send("/twin/lay", { where, place });
    } else if (!at.isOver) {
      if (number) send("/twin/take", { number });
    } else if (at.x === undefined) {
      if (number) move(card.dataset, {});
      else send("/twin/lay", card.classList.contains("lit") ? { where, place } : { where, place, x: 0, y: 0 });
    } else if (number) {
      move(card.dataset, { x: at.x, y: at.y });
    } else {
      send("/twin/lay", { where, place, x: at.x, y: at.y });
    }
  }

  function move(card, changes) {
    send("/twin/move", { number: card.number, x: card.x, y: card.y, angle: card.angle, up: card.up, ...changes });
  }

  // A tap or any key turns the next card or ends a scene; stop the event, so that a key doesn't trigger two actions.
  // If the table has already moved on, only this page catches up.
  function goOn() {
    if (turn(1) || !document.getElementById("hurry")) return;
    isSceneLeft = true;
    if (waiting === undefined) send("/twin/hurry", {});
    else draw();
  }
  const QUIET_KEYS = ["Tab", "Shift", "Control", "Alt", "AltGraph", "Meta", "CapsLock"];
  table.addEventListener("click", (event) => {
    if (event.target.closest("#show-all")) turn(Infinity);
    else if (event.target.closest("#next-card") || (event.target.closest(".stagecard") && !event.target.closest("button"))) goOn();
  });
  addEventListener("keydown", (event) => {
    if (!table.querySelector(".stagecard") || event.target.closest?.("dialog") || QUIET_KEYS.includes(event.key) || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    if (event.repeat) return;
    if (document.activeElement?.id === "show-all" && [" ", "Enter"].includes(event.key)) turn(Infinity);
    else goOn();
  }, { capture: true });

  // Keys

  const KEYS = {
    ArrowLeft: (card) => ({ x: Number(card.x) - STEP }),
    ArrowRight: (card) => ({ x: Number(card.x) + STEP }),
    ArrowUp: (card) => ({ y: Number(card.y) - STEP }),
    ArrowDown: (card) => ({ y: Number(card.y) + STEP }),
    r: (card) => ({ angle: Number(card.angle) + STEP }),
    R: (card) => ({ angle: Number(card.angle) - STEP }),
    Enter: (card) => ({ up: card.up === "1" ? "0" : "1" }),
  };

  table.addEventListener("keydown", (event) => {
    const card = event.target.closest(".laid.may");
    if (!card || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Delete" || event.key === "Backspace") send("/twin/take", { number: card.dataset.number });
    else if (KEYS[event.key]) move(card.dataset, KEYS[event.key](card.dataset));
    else return;
    event.preventDefault();
  });

  // The player's button: pressed, held or pressed twice, as on the board

  let pressed, once, isHandled = false;

  const dome = () => document.getElementById("press-short");

  function press(how) {
    send("/twin/press", { role: "call", how });
  }

  function down() {
    pressed = Date.now();
    dome()?.classList.add("down");
  }

  function up() {
    if (pressed === undefined) return;
    const isLong = Date.now() - pressed >= HELD;
    pressed = undefined;
    dome()?.classList.remove("down");
    if (once) {
      clearTimeout(once);
      once = undefined;
      press("double");
    } else if (isLong) {
      press("long");
    } else {
      once = setTimeout(() => { once = undefined; press("short"); }, TWICE);
    }
  }

  table.addEventListener("pointerdown", (event) => {
    if (event.target.closest("#press-short") && !event.button) down();
  });
  addEventListener("pointerup", (event) => {
    isHandled = pressed !== undefined && Boolean(event.target.closest?.("#press-short"));
    if (isHandled) up();
    else abandon();
  });
  addEventListener("pointercancel", () => abandon());

  function abandon() {
    pressed = undefined;
    dome()?.classList.remove("down");
  }

  // manual presses were sent on release; any other click is a short press
  table.addEventListener("click", (event) => {
    if (!event.target.closest("#press-short")) return;
    event.preventDefault();
    if (!isHandled) press("short");
    isHandled = false;
  });

  const isFree = (target) => target === document.body || ["press-short", "asked"].includes(target.id);

  addEventListener("keydown", (event) => {
    if (event.key !== " " || !isFree(event.target) || !dome()) return;
    event.preventDefault();
    if (!event.repeat) down();
  });
  addEventListener("keyup", (event) => {
    if (event.key !== " " || !isFree(event.target) || !dome()) return;
    event.preventDefault();
    up();
  });

  // The camera's image, loaded while visible; a tap enlarges it

  let isSeen = false;
  new IntersectionObserver((seen) => { isSeen = seen.some((each) => each.isIntersecting); }).observe(eye);
  let picture = 0;
  function look() {
    if (!isSeen || document.hidden) { setTimeout(look, 500); return; }
    const next = new Image();
    next.onload = () => { eye.src = next.src; eye.classList.remove("blind"); setTimeout(look, 300); };
    next.onerror = () => { eye.classList.add("blind"); setTimeout(look, 1000); };
    next.src = `/twin/camera.jpg?${picture += 1}`;
  }

  eye.parentElement.addEventListener("click", (event) => {
    event.preventDefault();
    eye.closest(".camera").classList.toggle("large");
  });
  addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    eye.closest(".camera").classList.remove("large");
    closeSheets();
  });

  // A sheet covers the table until it is closed.
  function closeSheets(inside) {
    const more = document.getElementById("more"); if (!more.contains(inside)) more.open = false;
  }
  addEventListener("click", (event) => closeSheets(event.target));

  open();
  look();
  showCells();
  showCards();
  if (document.activeElement === document.body) question()?.focus({ preventScroll: true });
})();
