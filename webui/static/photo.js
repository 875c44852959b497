// Shows that the table is reading, and prevents sending twice.
"use strict";
document.querySelector("form.photo").addEventListener("submit", (event) => {
  event.target.querySelector("button").disabled = true;
  event.target.querySelector("[role=status]").hidden = false;
});
