// Exchanges the token in the address for a cookie. No server receives that part of an address, and it leaves the history.
"use strict";
(() => {
  const form = document.querySelector('form[action="/here"]');
  const token = location.hash.slice(1);

  if (!token) return;
  history.replaceState(null, "", location.pathname);
  form.elements.token.value = token;
  form.submit();
})();
