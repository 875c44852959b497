"""Tables of figures on a phone: names and headings are read at a glance, the figures beside them."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page

from firmware.storage.database import connected_for_a_thread
from firmware.storage.journal import open_journal
from firmware.storage.match_history import History
from referee.games.catalogue import GAMES
from tests.browser.moments import served
from tests.webui.matches import play_match
from tests.webui.room import match_of, room_with

NAMES = ("Élodie", "Zoé", "Jean-Baptiste", "Maximilien")
BROKEN = r"""() => [...document.querySelectorAll("tbody th")].flatMap((heading) => {
  const text = heading.firstChild, found = [];
  for (const word of text.data.matchAll(/[^\s-]+/g)) {
    const range = document.createRange();
    range.setStart(text, word.index);
    range.setEnd(text, word.index + word[0].length);
    if (range.getClientRects().length > 1) found.push(word[0]);
  }
  return found;
})"""
"""Words of headings of rows that don't stand on one line."""


@pytest.fixture(name="page", scope="module")
def _page(chromium: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    folder = tmp_path_factory.mktemp("figures")
    with open_journal(folder / "journal.sqlite3", connected_for_a_thread) as opened:
        opened.journal.begin(play_match(GAMES["coyote"], NAMES))
        history = History(folder / "journal.sqlite3", opened.journal.forget)
        history.all()
        with served(room_with(match_of(), folder, history=history)) as site:
            context = chromium.new_context(base_url=site, locale="fr")
            yield context.new_page()
            context.close()


@pytest.mark.parametrize("width", [320, 390])
@pytest.mark.parametrize("address", ["/history/1", "/statistics"])
def test_no_word_of_a_heading_is_broken(page: Page, address: str, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 844})
    page.goto(address)
    assert page.locator("tbody th").count() >= 4
    assert page.evaluate(BROKEN) == []
