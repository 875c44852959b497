// Plays a match as a film. Without it, each step is a link. A single-file film contains all steps.
"use strict";
(() => {
  const film = document.getElementById("film");
  const at = (id) => document.getElementById(id);
  const [back, on, play, jump] = ["film-back", "film-on", "film-play", "film-jump"].map(at);
  const PIECES = ["film-shown", "film-reel", "film-said", "film-beside", "film-steps"];
  const { home, mark } = film.dataset;
  const last = Number(film.dataset.last);
  const LEAST = 1400; // milliseconds per step
  const LETTER = 38; // additional milliseconds per character of text
  const KEPT = 40; // cached steps
  const packed = at("film-steps-packed");
  const steps = new Map();
  let now = Number(film.dataset.at), timer, isPlaying = false, wanted = now, whole = null;

  async function unpack() {
    const bytes = Uint8Array.from(atob(packed.textContent), (letter) => letter.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    whole = JSON.parse(await new Response(stream).text());
  }

  function fetched(number) {
    if (whole) return Promise.resolve(
      whole.steps[number].flatMap((block) => whole.blocks[block]).map((line) => whole.lines[line]).join("\n"));
    if (!steps.has(number)) {
      const asked = fetch(`${home}/${number}?of=${mark}`).then((answer) => {
        if (!answer.ok) throw new Error(answer.status);
        return answer.text();
      });
      asked.catch(() => steps.delete(number));
      steps.set(number, asked);
      if (steps.size > KEPT) steps.delete(steps.keys().next().value);
    }
    return steps.get(number);
  }

  const address = (number) => whole ? `#${number}` : `${home}?at=${number}`;

  async function go(number) {
    number = Math.min(last, Math.max(0, number));
    wanted = number;
    let text;
    try {
      text = await fetched(number);
    } catch {
      if (wanted === number) { stop(); location.href = address(number); }
      return;
    }
    if (wanted !== number) return;
    now = number;
    show(text);
    if (now < last && !whole) fetched(now + 1).catch(() => {});
  }

  function show(text) {
    const drawn = document.createElement("template");
    drawn.innerHTML = text;
    if (whole) fill(drawn.content);
    const openWhy = film.querySelector("details.why")?.open;
    for (const id of PIECES) at(id).replaceChildren(...drawn.content.getElementById(id).childNodes);
    const why = film.querySelector("details.why");
    if (why && openWhy) why.open = true;
    back.href = address(Math.max(0, now - 1));
    on.href = address(Math.min(last, now + 1));
    at("film-link").href = address(now);
    const firsts = [...jump.options].filter((option) => Number(option.value) <= now);
    jump.value = firsts[firsts.length - 1].value;
    history.replaceState(null, "", address(now));
    frame();
    if (isPlaying) wait();
  }

  // Scroll to the needle if the timeline is wider than the phone.
  function frame() {
    const reel = film.querySelector(".reel");
    reel.scrollLeft = (now + 0.5) / (last + 1) * reel.scrollWidth - reel.clientWidth / 2;
    const steps = film.querySelector(".steps");
    const step = steps.querySelector("[aria-current]");
    if (step) steps.scrollTop = step.offsetTop - steps.offsetTop - steps.clientHeight / 2;
  }

  function fill(content) {
    for (const picture of content.querySelectorAll("img")) picture.src = whole.pictures[picture.dataset.src];
    for (const picture of content.querySelectorAll("image")) picture.setAttribute("href", whole.pictures[picture.dataset.src]);
  }

  function wait() {
    clearTimeout(timer);
    if (now >= last) { stop(); return; }
    const told = at("film-said").querySelectorAll("h1, .more-said");
    const letters = [...told].reduce((sum, sentence) => sum + sentence.textContent.length, 0);
    const times = Number(at("film-speed").querySelector("select").value);
    timer = setTimeout(() => go(now + 1), Math.min(9000, LEAST + LETTER * letters) / times);
  }

  function stop() {
    clearTimeout(timer);
    isPlaying = false;
    told();
  }

  function start() {
    isPlaying = true;
    told();
    if (now >= last) go(0); else wait();
  }

  function told() {
    play.classList.toggle("is-on", isPlaying);
    const label = play.getAttribute("aria-label");
    if ((label === play.dataset.stop) !== isPlaying) {
      play.setAttribute("aria-label", play.dataset.stop);
      play.dataset.stop = label;
    }
  }

  film.addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    const link = event.target.closest("a[data-at], #film-back, #film-on");
    const reel = event.target.closest(".film");
    if (link) {
      event.preventDefault();
      stop();
      go(link === back ? now - 1 : link === on ? now + 1 : Number(link.dataset.at));
    } else if (reel) {
      const box = reel.getBoundingClientRect();
      stop();
      go(Math.floor((event.clientX - box.left) / box.width * (last + 1)));
    }
  });
  play.addEventListener("click", () => isPlaying ? stop() : start());
  jump.addEventListener("change", () => { stop(); go(Number(jump.value)); });
  at("film-speed").addEventListener("change", () => { if (isPlaying) wait(); });
  addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.target.closest("select, input, textarea")) return;
    if (event.key === "ArrowLeft") { stop(); go(now - 1); }
    else if (event.key === "ArrowRight") { stop(); go(now + 1); }
    else if (event.key === " " && !event.target.closest("a, button, summary")) isPlaying ? stop() : start();
    else return;
    event.preventDefault();
  });

  const linked = () => { const found = /^#(\d+)$/.exec(location.hash); return found && Number(found[1]); };

  async function begin() {
    if (packed) {
      await unpack();
      addEventListener("hashchange", () => { if (linked() !== null && linked() !== now) go(linked()); });
      await go(linked() ?? now);
    }
    for (const id of ["film-play", "film-speed", "film-keys"]) at(id).hidden = false;
    const jumping = film.querySelector(".jump button");
    if (jumping) jumping.hidden = true;
    frame();
  }

  begin();
})();
