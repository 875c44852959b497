// Shows the claim number on the computer's own screen while it is valid.
"use strict";
(() => {
  const told = document.getElementById("number");
  const AGAIN = 4000;

  const look = async () => {
    try {
      const answer = await fetch("/screen/number", { cache: "no-store" });
      told.textContent = answer.status === 200 ? await answer.text() : "";
    } catch {
      told.textContent = "";
    }
    told.hidden = !told.textContent;
  };
  look();
  setInterval(look, AGAIN);
})();
