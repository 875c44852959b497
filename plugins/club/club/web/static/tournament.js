// Shows the house rules of the games chosen for the tables. Optional: without it, those of all games are listed.
"use strict";
(() => {
  function showRules() {
    const games = [...document.querySelectorAll("select[name^='game-']")].map((table) => table.value);
    for (const rules of document.querySelectorAll("[data-rules]")) rules.hidden = !games.includes(rules.dataset.rules);
  }

  document.addEventListener("change", showRules);
  showRules();
})();
