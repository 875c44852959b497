// Speaks the table's sentences: rulings in one voice, the play in another, if the browser has two for the language.
// With a single voice, the pitch differs. Browsers without speech stay silent.
"use strict";
(() => {
  const speech = window.speechSynthesis;
  if (!speech) return;
  const SETTLED = 80; // milliseconds; a scene has started by then
  const PITCH = { referee: 0.85, announcer: 1.15 };
  const STUCK = 20000; // milliseconds; a browser without a voice may never report the end
  let waiting, scene, due, queue = [], current, since;
  // newer speech replaces sentences about play, but never rulings
  const lasting = (sentences) => sentences.filter(({ role }) => role === "referee");

  // Browsers may load their voices late, so look them up for each sentence.
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

  // Later speech doesn't replace sentences that wait for a scene, unless it interrupts.
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
      // players see a count card by card before they hear its result
      if (due && !scene?.sheet.querySelector(".counting li")) say(due);
    }, SETTLED);
  });
  addEventListener("pagehide", hush);
})();
