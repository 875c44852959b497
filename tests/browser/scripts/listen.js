window.tones = [];
window.stopped = 0;
window.AudioContext = class {
  state = "running";
  currentTime = 0;
  destination = {};
  resume() { return Promise.resolve(); }
  createOscillator() {
    const frequency = { setValueAtTime() {}, exponentialRampToValueAtTime() {} };
    const tone = { frequency, connect: (to) => to, start: (at) => tones.push([tone.frequency.value, at]) };
    tone.stop = (at) => { if (at === undefined) window.stopped += 1; };
    return tone;
  }
  createGain() { return { gain: { setValueAtTime() {}, setTargetAtTime() {} }, connect: (to) => to }; }
};
window.said = [];
window.hushed = 0;
window.SpeechSynthesisUtterance = class { constructor(text) { this.text = text; this.pitch = 1; } };
const voices = VOICES.map(([name, lang]) => ({ name, lang, localService: true }));
Object.defineProperty(window, "speechSynthesis", { configurable: true, value: {
  getVoices: () => voices,
  speak(said) {
    window.said.push([said.text, said.voice?.name ?? null, said.pitch, said.lang]);
    if (window.refuses) { said.onerror({ error: "not-allowed" }); return; }
    if (!window.holds) setTimeout(() => said.onend());
  },
  cancel() { window.hushed += 1; },
} });
for (const [kind, count] of [["drawn", "shown"], ["tune", "tunes"], ["speech", "speeches"]])
  document.addEventListener(kind, () => { window[count] = (window[count] || 0) + 1; });
