"""A name is deleted through the door by the writer; not while it is needed at the table."""

from pathlib import Path
from random import Random

from firmware.core.notices import Notice
from firmware.core.writer import Forget
from hardware.twin.player import play_on
from referee.contract import Answer
from tests.firmware.board.senses.matches import new_match, open_round
from tests.firmware.core.tables import open_bench


def test_a_player_of_the_open_match_keeps_their_name(tmp_path: Path) -> None:
    with open_bench(open_round(), tmp_path) as bench:
        name = bench.companion.door.moment().setup.names[0]
        told = bench.companion.door.forget(name.upper()).result(30)
        assert told == Notice("plays now", {"name": name.upper()})
        assert bench.disk.given.empty()


def test_a_player_who_is_about_to_play_keeps_their_name(tmp_path: Path) -> None:
    over = play_on(new_match(seats=2), Random(1))
    with open_bench(over, tmp_path) as bench:
        door = bench.companion.door
        seated = door.sit(new_match())
        told = door.forget(new_match().setup.names[0]).result(30)
        assert isinstance(told, Notice)
        bench.disk.keep_next()
        seated.result(30)


def test_another_name_is_given_to_the_writer_and_the_table_goes_on(tmp_path: Path) -> None:
    with open_bench(open_round(), tmp_path) as bench:
        waiting = bench.companion.door.forget("Wilhelmina")
        given = bench.disk.given.get(timeout=30)
        assert isinstance(given, Forget)
        assert (given.name, given.future) == ("Wilhelmina", waiting)
        assert not waiting.done()
        heard = bench.companion.door.submit(Answer(1, "announce", 7, 0, "phone"))
        bench.disk.keep_next()
        assert heard.result(30) is bench.companion.door.moment()


def test_a_player_of_a_match_that_is_over_may_go(tmp_path: Path) -> None:
    over = play_on(new_match(seats=2), Random(1))
    with open_bench(over, tmp_path) as bench:
        bench.companion.door.forget(over.setup.names[0])
        assert isinstance(bench.disk.given.get(timeout=30), Forget)
