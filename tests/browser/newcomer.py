"""Print a newcomer's way from the first start to the first number: `python -m tests.browser.newcomer`.

Each line is a page as it is first seen: the tap that follows, and how many words stand there.
"""

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import Page, sync_playwright

from tests.browser.house import Phone, launch_chromium, open_house, open_phone

TAPS = (".go button.say:visible", "form[data-naming] .say", ".label .options button", ".label .own button")
"""What a newcomer taps who does what is largest: the game, the chair, who begins, the number that is there."""
MOST_TAPS = 4
PAGES = (Phone(360), Phone(360, language="fr"), Phone(1280, height=800))
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


def walk(page: Page) -> Iterator[tuple[str, int]]:
    """Tap what a newcomer taps; give each tap, and how many words stood there."""
    page.goto("/welcome")
    for place in TAPS:
        button = page.locator(place).first
        button.wait_for()
        yield button.inner_text().strip(), len(page.evaluate(VISIBLE))
        button.click()
    page.wait_for_selector(TAPS[-1], state="detached")


def main() -> None:
    """Walk it on a phone in both languages, and at a desk."""
    with sync_playwright() as play:
        browser = launch_chromium(play)
        for phone in PAGES:
            with (
                TemporaryDirectory() as folder,
                open_house(Path(folder)) as house,
                open_phone(browser, house, phone) as page,
            ):
                steps = list(walk(page))
            print(f"{phone.width} px, {phone.language}: {len(steps)} taps (at most {MOST_TAPS})")
            for tap, words in steps:
                print(f"  {words:3} words, then “{tap}”")
        browser.close()


if __name__ == "__main__":
    main()
