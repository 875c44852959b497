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
    try {
      const answer = await fetch(address);
      if (!answer.ok) throw new Error(answer.status);
      const main = new DOMParser().parseFromString(await answer.text(), "text/html").querySelector("main");
      sheet.querySelector(".helped").replaceChildren(...main.childNodes);
    } catch {
      location.href = address;
      return;
    }
    sheet.setAttribute("aria-label", sheet.querySelector("h1").textContent);
    if (!sheet.open) sheet.show();
    const option = word && [...sheet.querySelectorAll("[data-word]")].find((each) => each.dataset.word === word);
    sheet.scrollTop = option ? option.offsetTop - sheet.querySelector(".close").offsetHeight / 4 : 0;
  }

  link.addEventListener("click", (event) => {
    event.preventDefault();
    if (sheet.open) sheet.close();
    // who is asked reads about the answers first, and everybody else the whole book
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
