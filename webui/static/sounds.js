// Plays tunes, which the table sends as notes: pairs of hertz (0 is silence) and seconds. A count is tapped card by card
// before its tune; a key that skips the count skips the taps. Of tunes that arrive together only the newest is played.
"use strict";
(() => {
  const SETTLED = 80; // milliseconds; a scene has begun by then
  const LATE = 1000; // what a browser allows no sooner is over
  const TAP = [[1175, 0.03]], LOW_TAP = [[392, 0.05]], CHIME = [[659, 0.12], [880, 0.3]];
  let context, waiting, scene, tune, tuneAt, chimeEnds = 0, sounding = [];

  // A browser lets nothing sound before the first tap: what it holds back is dropped.
  function wake(play = () => {}) {
    context = context || new AudioContext();
    const since = Date.now();
    context.resume().then(() => {
      document.dispatchEvent(new Event("audible"));
      if (Date.now() - since < LATE) play();
    });
    setTimeout(() => { if (context.state !== "running") document.dispatchEvent(new Event("muted")); }, LATE);
  }

  function sing(notes, at) {
    const tones = [];
    for (const [hertz, seconds] of notes) {
      if (hertz) tones.push(sound(hertz, at, seconds));
      at += seconds;
    }
    return tones;
  }

  function sound(hertz, at, seconds) {
    const tone = context.createOscillator();
    const loud = context.createGain();
    tone.type = "triangle";
    tone.frequency.value = hertz;
    loud.gain.setValueAtTime(0.25, at);
    loud.gain.setTargetAtTime(0, at + seconds * 0.8, seconds * 0.1);
    tone.connect(loud).connect(context.destination);
    tone.start(at);
    tone.stop(at + seconds);
    return tone;
  }

  function hush() {
    for (const tone of sounding) tone.stop();
    sounding = [];
  }

  function play() {
    hush();
    const now = context.currentTime;
    const cards = scene ? [...scene.sheet.querySelectorAll(".counting li")] : [];
    const each = scene ? scene.card / 1000 : 0;
    tuneAt = Math.max(now + cards.length * each, chimeEnds);
    const taps = cards.flatMap((card, nth) => sing(card.matches(".gone, .struck") ? LOW_TAP : TAP, now + nth * each));
    sounding = [...taps, ...sing(tune, tuneAt)];
  }

  document.addEventListener("scene", (event) => { scene = event.detail; });
  document.addEventListener("scene-over", () => {
    if (scene && context && context.currentTime < tuneAt) { scene = undefined; play(); }
    scene = undefined;
  });
  document.addEventListener("drawn", () => { clearTimeout(waiting); });
  document.addEventListener("sound", (event) => {
    tune = event.detail;
    waiting = setTimeout(() => wake(play), SETTLED);
  });
  document.addEventListener("chime", () => wake(() => {
    chimeEnds = context.currentTime + 0.45;
    sing(CHIME, context.currentTime);
  }));
  document.addEventListener("wake", () => wake());
  addEventListener("pointerdown", () => { if (context) wake(); });
})();
