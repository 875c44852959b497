// Drags cards on the simulated table and keeps its picture up to date. Without it, the page works by its buttons.
"use strict";
(() => {
  const table = document.getElementById("table");
  const eye = document.getElementById("eye");
  const cant = document.getElementById("cant");
  const form = table.dataset.form;
  const SLOP = 6; // pixels that a tap may move
  const STEP = 10; // millimetres or degrees for each key press
  let source, drag, waiting, shine, hiding;

  // Receiving

  function open() {
    source = new EventSource(table.dataset.events);
    source.addEventListener("table", (event) => { waiting = event.data; draw(); });
    source.addEventListener("lamps", (event) => { shine = JSON.parse(event.data); light(); });
  }

  setInterval(() => { if (source.readyState === EventSource.CLOSED) open(); }, 3000);

  function draw() {
    if (waiting === undefined || drag) return; // don't redraw while a card is dragged
    const here = document.activeElement && table.contains(document.activeElement) ? document.activeElement.id : "";
    const fresh = document.createElement("div");
    fresh.innerHTML = waiting;
    waiting = undefined;
    table.replaceChildren(...fresh.childNodes);
    const again = here && document.getElementById(here);
    if (again) again.focus({ preventScroll: true });
    light();
  }

  function light() {
    if (!shine) return;
    for (const lamp of table.querySelectorAll(".lamp")) {
      const which = lamp.dataset.lamp;
      const colour = which === "table" ? (shine.attention ? "green" : "") : shine.seats[Number(which)] || "";
      if (lamp.dataset.light === colour) continue;
      lamp.dataset.light = colour;
      lamp.querySelector("b").textContent = lamp.dataset[colour || "dark"];
    }
    const digits = document.getElementById("digits");
    if (digits && shine.digits !== null) digits.textContent = shine.digits;
  }

  // Sending

  async function send(address, fields) {
    const body = new URLSearchParams({ ...fields, form, quiet: "1" });
    try {
      const answer = await fetch(address, { method: "POST", body });
      tell(answer.ok ? "" : await answer.text());
    } catch {
      tell(table.dataset.lost);
    }
  }

  function tell(text) {
    cant.textContent = text;
    cant.hidden = !text;
    clearTimeout(hiding);
    hiding = setTimeout(() => { cant.hidden = true; }, 8000);
  }

  // Forms don't load a new page: events bring the result.
  document.addEventListener("submit", (event) => {
    const sent = event.target;
    const isOurs = sent.matches("#table form, form.mischief");
    if (!isOurs && !sent.matches("#part form")) return;
    event.preventDefault();
    const fields = Object.fromEntries(new FormData(sent, event.submitter));
    (isOurs ? send : say)(sent.getAttribute("action"), fields);
  });

  // Send an answer of the seat; if it doesn't count, take the reason from the page that comes back.
  async function say(address, fields) {
    try {
      const answer = await fetch(address, { method: "POST", body: new URLSearchParams(fields) });
      const page = answer.ok ? null : new DOMParser().parseFromString(await answer.text(), "text/html");
      tell(page ? page.querySelector("[role=alert].bad:not([hidden])")?.textContent || answer.statusText : "");
    } catch {
      tell(table.dataset.lost);
    }
  }

  // Dragging

  function spot(event) {
    const felt = table.querySelector(".felt");
    const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(felt.getScreenCTM().inverse());
    return { x: at.x.toFixed(1), y: at.y.toFixed(1), isOver: Math.abs(at.x) < 490 && Math.abs(at.y) < 368 };
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
    const wide = table.querySelector(".felt").getBoundingClientRect().width * 63 / 980;
    drag.ghost.style.width = `${Math.max(wide, 30)}px`;
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
      drop(card.dataset, spot(event));
      addEventListener("click", stop, { capture: true, once: true });
      setTimeout(() => removeEventListener("click", stop, { capture: true }), 50);
    }
    draw();
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
    draw();
  });

  function drop(card, at) {
    if (!at.isOver) {
      if (card.number) send("/twin/take", { number: card.number });
    } else if (card.number) {
      move(card, { x: at.x, y: at.y });
    } else {
      send("/twin/lay", { where: card.where, place: card.place, x: at.x, y: at.y });
    }
  }

  function move(card, changes) {
    send("/twin/move", { number: card.number, x: card.x, y: card.y, angle: card.angle, up: card.up, ...changes });
  }

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

  // The camera's picture, while it is in view

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

  open();
  look();
})();
