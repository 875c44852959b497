// Plays tunes from the table: pairs of a frequency in hertz (0 is silence) or a sound's name, and seconds. A count taps card by card
// before its tune; skipping the count skips the taps. Of simultaneous tunes only the newest is played.
"use strict";
(() => {
  const SETTLED = 80; // milliseconds; a scene has started by then
  const LATE = 1000; // milliseconds; tunes delayed longer by the browser are dropped
  const TAP = [[1175, 0.03]], LOW_TAP = [[392, 0.05]], CHIME = [[659, 0.12], [880, 0.3]];
  // drum, coin and gavel; each part: start in seconds, from and to hertz, duration, waveform, volume
  const STRIKES = {
    drum: [[0, 150, 50, 0.3, "sine", 0.8], [0.2, 130, 45, 0.3, "sine", 0.8]],
    coin: [[0, 2637, 2637, 0.22, "sine", 0.12], [0, 4187, 4187, 0.14, "sine", 0.08], [0.07, 3136, 3136, 0.3, "sine", 0.1]],
    gavel: [[0, 220, 70, 0.1, "triangle", 0.7], [0, 1400, 900, 0.02, "square", 0.12], [0.17, 220, 70, 0.1, "triangle", 0.7]],
  };
  let context, waiting, scene, tune, tuneAt, chimeEnds = 0, sounding = [];

  // Browsers block sound before the first tap; blocked tunes are dropped.
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
      for (const [after, from, to, lasts, wave, loud] of STRIKES[hertz] || []) tones.push(glide(from, to, at + after, lasts, wave, loud));
      if (hertz > 0) tones.push(glide(hertz, hertz, at, seconds, "triangle", 0.25));
      at += seconds;
    }
    return tones;
  }

  // Sustain notes and release them; percussive sounds decay at once.
  function glide(from, to, at, seconds, wave, loudness) {
    const tone = context.createOscillator();
    const loud = context.createGain();
    const held = wave === "triangle" && from === to ? 0.8 : 0;
    tone.type = wave;
    tone.frequency.value = from;
    if (to !== from) {
      tone.frequency.setValueAtTime(from, at);
      tone.frequency.exponentialRampToValueAtTime(to, at + seconds);
    }
    loud.gain.setValueAtTime(loudness, at);
    loud.gain.setTargetAtTime(0, at + seconds * held, seconds * (held ? 0.1 : 0.3));
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
