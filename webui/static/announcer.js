// Says aloud what the table sends: rulings in one voice, the play in another, of those that the browser has for the language.
// Where it has one only, pitch tells them apart; where it can't speak, nothing happens.
"use strict";
(() => {
  const speech = window.speechSynthesis;
  if (!speech) return;
  const SETTLED = 80; // milliseconds; a scene has begun by then
  const PITCH = { referee: 0.85, announcer: 1.15 };
  const STUCK = 20000; // a browser without a voice may never say that it is done
  let waiting, scene, due, queue = [], current, since;
  // what players did is soon stale: it gives way to anything newer; what was ruled doesn't
  const lasting = (sentences) => sentences.filter(({ role }) => role === "referee");

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

  function say({ urgent, sentences }) {
    due = undefined;
    if (urgent || (current && Date.now() - since > STUCK)) hush();
    queue = [...lasting(queue), ...sentences];
    if (!current) next();
  }

  // What has come and waits until a scene was seen isn't lost to what comes after it, unless that interrupts.
  function keep({ lang, urgent, spoken }) {
    const sentences = spoken.map(([role, text]) => ({ role, text, lang }));
    due = urgent || !due ? { urgent, sentences } : { ...due, sentences: [...lasting(due.sentences), ...sentences] };
  }

  document.addEventListener("scene", (event) => { scene = event.detail; });
  document.addEventListener("scene-over", () => {
    scene = undefined;
    if (due) say(due);
  });
  document.addEventListener("say", (event) => {
    keep(event.detail);
    clearTimeout(waiting);
    waiting = setTimeout(() => {
      // a count is seen card by card before it is told what it comes to
      if (due && !scene?.sheet.querySelector(".counting li")) say(due);
    }, SETTLED);
  });
  addEventListener("pagehide", hush);
})();
