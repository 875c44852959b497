// Several cards: a tap on a card adds one, a tap on a chosen card removes it. Optional: number fields work without it.
"use strict";
(() => {
  function showCount(form) {
    // the button may be outside the form
    const say = [...form.elements].find((each) => each.dataset.soFar);
    const inputs = [...form.querySelectorAll(".pile input")];
    const count = inputs.reduce((sum, input) => sum + Number(input.value || 0), 0);
    say.textContent = say.dataset.soFar.replace("#", count);
    for (const input of inputs) input.closest(".pile").classList.toggle("some", Number(input.value) > 0);
    const wanted = Number(form.querySelector(".piles").dataset.count);
    say.disabled = count !== wanted;
    showPicked(form.querySelector(".picked"), inputs, wanted);
  }

  // The chosen cards in a row, each of which a tap removes, and an empty place for each missing one.
  function showPicked(list, inputs, wanted) {
    const cards = inputs.flatMap((input) => Array.from({ length: Number(input.value || 0) }, () => pickedCard(list, input)));
    const empty = Array.from({ length: Math.max(0, wanted - cards.length) }, () => document.createElement("li"));
    list.replaceChildren(...cards, ...empty);
    list.hidden = false;
  }

  function pickedCard(list, input) {
    const place = document.createElement("li");
    const button = document.createElement("button");
    const picture = input.labels[0].firstElementChild.cloneNode(true);
    button.type = "button";
    button.setAttribute("aria-label", list.dataset.remove.replace("#", input.ariaLabel));
    picture.alt = "";
    button.append(picture);
    button.addEventListener("click", () => {
      input.stepDown();
      input.dispatchEvent(new Event("input", { bubbles: true }));
    });
    place.append(button);
    return place;
  }

  function showCounts() {
    for (const piles of document.querySelectorAll(".piles[data-count]")) showCount(piles.closest("form"));
  }

  document.addEventListener("click", (event) => {
    const label = event.target.closest(".piles .pile label");
    if (!label) return;
    event.preventDefault();
    label.control.stepUp();
    label.control.dispatchEvent(new Event("input", { bubbles: true }));
  });
  document.addEventListener("input", (event) => { if (event.target.closest(".pile")) showCount(event.target.form); });
  document.addEventListener("drawn", showCounts);
  showCounts();
})();
