"""Gives a player's answer by taps on a phone: chips, folds, suits, tiles, cells, numbers."""

from collections import Counter

import msgspec
from playwright.sync_api import ElementHandle, Error, Locator, Page

from referee.contract import Ask, Option, Value

TAP_TIMEOUT = 15_000.0  # milliseconds until a control that can't be tapped is reported
MOST_FOLDS = 6  # most folds, players and suits to open for one control
OPENER = """node => {
  const seen = (each) => each.checkVisibility({ visibilityProperty: true, opacityProperty: false })
    && each.getClientRects().length > 0;
  const target = node.matches("input") ? node.labels[0] ?? node : node;
  if (seen(target)) return null;
  let opener = null;
  for (let around = node.parentElement; around; around = around.parentElement) {
    if (around.matches("details:not([open])")) opener = around.querySelector("summary");
    if (around.matches(".panel") && !seen(around)) {
      const group = around.closest(".bysuit");
      opener = group.querySelectorAll(".suits label")[[...around.parentElement.children].indexOf(around)];
    }
  }
  return opener;
}"""
"""Finds what a thumb opens first to reach a control, the outermost: a fold, or the suit of a hidden panel."""


class UntappableError(Exception):
    """The page offers no control for an answer, or one that no thumb can reach."""


def give(page: Page, ask: Ask, value: Value) -> None:
    """Tap an answer on the page of a seat that is asked."""
    forms = page.locator(f"form:has(input[name=ask][value='{ask.key}'])")
    try:
        match value:
            case Option():
                _choose(forms, value)
            case int():
                forms.locator("input[name=other]").first.fill(str(value), timeout=TAP_TIMEOUT)
                _confirm(forms)
            case tuple():
                _lay(forms, value)
            case _:
                _confirm(forms)
    except Error as error:
        why = [each for each in error.message.splitlines() if "intercepts" in each or "not " in each]
        raise UntappableError(
            f"{ask.key} {value}: {error.message.splitlines()[0]} {' '.join(why[:1])}"
        ) from error


def _choose(forms: Locator, option: Option) -> None:
    """Tap a choice; chips and cells are confirmed by a button."""
    for name in ("chosen-", "cell", "option"):
        for control in forms.locator(f"[name^='{name}']").element_handles():
            text = control.get_attribute("value") or ""
            if text and msgspec.json.decode(text, type=Option) == option:
                _tap(control)
                if name != "option":
                    button = "button[data-cell]" if name == "cell" else f"button[value='{text}']"
                    forms.locator(button).first.click(timeout=TAP_TIMEOUT)
                return
    raise UntappableError(f"no control says {option}")


def _lay(forms: Locator, cards: tuple[str, ...]) -> None:
    """Tap the tiles of cards, and confirm them; a card that another player shows is confirmed by one tap."""
    if (seen := forms.locator("button.say[name=card]")).count():
        seen.first.click(timeout=TAP_TIMEOUT)
        return
    for face, count in Counter(cards).items():
        if forms.locator("input[name=card]").count():
            tiles = forms.locator("input[name=card]").element_handles()
            tile = next((each for each in tiles if each.get_attribute("value") == face), None)
            if tile is None:
                raise UntappableError(f"no tile shows {face}")
            _tap(tile)
            continue
        pile = forms.locator(f"input[name='card-{face}']")
        for _tapped in range(count - int(pile.input_value(timeout=TAP_TIMEOUT) or 0)):
            _tap(forms.locator(f".pile:has(input[name='card-{face}']) label").element_handle())
    _confirm(forms)


def _tap(control: ElementHandle) -> None:
    """Open what hides a control, and tap it; a radio button is tapped by its label."""
    for _fold in range(MOST_FOLDS):
        opener = control.evaluate_handle(OPENER).as_element()
        if opener is None:
            break
        opener.click(timeout=TAP_TIMEOUT)
    if control.evaluate("node => node.matches('.howl')"):
        control.dblclick(timeout=TAP_TIMEOUT)
        return
    label = control.evaluate_handle("node => node.matches('input') ? node.labels[0] : node").as_element()
    (label or control).click(timeout=TAP_TIMEOUT)


def _confirm(forms: Locator) -> None:
    forms.locator("button.say:visible").first.click(timeout=TAP_TIMEOUT)
