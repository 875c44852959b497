([targets, least]) => [...document.querySelectorAll(targets)]
    .filter((each) => each.getClientRects().length && !each.closest(".unseen") && !each.matches("p a, small a"))
    .filter((each) => !(each.matches("input") && each.closest("label")))
    .map((each) => [each.textContent.trim().slice(0, 30), each.getBoundingClientRect()])
    .filter(([text, box]) => box.width < least - 0.5 || box.height < least - 0.5)
    .map(([text, box]) => `${text} ${Math.round(box.width)} x ${Math.round(box.height)}`)
