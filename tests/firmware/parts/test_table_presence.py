"""A phone's proof that it is at the table, with a loop whose voices tell it and whose buttons are pressed."""

from pathlib import Path

from firmware.parts.presence import TablePresence
from referee.match import Match
from tests.firmware.board.senses.matches import bidden, new_match
from tests.firmware.table.tables import SIX, Bench, open_bench
from tests.waiting import until

LAMPS = frozenset({"lamps"})


def presence_at(bench: Bench) -> TablePresence:
    presence = TablePresence(bench.companion.door, SIX, lambda: LAMPS)
    bench.companion.when_pressed(presence.hear_edge)
    return presence


def seat_that_blinks(bench: Bench, presence: TablePresence) -> int:
    """Find the button by pressing them one after the other, as a person does who sees its lamp."""
    assert presence.blink("phone", "network")
    until(lambda: ("sign", "") in bench.voices.told)
    seat = presence._presence.seat
    assert seat is not None
    return seat


def test_the_button_whose_lamp_blinks_proves_it_and_the_match_hears_nothing(tmp_path: Path) -> None:
    match = new_match()
    with open_bench(match, tmp_path) as bench:
        presence = presence_at(bench)
        seat = seat_that_blinks(bench, presence)
        assert presence.turn("phone") == "mine"
        assert presence.turn("another") == "other"
        start = presence._clock()
        for press in range(3):
            bench.press(seat, start + press / 4)
        until(lambda: presence.turn("phone") == "pressed")
        assert not {("heard", seat), ("nothing", seat)} & set(bench.voices.told)
        assert not presence.take_presses("another")
        assert presence.take_presses("phone")
        assert not presence.take_presses("phone")
        # from now on it is the game's again
        bench.press(seat)
        until(lambda: {("heard", seat), ("nothing", seat)} & set(bench.voices.told))


def test_no_button_is_drawn_while_a_match_goes_on(tmp_path: Path) -> None:
    with open_bench(bidden(5), tmp_path) as bench:
        presence = presence_at(bench)
        assert presence.ways() == {"button"}
        assert not presence.blink("phone", "network")
        bench.press(1)
        write = bench.disk.keep_next()
        assert isinstance(write.after, Match)
