"""Jumps of the system clock by hours and years, and time zone changes; no order depends on them."""

import time
from collections.abc import Iterator
from datetime import UTC, datetime, tzinfo
from pathlib import Path
from random import Random
from typing import Any

import pytest

from firmware.language import wall_clock as wall
from firmware.language.speaking import problem_text
from firmware.storage import recovery
from firmware.storage.backups import restoring
from firmware.storage.backups.restoring import before_folders, finish_restore, stage
from firmware.storage.errors import BackupError
from firmware.storage.journal import open_journal
from firmware.table.client import Stop
from referee.contract import Answer, Option
from referee.match import Match, log, rematch
from tests.firmware.board.inputs.matches import new_match
from tests.firmware.storage.backups.tables import backup_of, table_in
from tests.firmware.table.storms import Figures, Storm, doubters
from webui.server.drawn_pages import match_id

HOUR = 3600
JUMPS = (1_800_000_000, 1_800_000_000 - HOUR, 60, 1_800_000_000 + HOUR, 61, 2_700_000_000, 0)
"""Successive readings of the clock, in seconds since 1970."""
WINDOW = 8.0


class _Jumping(datetime):
    """A clock with a different reading each time."""

    looks: Iterator[float]

    @classmethod
    def now(cls, _zone: tzinfo | None = None) -> Any:
        return datetime.fromtimestamp(next(cls.looks), UTC)


@pytest.fixture
def let_clock_jump(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = Random(1)
    _Jumping.looks = iter(lambda: rng.choice(JUMPS), None)
    for module in (wall, restoring):
        monkeypatch.setattr(module, "datetime", _Jumping)


@pytest.mark.usefixtures("let_clock_jump")
def test_answers_keep_their_order_and_windows_close_in_time() -> None:
    storm, match = Storm(1, Figures()), doubters().match
    client, began = storm.companion.client, storm.time.seconds
    client.sit(match)
    for number, word in enumerate(("objections", "pass", "pass")):
        seat = number
        ask = "objections" if seat == 0 else "challenge"

        def say(ask: str = ask, word: str = word, seat: int = seat) -> None:
            client.submit(Answer(client.moment().number, ask, Option(word), seat, "phone"))

        storm.time.at(began + 1 + 2 * number, say)
    # the window opens with its first moment; later clock jumps change nothing
    storm.time.at(began + 1 + WINDOW - 0.1, lambda: early.append(storm.companion.table.match.number))
    storm.time.at(began + 1 + WINDOW + 1, lambda: storm.queue.put(Stop()))
    early = list[int]()
    storm.companion.run()
    entries = log(storm.companion.table.match)[len(log(match)) :]
    said = [(each.seat, each.sense) for each in entries if isinstance(each, Answer)]
    assert said == [(0, "phone"), (1, "phone"), (2, "phone"), (3, "clock"), (4, "clock"), (5, "clock")]
    assert early == [match.number + 3]
    times = [each.at for each in entries]
    assert times != sorted(times)


def test_matches_started_in_same_second_stay_distinct(monkeypatch: pytest.MonkeyPatch) -> None:
    """A Pi's clock does this: it restarts at the same time after each power cut."""
    _Jumping.looks = iter((1_800_000_000.25, 1_800_000_000.5))
    monkeypatch.setattr(wall, "datetime", _Jumping)
    matches = [rematch(new_match(seats=2), wall.exact_timestamp()) for _time in range(2)]
    assert len({match_id(match) for match in matches if isinstance(match, Match)}) == 2


def test_new_time_zone_applies_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    for zone, offset in (("UTC", "+0000"), ("Pacific/Kiritimati", "+1400")):
        monkeypatch.setenv("TZ", zone)
        assert f"{wall.now():%z}" == offset
    monkeypatch.undo()
    time.tzset()


@pytest.mark.usefixtures("let_clock_jump")
def test_replaced_states_are_listed_in_order_of_restoring(tmp_path: Path) -> None:
    here = table_in(tmp_path, "Ana")
    file, names = backup_of(here, tmp_path / "b.zip"), list[str]()
    for _time in range(4):
        stage(file, here)
        with pytest.raises(BackupError, match="waits"):
            stage(file, here)
        notices = finish_restore(here)
        newest = before_folders(here.state)[0].name
        assert newest not in names
        names.append(newest)
    assert [each.name for each in before_folders(here.state)] == names[:-3:-1]
    assert names[-3] in problem_text(notices[-1])


@pytest.mark.usefixtures("let_clock_jump")
def test_latest_damaged_journals_are_set_aside(tmp_path: Path) -> None:
    path, asides = tmp_path / "journal.sqlite3", list[Path]()
    for number in range(recovery.ASIDES + 2):
        path.write_bytes(b"damaged %d" % number * 500)
        with open_journal(path) as opened:
            assert opened.aside is not None
            asides.append(opened.aside.parent)
    assert set(tmp_path.glob("*.damaged-*")) == set(asides[-recovery.ASIDES :])
