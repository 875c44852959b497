// On the table's own machine, a screen without a keyboard asks by itself to show the table; the host confirms it all the
// same. It is one if it was opened at /screen#ask once; `coyote table screen` does that.
"use strict";
(() => {
  const form = document.querySelector('form[action="/screen/ask"]');
  const wasRefused = document.querySelector("main [role=alert]");
  const AGAIN = 60000;

  if (location.hash === "#ask") localStorage.setItem("kiosk", "1");
  if (!localStorage.getItem("kiosk") || !form) return;
  if (wasRefused) setTimeout(() => location.assign("/screen"), AGAIN);
  else form.submit();
})();
