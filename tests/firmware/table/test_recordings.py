"""Recorded matches at a table with a camera: the reports of the eyes give the same answers again."""

import lzma
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from firmware.table.state import OBJECTION_TIME
from referee.contract import Answer
from referee.games.catalogue import GAMES
from referee.record import read_record
from tests.firmware.table.sat import SeatedTable
from tests.given import present
from tests.long.recording import Line
from tests.plugins.installed import game_of
from vision.process.messages import TableRead

RECORDINGS = sorted((Path(__file__).parent / "recordings").glob("*.jsonl.xz"))


def lines_of(file: Path) -> Iterator[Line]:
    with lzma.open(file) as lines:
        yield from (msgspec.json.decode(line, type=Line) for line in lines)


@pytest.mark.parametrize("file", RECORDINGS, ids=lambda file: file.name.partition(".")[0])
def test_recorded_reports_give_the_same_answers(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    record, counted = list[str](), 0
    for line in lines_of(file):
        if line.head:
            record, name = [line.head], msgspec.json.decode(line.head)["game"]
            monkeypatch.setitem(GAMES, name, GAMES.get(name) or game_of(name))
            sat = SeatedTable(present(read_record(record).match), now=line.at)
        elif line.cards is not None:
            view = TableRead(line.cards, line.reading, line.asked, is_change=line.is_change)
            sat.hear(view, line.at)
        else:
            record.append(line.entry)
            entry = present(present(read_record(record).match).entry)
            if isinstance(entry, Answer) and entry.sense == "camera":
                if entry.likely:
                    sat.wait(line.at + OBJECTION_TIME)
                assert sat.table.writing is not None, f"nothing is counted for {entry}"
                assert replace(sat.table.writing.after.entry, at="") == replace(entry, at="")
                counted += 1
            else:
                sat.enter(entry, line.at)
            sat.keep(line.at)
    assert counted >= 5
