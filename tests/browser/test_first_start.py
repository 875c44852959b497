"""The simulated table's first start: a newcomer is at a first number after three taps, and knows what it is."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.browser.house import Phone, faults, open_house, open_phone
from tests.tiers import slow

TAPS, WORDS = 3, 60
VISIBLE = """() => {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), words = []
  while (walker.nextNode()) {
    const range = document.createRange(), node = walker.currentNode, parent = node.parentElement
    range.selectNodeContents(node)
    const box = range.getBoundingClientRect(), unseen = parent.closest(".unseen, script, style")
    if (box.width > 1 && box.height > 1 && !unseen && parent.checkVisibility({ visibilityProperty: true }))
      words.push(...(node.data.match(/\\p{L}[\\p{L}\\u2019'-]*/gu) || []))
  }
  return words
}"""
"""The words that are seen on a page, wherever one scrolls."""
WIDE = Phone(1280, language="fr", height=900)
SAYS = {
    "en": "The number says: all cards together make at least this.",
    "fr": "Le nombre dit\N{NO-BREAK SPACE}: toutes les cartes ensemble font au moins cela.",
}


@slow("a table of its own, that has never been sat at")
@pytest.mark.parametrize(
    ("language", "phone"), [("en", Phone()), ("fr", Phone(1280, language="fr", height=900))]
)
def test_a_newcomer_is_at_a_first_number_after_three_taps(
    chromium: Browser, tmp_path: Path, language: str, phone: Phone
) -> None:
    with open_house(tmp_path) as house, open_phone(chromium, house, phone) as page:
        page.goto("/welcome")
        taps = []
        for place in (".go button.say:visible", ".label .options button", ".label .pick button"):
            page.wait_for_selector(place)
            if "pick" in place:
                words = page.evaluate(VISIBLE)
                assert len(words) <= WORDS, " ".join(words)
                assert SAYS[language] in page.inner_text(".label")
                assert faults(page) == []
            page.locator(place).first.click()
            taps.append(place)
        page.wait_for_selector(".label .pick", state="detached")
        assert len(taps) <= TAPS
