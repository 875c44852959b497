// Shows the rules over the simulated table's cloth, at the chosen action. Without it, they are a page.
"use strict";
(() => {
  const [sheet, table] = ["rulesheet", "table"].map((name) => document.getElementById(name));
  const link = document.querySelector('.bar nav a[href="/rules"]');

  // The word of the opened row of answers, or of the chosen one.
  function chosen() {
    const chip = table.querySelector(".chips input:checked");
    return table.querySelector(".ask .group[open] > summary")?.dataset.word ?? (chip && JSON.parse(chip.value).word);
  }

  async function open(address, word) {
    const option = await fillRuleSheet(sheet, address, word);
    if (option === undefined) return;
    sheet.setAttribute("aria-label", sheet.querySelector("h1").textContent);
    if (!sheet.open) sheet.show();
    sheet.scrollTop = option ? option.offsetTop - sheet.querySelector(".close").offsetHeight / 4 : 0;
  }

  link.addEventListener("click", (event) => {
    event.preventDefault();
    if (sheet.open) sheet.close();
    // players with a question see its answers explained first; all others see the whole book
    else open(table.querySelector("form.ask") ? "/seat/rules" : "/rules", chosen());
  });
  sheet.addEventListener("click", (event) => {
    const address = event.target.closest("a")?.getAttribute("href");
    if (event.target.closest(".close") || address === "/seat") sheet.close();
    else if (["/rules", "/seat/rules"].includes(address)) open(address, chosen());
    else return;
    event.preventDefault();
  });
  sheet.addEventListener("submit", (event) => {
    if (event.target.getAttribute("action") !== "/rules") return;
    event.preventDefault();
    open(`/rules?${new URLSearchParams(new FormData(event.target))}`);
  });
  addEventListener("keydown", (event) => { if (event.key === "Escape" && sheet.open) sheet.close(); });
  sheet.addEventListener("close", () => link.focus());
})();
