"""What a player would stumble over on pages: reported once, with a picture."""

import re
from contextlib import suppress
from pathlib import Path

from playwright.sync_api import Error, Page

from tests.scripts import say


class Findings:
    """The findings of a match, whose pictures are in a folder."""

    def __init__(self, folder: Path, game: str) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._folder, self._game, self._alike = folder, game, set[str]()
        self.found = list[str]()

    def note(self, page: Page, what: str, where: str = "") -> None:
        """Report a finding once, whatever its numbers and wherever it is."""
        if (alike := re.sub(r"[0-9.]+", "", what)) not in self._alike:
            self._alike.add(alike)
            self.found.append(f"{self._game}{where}: {what}")
            say(f"  FOUND: {self.found[-1]}")
            self.keep_picture(page, f"found-{len(self.found)}")

    def keep_picture(self, page: Page, name: str) -> None:
        # a busy computer may draw none in time
        with suppress(Error):
            page.screenshot(path=self._folder / f"{name[:120]}.png")
