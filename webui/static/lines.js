// Drags outline corners, with a magnifier beside the thumb and a preview of the taught card. Without it, arrow
// buttons submit forms.
"use strict";
(() => {
  const whole = document.querySelector(".whole");
  if (!whole) return;
  const MORE = 10;
  const form = document.querySelector(".one form");
  const chosen = form.elements.corner;
  const corners = [...whole.querySelectorAll(".corner")];
  const lines = whole.querySelectorAll("polygon");
  const lens = document.querySelector(".lens");
  const card = document.querySelector(".cut");
  const [wide, high] = [whole.viewBox.baseVal.width, whole.viewBox.baseVal.height];
  const field = (axis, corner) => form.elements[`${axis}${corner}`];
  const places = corners.map((_, corner) => ({ x: field("x", corner).value * wide, y: field("y", corner).value * high }));
  const pixel = () => 1 / (whole.getScreenCTM()?.a || 1);
  let due = 0;

  function draw() {
    const points = places.map(({ x, y }) => `${x},${y}`).join(" ");
    for (const line of lines) line.setAttribute("points", points);
    corners.forEach((corner, number) => {
      corner.setAttribute("transform", `translate(${places[number].x} ${places[number].y}) scale(${pixel()})`);
      corner.setAttribute("aria-pressed", String(Number(chosen.value) === number));
    });
  }

  // Load the preview only after the drag pauses.
  function tell(corner) {
    field("x", corner).value = (places[corner].x / wide).toFixed(5);
    field("y", corner).value = (places[corner].y / high).toFixed(5);
    clearTimeout(due);
    due = setTimeout(() => {
      const asked = places.map((_, each) => `x${each}=${field("x", each).value}&y${each}=${field("y", each).value}`);
      card.src = `${card.dataset.card}?${asked.join("&")}&as=${card.dataset.as}`;
    }, 150);
  }

  function show({ x, y }) {
    const half = wide / 6;
    lens.removeAttribute("hidden");
    lens.setAttribute("viewBox", `${x - half} ${y - half} ${2 * half} ${2 * half}`);
    const [near, far] = [half / 8, half / 3];
    lens.querySelector("path").setAttribute("d", `M${x - far} ${y}H${x - near}M${x + near} ${y}H${x + far}M${x} ${y - far}V${y - near}M${x} ${y + near}V${y + far}`);
  }

  function hide() {
    lens.setAttribute("hidden", "");
  }

  function move(corner, x, y) {
    places[corner] = { x: Math.min(wide, Math.max(0, x)), y: Math.min(high, Math.max(0, y)) };
    choose(corner);
    tell(corner);
    show(places[corner]);
  }

  function choose(corner) {
    chosen.value = corner;
    draw();
  }

  const WAYS = { left: [-1, 0], up: [0, -1], down: [0, 1], right: [1, 0] };
  function nudge(corner, way, times = 1) {
    const step = times * wide / 300;
    move(corner, places[corner].x + step * WAYS[way][0], places[corner].y + step * WAYS[way][1]);
  }

  corners.forEach((corner, number) => {
    corner.setAttribute("role", "button");
    corner.setAttribute("tabindex", "0");
    corner.setAttribute("aria-label", corner.dataset.name);
    corner.addEventListener("pointerdown", (event) => {
      event.preventDefault();
      corner.setPointerCapture(event.pointerId);
      // keep the offset between finger and corner
      const off = { x: event.clientX, y: event.clientY, from: places[number] };
      const drag = (moved) => move(number, off.from.x + (moved.clientX - off.x) * pixel(), off.from.y + (moved.clientY - off.y) * pixel());
      const drop = () => {
        corner.removeEventListener("pointermove", drag);
        hide();
      };
      corner.addEventListener("pointermove", drag);
      corner.addEventListener("pointerup", drop, { once: true });
      corner.addEventListener("pointercancel", drop, { once: true });
      choose(number);
      show(places[number]);
    });
    corner.addEventListener("focus", () => choose(number));
    corner.addEventListener("keydown", (event) => {
      const way = event.key.startsWith("Arrow") ? event.key.slice("Arrow".length).toLowerCase() : "";
      if (!(way in WAYS)) return;
      event.preventDefault();
      nudge(number, way, event.shiftKey ? MORE : 1);
    });
    corner.addEventListener("blur", hide);
  });
  for (const button of form.querySelectorAll(".nudge button"))
    button.addEventListener("click", (event) => {
      event.preventDefault();
      nudge(Number(chosen.value), button.value);
    });
  chosen.addEventListener("change", draw);
  addEventListener("resize", draw);
  draw();
})();
