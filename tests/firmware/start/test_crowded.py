"""A crowd at the real program, small: phones, people who mean harm, strangers; a mistake would be seen."""

from collections import Counter
from collections.abc import Iterator
from multiprocessing import get_context
from pathlib import Path
from random import Random

import pytest

from firmware.benches.crowd import HeardMoment
from firmware.storage.database import connected_for_a_thread
from firmware.storage.journal import open_journal
from tests.firmware.start.besieged import OFTEN, Siege
from tests.firmware.start.crowded import (
    Ear,
    Minute,
    Players,
    count_missed_at_ends,
    lives,
    phones,
    plan_crowd,
    play_for,
    rowdies,
)
from tests.firmware.start.program import Program, run_program
from tests.webui.server.hostile import table_in
from tests.webui.tapping import Tap, taps

SPAWN = get_context("spawn")
TRIES = 30
"""Answers of which one must count: pages that the taps don't know are told so, not waited for."""


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Program]:
    with run_program(tmp_path_factory.mktemp("program"), ("Ana", "Bo", "Chloé")) as runs:
        yield runs


def test_phones_miss_nothing_and_are_not_held_up(program: Program) -> None:
    ours, theirs = SPAWN.Pipe()
    harm, done = SPAWN.Pipe()
    processes = [
        SPAWN.Process(target=phones, args=(plan_crowd(program, 9), 1, 2.0, theirs)),
        SPAWN.Process(target=rowdies, args=(program.port, 24, done)),
    ]
    for process in processes:
        process.start()
    assert ours.recv() == "ready"
    players = Players(program, Random(1))
    while not ours.poll():
        play_for(players, 0.1, 0.1, Random(1))
    minutes = [ours.recv()]
    ours.send("enough")
    minutes.append(ours.recv())
    last = ours.recv()
    harm.send("enough")
    for process in processes:
        process.join()
    played = players.played
    assert sum(len(lives(minute, played.sent)) for minute in minutes) >= 9
    assert [minutes[-1].missed, minutes[-1].doubled, minutes[-1].lost] == [0, 0, 0]
    assert None not in (seconds for minute in minutes for seconds in minute.pages)
    assert all(played.ends.get(match, 0) == number for match, number in last)
    assert program.answers() == played.codes[303]


def test_strangers_change_nothing_at_the_program(program: Program, tmp_path: Path) -> None:
    with open_journal(tmp_path / "journal.sqlite3", connected_for_a_thread) as opened:
        siege = Siege(program, table_in(tmp_path, opened.journal))
        for seed in range(60):
            assert siege.say(Random(seed))[1] == ""
        assert siege.look() == ""
        siege.play(Random(1))
        assert siege.look() == ""
        assert siege.replay_journal()["unread"] == 0
        assert OFTEN > 60


def test_a_change_by_a_stranger_would_be_seen(program: Program, tmp_path: Path) -> None:
    with open_journal(tmp_path / "journal.sqlite3", connected_for_a_thread) as opened:
        siege = Siege(program, table_in(tmp_path, opened.journal))
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


def test_who_began_to_listen_later_is_not_counted_as_slow() -> None:
    minute = Minute({"a#1": [(3.0, 1.0), (9.0, 8.0)], "a#2": [(4.0, 1.0)]}, (), (), 0, 0, 0, 0, ())
    assert list(lives(minute, {"a#1": 2.5})) == [0.5]


PAGE = """
<form method="post" action="/seat/answer" class="ask"><input type="hidden" name="form" value="f">
<input type="hidden" name="match" value="m"><input type="hidden" name="moment" value="3">
<div class="piles" data-count="3">
<input id="a" name="card-20" type="number" inputmode="numeric" min="1" max="2" value="1">
<input id="b" name="card-?" type="number" inputmode="numeric" min="0" max="2" value="0">
</div></form>
<form method="post" action="/seat/answer">
<button name="option" value="{&#34;word&#34;:&#34;a&#34;}">A</button></form>
<form method="post" action="/seat/answer">
<input class="pick" type="radio" name="card" value="20" required data-name="20">
<button class="main">Confirm this card</button></form>
<form method="post" action="/seat/back"></form>"""


def test_a_page_is_filled_in_as_it_lets_people() -> None:
    cards, option, card = taps(PAGE, Random(1))
    assert cards.fields["moment"] == "3"
    assert sum(int(count) for name, count in cards.fields.items() if name.startswith("card-")) == 3
    assert option == Tap("/seat/answer", {"option": '{"word":"a"}'})
    assert card == Tap("/seat/answer", {"card": "20"})
