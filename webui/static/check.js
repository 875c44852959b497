// Shows the live image and button presses. Without it, reload the page.
"use strict";
(() => {
  const seen = document.getElementById("seen");
  const unseen = document.getElementById("unseen");
  const pressed = document.getElementById("pressed");
  const POLL_MS = 700;
  const LINES = 8;

  function again() {
    if (document.hidden) { setTimeout(again, POLL_MS); return; }
    const next = new Image();
    const shown = (is) => { seen.hidden = !is; unseen.hidden = is; setTimeout(again, POLL_MS); };
    next.onload = () => { seen.src = next.src; shown(true); };
    next.onerror = () => shown(false);
    next.src = `/host/picture.jpg?at=${Date.now()}`;
  }

  function say(text) {
    const line = document.createElement("li");
    line.textContent = text;
    pressed.prepend(line);
    while (pressed.children.length > LINES) pressed.lastChild.remove();
  }

  new EventSource("/events/score").addEventListener("notice", (event) => say(event.data));
  again();
})();
