"""A crowd at the real program, small: phones, people who mean harm, strangers; a mistake would be seen."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from firmware.benches.crowd import HeardMoment
from firmware.storage.database import connected_for_a_thread
from firmware.storage.journal import open_journal
from tests.firmware.start.besieged import OFTEN, Siege
from tests.firmware.start.crowded import CrowdSize, Ear, Players, count_missed_at_ends, gather
from tests.firmware.start.program import Program, run_program
from tests.tiers import slow, tiered
from tests.webui.server.hostile import table_in

TRIES = 30
"""Answers of which one must count: pages that the taps don't know are told so, not waited for."""


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Program]:
    with run_program(tmp_path_factory.mktemp("program"), ("Ana", "Bo", "Chloé")) as runs:
        yield runs


@slow("phones listen to the real program while others mean harm")
def test_phones_miss_nothing_and_are_not_held_up(program: Program) -> None:
    size = CrowdSize(minutes=1, phones=9, rowdies=24, pace=0.1, minute=2.0, warm=0.0)
    figures = gather(program, size, Random(1), lambda _line: None)
    assert figures.wrong == []
    assert len(figures.seconds) >= 9
    assert figures.pages


def test_strangers_change_nothing_at_the_program_and_a_change_would_be_seen(
    program: Program, tmp_path: Path
) -> None:
    with open_journal(tmp_path / "journal.sqlite3", connected_for_a_thread) as opened:
        siege = Siege(program, table_in(tmp_path, opened.journal))
        for seed in range(tiered(30, OFTEN - 1)):
            assert siege.say(Random(seed))[1] == ""
        assert siege.look() == ""
        siege.play(Random(1))
        assert siege.look() == ""
        assert siege.replay_journal()["unread"] == 0
        players = Players(program, Random(1))
        for _answer in range(TRIES):
            players.play()
            if players.played.ends:
                break
        assert players.played.ends, players.played.codes
        assert "journal" in siege.look()


def test_a_moment_that_is_missed_or_doubled_is_seen() -> None:
    ear = Ear()
    for name in ("a#0", "a#1", "a#3", "a#3", "b#0", "b#1"):
        ear.append(HeardMoment(0, name, 2.0, 1.0))
    assert (ear.missed, ear.doubled) == (1, 1)
    assert ear.gaps == ["phone 0: a#1, then a#3"]
    assert count_missed_at_ends(ear.left_at, {"a": 5, "b": 1}) == 2
    assert ear.last() == Counter({("b", 1): 1})
