// A page that shows what has become of something: it is loaded again once in a while, and stays while the table is away.
"use strict";
(() => {
  const seconds = Number(document.currentScript.dataset.seconds);

  setInterval(async () => {
    try {
      const answer = await fetch(location.href, { cache: "no-store" });
      if (answer.ok) location.replace(answer.url);
    } catch {
      // the table starts again, or the Wi-Fi is gone
    }
  }, seconds * 1000);
})();
