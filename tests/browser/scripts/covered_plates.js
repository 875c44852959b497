() => [...document.querySelectorAll("ol.seats > li")].filter(plate => {
  const at = plate.getBoundingClientRect();
  const spots = [[.5, .5], [.1, .1], [.9, .1], [.1, .9], [.9, .9]];
  const there = ([x, y]) => document.elementFromPoint(at.x + x * at.width, at.y + y * at.height);
  return spots.some(spot => !plate.contains(there(spot)));
}).length
