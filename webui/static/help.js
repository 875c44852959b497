// Shows the rules in a sheet over the seat, from the footer or by holding an option. Without it, they are a page.
"use strict";
(() => {
  const part = document.getElementById("part");
  const HOLD = 550; // milliseconds to hold an option
  const sheet = document.getElementById("help");
  let timer, held, opener;

  async function open(address, word) {
    const option = await fillRuleSheet(sheet, address, word);
    if (option === undefined) return;
    if (!sheet.open) sheet.showModal();
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
