"""A disk that is full or broken: the table goes on, says so, and lets nothing count that isn't kept."""

from pathlib import Path
from typing import Any

import pytest

from firmware.core.notices import Notice, sentence_for
from firmware.core.table import Write
from firmware.core.watcher import EyesStarted
from firmware.core.writer import EntryNotKept
from firmware.language.catalogues import language, languages
from referee.contract import Answer
from referee.match import Match
from tests.firmware.board.senses.matches import bidden
from tests.firmware.core.tables import HeldDisk, open_bench
from tests.firmware.core.unkept import Unkept, play_past_fault
from tests.firmware.storage.faulty_disk import Fault
from tests.tiers import tiered
from tests.webui.room import ADDRESS, unlimited_attempts
from webui.access.links_file import LinksFile
from webui.doors.companion import Services
from webui.server.app import create_app

FIRSTS = tiered((1, 2, 5, 13), (1, 2, 3, 5, 8, 13, 34, 89))


@pytest.mark.parametrize("full", [True, False], ids=["full", "broken"])
@pytest.mark.parametrize("kind", ["write", "sync"])
def test_nothing_counts_that_is_not_kept_and_everybody_is_told(tmp_path: Path, kind: Any, full: bool) -> None:
    figures = Unkept()
    for first in FIRSTS:
        play_past_fault(tmp_path / str(first), Fault(kind, first, 1 + first % 3, full), figures)
    assert figures.wrong == []
    assert figures.not_kept >= len(FIRSTS)
    assert figures.answers > len(FIRSTS)


class BadDisk(HeldDisk):
    """A disk that keeps nothing."""

    def refuse(self) -> Write:
        """Don't keep the next entry."""
        write = self.given.get(timeout=30)
        self._queue.put(EntryNotKept("the disk is full; make room"))
        return write


def test_the_page_tells_it_until_an_answer_is_kept_again(tmp_path: Path) -> None:
    with open_bench(bidden(5), tmp_path, disk=BadDisk) as bench:
        door = bench.companion.door
        spoken = {code: language(code) for code in languages()}
        links_file = LinksFile(tmp_path / "links.json")
        handed = Services(door, links_file, spoken, "en", sentence_for, lambda: ADDRESS)
        page = create_app(handed, unlimited_attempts()).test_client()
        answer = Answer(2, "announce", 9, 1, "phone")
        heard = door.submit(answer)
        bench.disk.refuse()
        assert isinstance(heard.result(30), Notice)
        assert "No answer can be kept now" in page.get("/").text
        # eyes that start anew know nothing of disks
        bench.queue.put(EyesStarted(2))
        # other presses are still answered
        bench.press(3)
        bench.wait("nothing", 3)
        assert "No answer can be kept now" in page.get("/").text
        heard = door.submit(answer)
        bench.disk.keep_next()
        assert isinstance(heard.result(30), Match)
        assert "No answer can be kept now" not in page.get("/").text
