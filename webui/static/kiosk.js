// Asks to become the table's screen on its own machine without a keyboard; the host still has to confirm. The page
// must have been opened once at /screen#ask; `coyote table screen` does that.
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
