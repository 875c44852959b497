// A live picture that ends, or finds no place, is asked for again.
"use strict";
(() => {
  const AGAIN = 5000;
  const picture = document.querySelector(".live-picture");
  const full = document.getElementById("full");
  if (!picture) return;
  const address = picture.getAttribute("src");
  picture.addEventListener("load", () => full?.setAttribute("hidden", ""));
  picture.addEventListener("error", () => {
    full?.removeAttribute("hidden");
    setTimeout(() => { picture.src = `${address}${address.includes("?") ? "&" : "?"}again=${Date.now()}`; }, AGAIN);
  });
})();
