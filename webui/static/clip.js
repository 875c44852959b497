// Plays clips of rulings: on their page, and over any page that links to one. Without it, each picture is a link.
"use strict";
(() => {
  const AGAIN = 1500; // milliseconds until a clip that is being kept is asked for again
  const PAUSE = 1200; // at the end, before it plays again
  const TRIES = 8;

  function enhance(figure) {
    const times = figure.dataset.times.split(" ").map(Number);
    const ruled = Number(figure.dataset.ruled);
    const find = (name) => figure.querySelector(name);
    const [picture, back, on, play, slow] = ["img", ".clip-back", ".clip-on", ".clip-play", ".clip-slow"].map(find);
    const frames = times.map((_time, number) => Object.assign(new Image(), { src: `${figure.dataset.clip}/${number}.jpg` }));
    const canvas = document.createElement("canvas");
    let at = Number(figure.dataset.at), timer, isPlaying = false, isTouched = false;

    function show(number) {
      at = (number + times.length) % times.length;
      const frame = frames[at];
      if (!frame.complete || !frame.naturalWidth) { frame.addEventListener("load", () => { if (frames[at] === frame) show(at); }, { once: true }); return; }
      if (canvas.width !== frame.naturalWidth) { canvas.width = frame.naturalWidth; canvas.height = frame.naturalHeight; }
      canvas.getContext("2d").drawImage(frame, 0, 0);
      const seconds = (times[at] - ruled) / 1000;
      find(".clip-at b").textContent = figure.dataset.frame.replace("#1", at + 1);
      find(".clip-at span").textContent = figure.dataset[seconds < 0 ? "before" : "after"].replace("#", Math.abs(seconds).toFixed(1));
      figure.dataset.shown = at;
    }

    function wait() {
      clearTimeout(timer);
      const isLast = at === times.length - 1;
      const pause = isLast ? PAUSE : (times[at + 1] - times[at]) * (slow.querySelector("input").checked ? 4 : 1);
      timer = setTimeout(() => { show(at + 1); wait(); }, pause);
    }

    function turn(wanted) {
      if (wanted === isPlaying) return;
      isPlaying = wanted;
      play.classList.toggle("is-on", isPlaying);
      const label = play.getAttribute("aria-label");
      play.setAttribute("aria-label", play.dataset.stop);
      play.dataset.stop = label;
      if (isPlaying) wait(); else clearTimeout(timer);
    }

    canvas.setAttribute("role", "img");
    canvas.setAttribute("aria-label", picture.alt);
    frames[at].decode().then(() => { picture.replaceWith(canvas); show(at); }, () => {});
    for (const [key, by] of [[back, -1], [on, 1]]) key.addEventListener("click", (event) => { event.preventDefault(); turn(false); show(at + by); });
    play.addEventListener("click", () => turn(!isPlaying));
    find(".clip-keys").addEventListener("click", () => { isTouched = true; });
    play.hidden = slow.hidden = false;
    // it begins by itself once all is there, unless it was started or moved by hand
    const isStill = matchMedia("(prefers-reduced-motion: reduce)").matches;
    Promise.allSettled(frames.map((frame) => frame.decode())).then(() => { if (figure.isConnected && !isStill && !isTouched) turn(true); });
    return () => turn(false);
  }

  // The clip of a link, over this page; one that is still being kept is asked for again.
  async function fetched(address, tries = TRIES) {
    const answer = await fetch(address);
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const figure = page.querySelector("figure.clip");
    if (figure) return figure;
    if (!page.querySelector("meta[http-equiv=refresh]") || !tries) return null;
    await new Promise((done) => setTimeout(done, AGAIN));
    return fetched(address, tries - 1);
  }

  async function open(link) {
    link.setAttribute("aria-busy", "true");
    const figure = await fetched(link.href).catch(() => null);
    link.removeAttribute("aria-busy");
    if (!figure) { location.assign(link.href); return; }
    const dialog = document.createElement("dialog");
    dialog.className = "replay";
    dialog.setAttribute("aria-label", link.textContent.trim());
    const close = Object.assign(document.createElement("button"), { type: "button", className: "choice clip-close", textContent: link.dataset.close || "×" });
    dialog.append(document.importNode(figure, true));
    dialog.querySelector(".clip-keys").append(close);
    document.body.append(dialog);
    dialog.showModal();
    const stop = enhance(dialog.querySelector("figure"));
    close.addEventListener("click", () => dialog.close());
    dialog.addEventListener("click", (event) => { if (event.target === dialog) dialog.close(); });
    dialog.addEventListener("close", () => { stop(); dialog.remove(); });
  }

  document.addEventListener("click", (event) => {
    const link = event.target.closest("a.show-clip");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    if (!document.querySelector("dialog.replay")) open(link);
  });
  document.querySelectorAll("figure.clip").forEach(enhance);
})();
