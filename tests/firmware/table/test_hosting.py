"""The host's actions: pausing, and correcting the table or the record."""

from collections.abc import Callable
from functools import partial

import pytest
from msgspec.structs import replace

from firmware.table import hosting
from firmware.table.effects import BlinkLamp, Reply, Tell, Write
from firmware.table.notices import Notice
from firmware.table.state import TableStep
from referee.contract import Refusal, Span
from referee.games.ogallala import OGALLALA
from referee.match import Correct, Match, beginning_of, hear, standing_answers
from tests.firmware.board.inputs.matches import bidden, call_moments
from tests.firmware.table.sat import SeatedTable, card, see_table
from tests.referee.games.ogallala.script import begin_midway
from vision.process.messages import ReadTable, Rest
from vision.table.values import PlacedCard

FACES = ("10", "5", "4", "3")
CARDS = tuple(card(face, place) for place, face in enumerate(FACES))
OTHERS = (*CARDS[:3], card("15", 3))


def test_only_host_corrections_count_during_pause() -> None:
    sat = SeatedTable(bidden(5)).change(hosting.pause_table, 1.0)
    assert (sat.notices, sat.orders) == ([Notice("paused")], [Rest()])
    assert sat.say("turn", 7, 1).replies == [Notice("paused")]
    right = Correct(sat.match.number, sat.match.number - 1, 6)
    assert SeatedTable(sat.match).change(hosting.pause_table, 1.0).enter(right).the(Write).after.entry == right
    assert sat.change(hosting.pause_table, 3.0).deeds == ()


def trust(sat: SeatedTable, *there: PlacedCard) -> SeatedTable:
    sat.change(hosting.trust_table, 2.0)
    assert (sat.notices, sat.orders) == ([Notice("looks again")], [ReadTable(hosting.TRUSTED_READING)])
    return sat.do(hosting.take_in_view(sat.table, see_table(*there, asked=hosting.TRUSTED_READING), 3.0))


def test_table_is_right_wherever_its_cards_are() -> None:
    far = [replace(each, zone=None, middle=(30.0 * place, 900.0)) for place, each in enumerate(CARDS)]
    sat = SeatedTable(call_moments()[0]).see(*far).change(hosting.trust_record, 1.0)
    assert trust(sat, *far).orders == [ReadTable("moment 3")]
    wrong = [*far[:3], replace(far[3], card=card("15").card)]
    entry = trust(SeatedTable(call_moments()[1]).see(*far), *wrong).written
    assert isinstance(entry, Correct)
    assert isinstance(entry.value, tuple)
    assert (entry.heard_at, set(entry.value)) == (3, {"10", "5", "4", "15"})
    assert isinstance(hear(call_moments()[1], entry), Match)


def test_known_cards_are_read_again_before_counting_with_feedback() -> None:
    ghosts = (*CARDS, *(card(face, place) for place, face in enumerate(FACES, 5)))
    asked = call_moments()[0]
    assert trust(SeatedTable(asked).see(*ghosts), *CARDS).orders == [ReadTable("moment 3")]
    assert trust(SeatedTable(asked).see(*CARDS), *ghosts).notices == [
        Notice("too many", {"shown": 8, "wanted": 4})
    ]
    assert trust(SeatedTable(asked).see(*CARDS), *CARDS[:3]).notices == [
        Notice("cards lack", {"shown": 3, "wanted": 4})
    ]
    sat = SeatedTable(asked).see(*CARDS).change(hosting.trust_table, 2.0)
    assert sat.change(lambda table, _ticket, now: hosting.give_up_looking(table, now), 11.9).deeds == ()
    sat.change(lambda table, _ticket, now: hosting.give_up_looking(table, now), 12.0)
    assert sat.notices == [Notice("not looked")]
    assert sat.do(hosting.take_in_view(sat.table, see_table(asked=hosting.TRUSTED_READING), 13.0)).notices == []


@pytest.mark.parametrize(
    ("there", "expected"),
    [
        ((*CARDS[:3], card("15", 3, sure=False)), Notice("not all read", {"shown": 3, "wanted": 4})),
        (CARDS, Notice("table agrees")),
    ],
)
def test_table_must_be_read_for_certain_to_correct_record(
    there: tuple[PlacedCard, ...], expected: Notice
) -> None:
    assert trust(SeatedTable(call_moments()[1]).see(*CARDS), *there).notices == [expected]
    assert SeatedTable(bidden(5)).change(hosting.trust_table, 2.0).notices == [Notice("nothing shown")]


def test_cards_on_table_do_not_count_if_record_is_right() -> None:
    sat = SeatedTable(call_moments()[1]).see(*OTHERS).change(hosting.trust_record, 2.0)
    assert sat.notices == [Notice("put so", {"cards": " ".join(FACES)})]
    assert all(each.is_counted for each in sat.table.cards or ())
    assert sat.lay(card("20", 4)).deeds == ()
    assert SeatedTable(bidden(5)).change(hosting.trust_record, 2.0).notices == [Notice("cards put aside")]


def audited(*cards: PlacedCard) -> SeatedTable:
    """Deal a bow and a keg to Ana; push cards into the middle, and compare them with her row."""
    sat = SeatedTable(begin_midway("B keg", "fur").match).see()
    (grid,) = [
        grid for grid in OGALLALA.table.grids(OGALLALA.shown.view(sat.match.state, None)) if grid.seat == 0
    ]
    sat.change(partial(hosting.start_audit, Span(0, grid.first, len(grid.rows[0]))), 1.0)
    assert [notice.key for notice in sat.notices] == ["audit"]
    return sat.see(*cards).change(hosting.compare_audit, 3.0)


def test_readable_cards_in_middle_are_compared_with_record() -> None:
    for second, keys in (("empty-bow", ["agrees"]), ("fur", ["missing", "extra"])):
        (notice,) = audited(card("keg", 0), card(second, 1)).notices
        assert [ruling.key for ruling in notice.rulings] == keys
    sat = audited(card("keg", 0), card("fur", 1, sure=False))
    assert sat.notices == [Notice("not all read", {"shown": 1, "wanted": 2})]
    assert SeatedTable(sat.match).change(hosting.compare_audit, 1.0).notices == [Notice("no audit")]


def test_cards_in_middle_are_no_answer_during_comparison() -> None:
    sat = audited(card("tent", 0))
    assert (sat.orders, sat.written) == ([], None)
    assert sat.change(hosting.finish_audit, 4.0).notices == [Notice("audit over")]
    assert sat.orders == []
    # the next card is asked for again
    assert sat.see(card("tent", 0), card("keg", 3), reading=5).orders == [ReadTable("moment 1")]


def test_lamp_of_seat_waves_when_its_phone_joins() -> None:
    sat = SeatedTable(bidden(5))
    name = sat.table.match.setup.names[2]
    joined = sat.change(partial(hosting.announce_joined, name.upper()), 1.0)
    assert joined.notices == [Notice("joined", {"name": name.upper()})]
    assert [deed for deed in joined.deeds if isinstance(deed, BlinkLamp)] == [BlinkLamp(2)]
    assert not any(
        isinstance(deed, BlinkLamp) for deed in sat.change(partial(hosting.announce_joined, "Zoé"), 1.0).deeds
    )


def test_joining_player_names_seat_of_unanswered_match() -> None:
    sat = SeatedTable(beginning_of(bidden(5)), number=7).change(hosting.pause_table, 1.0)
    before = sat.match.setup
    assert (
        sat.change(partial(hosting.name_seat, 1, before.names[0].upper()), 2.0).the(Reply).result
        is not sat.match
    )
    assert sat.table.writing is None
    written = sat.change(partial(hosting.name_seat, 1, "Zoé"), 3.0).the(Write)
    names = (before.names[0], "Zoé", *before.names[2:])
    assert (written.id, written.after.setup) == (7, replace(before, names=names))
    # it counts once stored, and changes nothing else: neither the pause nor the eyes' task
    assert sat.match.setup == before
    sat.keep(now=4.0, number=7)
    assert (sat.match.setup.names, sat.table.id, sat.table.paused) == (names, 7, 1.0)
    assert [type(deed) for deed in sat.deeds if not isinstance(deed, Reply)] == [Tell]
    # its current name is no change
    assert [type(deed) for deed in sat.change(partial(hosting.name_seat, 1, "Zoé"), 5.0).deeds] == [Reply]


def test_substitute_plays_on_once_stored_and_announced() -> None:
    sat = SeatedTable(bidden(5), number=7)
    before, asks = sat.match, sat.match.asks
    written = sat.change(partial(hosting.play_on, 1, "Zoé"), 1.0).the(Write)
    assert (written.id, written.after.setup.names[1], written.after.before) == (7, "Zoé", before)
    assert sat.match is before
    sat.keep(now=2.0, number=7)
    assert (sat.match.setup.names[1], sat.match.asks) == ("Zoé", asks)
    assert [type(deed) for deed in sat.deeds] == [Tell, Reply]


@pytest.mark.parametrize("take_seat", [hosting.name_seat, hosting.play_on])
def test_no_seat_is_taken_while_answer_is_written_or_with_unsuitable_name(
    take_seat: Callable[..., TableStep],
) -> None:
    sat = SeatedTable(bidden(5))
    # a name is fixed once an answer is given; a substitute's name differs from all others
    name = "Zoé" if take_seat is hosting.name_seat else sat.match.setup.names[0]
    assert isinstance(sat.change(partial(take_seat, 1, name), 1.0).the(Reply).result, Refusal)
    sat = SeatedTable(beginning_of(bidden(5)))
    (first,) = [each for each in standing_answers(bidden(5)) if not each.heard_at]
    sat.enter(first.answer)
    assert isinstance(sat.change(partial(take_seat, 1, "Zoé"), 2.0).the(Reply).result, Refusal)
    assert "Zoé" not in sat.keep().match.setup.names


def test_substitute_before_first_answer_counts_from_the_beginning() -> None:
    sat = SeatedTable(beginning_of(bidden(5)), number=7)
    assert sat.change(partial(hosting.play_on, 1, "Zoé"), 1.0).the(Write).after.entry is None
