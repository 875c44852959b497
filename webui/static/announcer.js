// Says aloud what the table sends: rulings in one voice, the play in another, of those that the browser has for the language.
// Where it has one only, pitch tells them apart; where it can't speak, nothing happens.
"use strict";
(() => {
  const speech = window.speechSynthesis;
  if (!speech) return;
  const SETTLED = 80; // milliseconds; of what arrives together only the newest is said, and a scene has begun by then
  const PITCH = { referee: 0.85, announcer: 1.15 };
  const STUCK = 20000; // a browser without a voice may never say that it is done
  let waiting, scene, due, queue = [], current, since;

  // A browser's list may come late: it is asked for each sentence.
  function voicesOf(lang) {
    const near = speech.getVoices().filter((voice) => voice.lang.replace("_", "-").split("-")[0] === lang);
    return near.sort((one, other) => Number(other.localService) - Number(one.localService) || one.name.localeCompare(other.name));
  }

  function utter({ role, text, lang }) {
    const said = new SpeechSynthesisUtterance(text);
    const [first, second] = voicesOf(lang);
    said.lang = lang;
    if (first) said.voice = role === "referee" ? first : second || first;
    if (!second) said.pitch = PITCH[role];
    said.onend = () => { if (current === said) next(); };
    said.onerror = (event) => {
      if (event.error === "not-allowed") document.dispatchEvent(new Event("silenced"));
      if (current === said) next();
    };
    return said;
  }

  function next() {
    const sentence = queue.shift();
    current = sentence && utter(sentence);
    since = Date.now();
    if (current) speech.speak(current);
  }

  function hush() {
    queue = [];
    current = undefined;
    speech.cancel();
  }

  function say({ lang, urgent, spoken }) {
    due = undefined;
    if (urgent || (current && Date.now() - since > STUCK)) hush();
    // what players did is soon stale: it gives way to anything newer
    queue = [...queue.filter(({ role }) => role === "referee"), ...spoken.map(([role, text]) => ({ role, text, lang }))];
    if (!current) next();
  }

  document.addEventListener("scene", (event) => { scene = event.detail; });
  document.addEventListener("scene-over", () => {
    scene = undefined;
    if (due) say(due);
  });
  document.addEventListener("drawn", () => { clearTimeout(waiting); due = undefined; });
  document.addEventListener("say", (event) => {
    clearTimeout(waiting);
    waiting = setTimeout(() => {
      // a count is seen card by card before it is told what it comes to
      if (scene && scene.sheet.querySelector(".counting li")) due = event.detail;
      else say(event.detail);
    }, SETTLED);
  });
  addEventListener("pagehide", hush);
})();
