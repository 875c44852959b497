// Shows the rules in a sheet over the seat, from the footer or by holding an option. Without it, they are a page.
"use strict";
(() => {
  const part = document.getElementById("part");
  const HOLD = 550; // milliseconds to hold an option
  const sheet = document.getElementById("help");
  let timer, held, opener;

  async function open(address, word) {
    let text;
    try {
      const answer = await fetch(address, { credentials: "same-origin" });
      if (!answer.ok) throw new Error(answer.status);
      text = await answer.text();
    } catch {
      location.href = address;
      return;
    }
    const main = new DOMParser().parseFromString(text, "text/html").querySelector("main");
    sheet.querySelector(".helped").replaceChildren(...main.childNodes);
    if (!sheet.open) sheet.showModal();
    const option = word && [...sheet.querySelectorAll("[data-word]")].find((each) => each.dataset.word === word);
    (option || sheet).scrollIntoView({ block: "start" });
  }

  addEventListener("click", (event) => {
    const link = event.target.closest?.('a[href="/seat/rules"], #help a[href="/seat"]');
    if (!link) return;
    event.preventDefault();
    if (link.getAttribute("href") === "/seat") sheet.close();
    else { opener = link; open(link.href); }
  });
  sheet.querySelector(".close").addEventListener("click", () => sheet.close());
  sheet.addEventListener("click", (event) => { if (event.target === sheet) sheet.close(); });
  sheet.addEventListener("close", () => { if (opener?.isConnected) opener.focus(); });

  // holding an option explains it and must not select it
  part.addEventListener("pointerdown", (event) => {
    const option = event.target.closest("[data-word]");
    if (!option) return;
    timer = setTimeout(() => { held = option; open("/seat/rules", option.dataset.word); }, HOLD);
  });
  for (const end of ["pointerup", "pointercancel", "pointermove"]) {
    part.addEventListener(end, (event) => { if (end !== "pointermove" || Math.hypot(event.movementX, event.movementY) > 6) clearTimeout(timer); });
  }
  part.addEventListener("click", (event) => {
    const option = event.target.closest("[data-word]");
    if (held && option === held) { event.preventDefault(); event.stopPropagation(); }
    held = undefined;
  }, true);
  part.addEventListener("contextmenu", (event) => { if (event.target.closest("[data-word]")) event.preventDefault(); });

  // the rules differ for each question
  document.addEventListener("drawn", () => {
    const moment = part.querySelector(".phone")?.dataset.moment;
    if (sheet.open && moment !== sheet.dataset.moment) sheet.close();
    sheet.dataset.moment = moment;
  });
  sheet.dataset.moment = part.querySelector(".phone")?.dataset.moment;
})();
