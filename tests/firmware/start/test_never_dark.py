"""Whatever is wrong with disk, rights or machine: the table comes up, its pages say so, and people play.

`tests/trust/never_dark.py` starts in every such world; here are two of them.
"""

import re
from html import unescape
from pathlib import Path
from random import Random

import pytest

from referee.record import read_record, record_lines
from tests.firmware.start.browsing import Phone
from tests.firmware.start.dark_starts import FILLING, OPEN, UNSAVED, DarkStart, DarkTable, fill
from tests.firmware.start.people import DONE

[READ_ONLY] = [world for world in UNSAVED if world.name == "the disk is read-only"]
OK = 200


def dark_table(folder: Path, world: DarkStart) -> DarkTable:
    why = world.needs()
    if why:
        pytest.skip(why)
    return DarkTable(folder, world)


def test_a_match_is_played_from_memory_and_taken_along(tmp_path: Path) -> None:
    there = dark_table(tmp_path, READ_ONLY)
    try:
        there.table.page()
        page = Phone().get(there.table.port, "/")
        assert f'<p class="lines"><b>!</b> Not saving: {there.world.says}' in unescape(page)
        assert (OPEN.setup.names[-1] in page) == there.world.is_read
        assert "What helps" in there.host().get(there.table.port, "/host")
        there.play(there.phones(), Random(1))
        [link] = re.findall(r'href="([^"]*)" download', Phone().get(there.table.port, "/"))
        taken = read_record(Phone().get(there.table.port, link).splitlines()).match
        assert taken is not None
        assert taken.outcome is not None
        assert there.table.hang_up() == 0
    finally:
        there.close()


def test_a_disk_that_gets_full_moves_the_match_into_memory_and_a_cure_saves_it(tmp_path: Path) -> None:
    there = dark_table(tmp_path, FILLING)
    try:
        phones, host = there.phones(), there.host()
        assert there.answer(phones) == DONE
        state = there.inside() / "state"
        fill(state / "filler")
        # three answers don't count, then it starts again in memory
        there.wait_until(lambda: "Not saving" in there.look("/") or there.answer(phones) == DONE)
        assert there.answer(phones) == DONE
        (state / "filler").unlink()
        assert host.post(there.table.port, "/host/start-again", {}) == OK
        there.wait_until(lambda: "saved now; matches: 1, lines: 1." in there.look("/"))
        assert "Not saving" not in there.look("/")
        kept = there.lines_on_disk(1)
        assert len(kept) == len(record_lines(OPEN)) + 2
        assert read_record(kept).fault is None
    finally:
        there.close()
