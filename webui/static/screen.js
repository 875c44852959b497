// Plays the table's tunes on its screen. A browser that isn't a kiosk wants one tap before it plays anything.
"use strict";
(() => {
  const asking = document.getElementById("sound");
  let context;

  // Each note is a pair: hertz (0 is silence), seconds.
  function play(notes) {
    let at = context.currentTime + 0.02;
    for (const [hertz, seconds] of notes) {
      if (hertz) sound(hertz, at, seconds);
      at += seconds;
    }
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
  }

  function wake() {
    context = context || new AudioContext();
    return context.state === "running" ? Promise.resolve() : context.resume();
  }

  document.addEventListener("tune", (event) => {
    wake();
    if (context.state === "running") play(JSON.parse(event.detail));
    else asking.hidden = false;
  });
  asking.querySelector("button").addEventListener("click", () => { wake().then(() => { asking.hidden = true; }); });
})();
