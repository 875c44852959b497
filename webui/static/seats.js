// Drags names around a table. Optional: without it, names are typed in order.
"use strict";
(() => {
  const SVG = "http://www.w3.org/2000/svg";
  const list = document.getElementById("names");
  const round = document.getElementById("round");
  const inputs = () => [...list.querySelectorAll("input:not([type=radio])")];
  const filled = () => inputs().filter((input) => input.value.trim());
  let held = null;

  function made(name, values, parent) {
    const element = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(values)) element.setAttribute(key, value);
    parent.append(element);
    return element;
  }

  // Clockwise seen from above, with the first seat at the bottom, nearest to the phone.
  function place(number, count) {
    const angle = Math.PI / 2 + (2 * Math.PI * number) / count;
    return [180 + 122 * Math.cos(angle), 128 + 88 * Math.sin(angle)];
  }

  function draw() {
    const names = filled();
    round.replaceChildren();
    const svg = made("svg", { viewBox: "0 0 360 260", "aria-hidden": "true" }, round);
    made("rect", { x: 62, y: 42, width: 236, height: 172, rx: 54, class: "wood" }, svg);
    made("rect", { x: 69, y: 49, width: 222, height: 158, rx: 47, class: "cloth" }, svg);
    made("rect", { x: 136, y: 94, width: 88, height: 68, rx: 7, class: "zone" }, svg);
    names.forEach((input, number) => drawSeat(svg, input, number, names.length));
    if (names.length > 1) {
      const hint = document.createElement("p");
      hint.textContent = round.dataset.hint;
      round.append(hint);
    }
    list.querySelectorAll("li").forEach((row, number) => { row.hidden = number > names.length; });
  }

  function drawSeat(svg, input, number, count) {
    const [x, y] = place(number, count);
    const isOwn = input.closest("li").querySelector("[type=radio]:checked");
    const seat = made("g", { transform: `translate(${x} ${y})`, class: isOwn ? "place me" : "place" }, svg);
    made("rect", { x: -46, y: -17, width: 92, height: 34, rx: 7 }, seat);
    const text = made("text", { "text-anchor": "middle", dy: ".35em" }, seat);
    const name = input.value.trim();
    text.textContent = name.length > 10 ? `${name.slice(0, 9)}…` : name;
    seat.addEventListener("pointerdown", (event) => {
      event.preventDefault();
      held = { number, seat, count };
      seat.setPointerCapture(event.pointerId);
    });
    seat.addEventListener("pointermove", (event) => {
      if (!held || held.seat !== seat) return;
      const [px, py] = point(svg, event);
      seat.setAttribute("transform", `translate(${px} ${py})`);
    });
    const end = (event) => {
      if (!held || held.seat !== seat) return;
      const target = nearest(point(svg, event), count);
      held = null;
      move(number, event.type === "pointerup" ? target : number);
    };
    seat.addEventListener("pointerup", end);
    seat.addEventListener("pointercancel", end);
  }

  function point(svg, event) {
    const there = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
    return [there.x, there.y];
  }

  function nearest([x, y], count) {
    const far = (number) => { const [a, b] = place(number, count); return Math.hypot(a - x, b - y); };
    return [...Array(count).keys()].reduce((best, number) => (far(number) < far(best) ? number : best), 0);
  }

  function move(from, to) {
    const names = filled().map((input) => input.value.trim());
    names.splice(to, 0, ...names.splice(from, 1));
    const own = inputs()[from].closest("li").querySelector("[type=radio]")?.checked;
    inputs().forEach((input, number) => { input.value = names[number] || ""; });
    if (own) inputs()[to].closest("li").querySelector("[type=radio]").checked = true;
    draw();
  }

  const nameIn = (row) => row.querySelector("input:not([type=radio])");

  function shift(name, by) {
    const from = filled().indexOf(name);
    const to = from + by;
    if (from < 0 || to < 0 || to >= filled().length) return;
    move(from, to);
    if (document.activeElement === name) inputs()[to].focus();
  }

  function arrow(row, text, by) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = by < 0 ? "↑" : "↓";
    button.addEventListener("click", () => shift(nameIn(row), by));
    // arrow keys move a name in its field, so that users needn't tab through all arrows
    button.tabIndex = -1;
    button.setAttribute("aria-label", `${row.querySelector("label .unseen").textContent}: ${text}`);
    row.append(button);
  }

  for (const row of list.querySelectorAll("li")) {
    arrow(row, list.dataset.up, -1);
    arrow(row, list.dataset.down, 1);
    // select an existing name, so that typing replaces it
    nameIn(row).addEventListener("focus", (event) => event.target.select());
    nameIn(row).setAttribute("aria-keyshortcuts", "Alt+ArrowUp Alt+ArrowDown");
    nameIn(row).addEventListener("keydown", (event) => {
      const by = { ArrowUp: -1, ArrowDown: 1 }[event.key];
      if (!by || !event.altKey) return;
      event.preventDefault();
      shift(event.target, by);
    });
    row.addEventListener("input", draw);
  }
  draw();
})();
