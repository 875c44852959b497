// Shows the entered name on the button, and fills in known names with a tap. Optional.
"use strict";
(() => {
  for (const form of document.querySelectorAll("form[data-naming]")) {
    const [field, say] = [form.elements.name, form.querySelector("[data-says]")];
    const plain = say.textContent;
    const show = () => {
      const name = field.value.trim();
      say.textContent = name ? say.dataset.says.replace("#", () => name) : plain;
      for (const each of form.querySelectorAll("[data-fill]")) each.setAttribute("aria-pressed", each.dataset.fill === name);
      const [drawn, initial] = [document.querySelector("[data-name]"), document.querySelector("[data-initial]")];
      if (drawn) drawn.textContent = name || drawn.dataset.plain;
      if (initial) initial.textContent = name.slice(0, 1) || "?";
    };
    const drawn = document.querySelector("[data-name]");
    if (drawn) drawn.dataset.plain = drawn.textContent;
    form.addEventListener("input", show);
    form.addEventListener("click", (event) => {
      const known = event.target.closest("[data-fill]");
      if (known) { field.value = known.dataset.fill; show(); }
    });
    show();
  }
})();
