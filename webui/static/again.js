// Reloads a status page at intervals, and leaves it in place while the table is unreachable.
"use strict";
(() => {
  const seconds = Number(document.currentScript.dataset.seconds);

  setInterval(async () => {
    try {
      const answer = await fetch(location.href, { cache: "no-store" });
      if (answer.ok) location.replace(answer.url);
    } catch {
      // the table is restarting, or the Wi-Fi is down
    }
  }, seconds * 1000);
})();
