// Plays tunes and speech on the table's screen. Outside kiosk mode, browsers require a tap before any sound.
"use strict";
(() => {
  const asking = document.getElementById("sound");
  const wake = () => document.dispatchEvent(new Event("wake"));
  let wanted = false;

  document.addEventListener("tune", (event) => {
    wanted = true;
    document.dispatchEvent(new CustomEvent("sound", { detail: JSON.parse(event.detail) }));
  });
  document.addEventListener("speech", (event) => {
    document.dispatchEvent(new CustomEvent("say", { detail: JSON.parse(event.detail) }));
  });
  document.addEventListener("silenced", () => { asking.hidden = false; });
  document.addEventListener("muted", () => { asking.hidden = !wanted; });
  document.addEventListener("audible", () => { asking.hidden = true; });
  asking.querySelector("button").addEventListener("click", wake);
  wake();
})();
