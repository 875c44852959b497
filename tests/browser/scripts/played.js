() => {
  window.played = [];
  const part = document.getElementById("part");
  const opacity = (name) => getComputedStyle([...document.querySelectorAll(name)].pop()).opacity;
  const playing = () => document.querySelectorAll(".playing").length;
  document.addEventListener("drawn", () => {
    if (document.querySelector(".sum .huge"))
      window.early ||= [opacity(".counting li"), opacity(".sum .huge")];
  });
  new MutationObserver(() => {
    window.played.push(part.dataset.played);
    const moving = document.getAnimations().map((each) => each.effect.target);
    window.outside = moving.filter((each) => !each.closest(".fact, .strip")).length;
    const before = playing();
    dispatchEvent(new KeyboardEvent("keydown", { key: "Escape" }));
    window.skipped = [before, playing()];
  }).observe(part, { attributes: true, attributeFilter: ["data-played"] });
}
