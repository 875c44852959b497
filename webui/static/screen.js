// Plays the table's tunes on its screen, and says what the announcer says. A browser that isn't a kiosk wants one tap before it plays anything.
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
