"""What lies on the table, by the rules of cards alone: which stay, which count, and which comes first."""

import pytest
from msgspec.structs import replace

from firmware.table.cards import (
    TableCard,
    cards_after_event,
    cards_after_reading,
    cards_for_ask,
    mark_told,
    unmark_told,
)
from referee.contract import CENTRE, Answer, Show
from referee.contract.cards import Deck
from tests.firmware.table.sat import Sat, card, see_laid, see_moved, see_table, see_taken
from tests.referee.games.coyote.script import play
from vision.process.messages import ReadTable

DECK = Deck("d", {"a": 2, "b": 2, "c": 2})
IN_MIDDLE = Show("s", (0,), 2, CENTRE, DECK, DECK.counts)
BESIDE, MIDDLE = TableCard(card("a", zone="proof")), TableCard(card("b"))
NOWHERE = TableCard(replace(card("c", zone="discard"), middle=None))
TOLD = TableCard(card("c", 1), is_told=True, since=4)


def test_an_ask_looks_in_its_zone_or_anywhere_and_at_cards_whose_place_is_unknown() -> None:
    there = (BESIDE, MIDDLE, NOWHERE)
    assert cards_for_ask(there, IN_MIDDLE) == (MIDDLE, NOWHERE)
    assert cards_for_ask(there, replace(IN_MIDDLE, is_anywhere=True)) == there


@pytest.mark.parametrize(("shift", "is_same"), [(0, True), (24, True), (25, False), (26, False), (-24, True)])
def test_a_card_that_is_read_anew_within_25_millimetres_stays_told(shift: float, is_same: bool) -> None:
    moved = card("c", 1, shift=shift)
    (after,) = cards_after_reading((TOLD,), see_table(moved, reading=9))
    assert after == (TableCard(moved, is_told=True, since=4) if is_same else TableCard(moved, since=9))
    assert cards_after_event((TOLD,), see_taken(moved)) == (() if is_same else (TOLD,))


@pytest.mark.parametrize("other", [card("b", 1), card("c", 1, "proof"), replace(card("c", 1), zone="discard")])
def test_another_face_or_another_zone_is_another_card(other: object) -> None:
    (after,) = cards_after_reading((TOLD,), see_table(other, reading=9))  # type: ignore[arg-type]
    assert after == TableCard(other, since=9)  # type: ignore[arg-type]


def test_a_card_that_moves_stays_told_in_its_zone_only() -> None:
    within, beyond = card("c", 3), card("c", zone="proof")
    assert cards_after_event((TOLD, MIDDLE), see_moved(TOLD.card, within)) == (
        MIDDLE,
        replace(TOLD, card=within),
    )
    assert cards_after_event((TOLD,), see_moved(TOLD.card, beyond, 9)) == (TableCard(beyond, since=9),)
    assert cards_after_event((TOLD,), see_laid(within, 9)) == (TOLD, TableCard(within, since=9))


@pytest.mark.parametrize(
    ("faces", "told"),
    [
        (("a",), [True]),
        (("a", "b"), [True, True]),
        (("a", "c"), [True, True]),
        (("a", "b", "c"), [True, True, False]),
        (("c", "a", "a", "b"), [False, True, False, True]),
    ],
)
def test_an_answer_accounts_for_as_many_cards_as_were_asked_for(
    faces: tuple[str, ...], told: list[bool]
) -> None:
    """Of more than were asked for, for those that it names."""
    there = tuple(TableCard(card(face, place)) for place, face in enumerate(faces))
    marked = mark_told((*there, BESIDE), IN_MIDDLE, ("a", "b"))
    assert [each.is_told for each in marked] == [*told, False]
    assert unmark_told(marked, IN_MIDDLE) == (*there, BESIDE)
    aside = replace(BESIDE, is_told=True)
    assert unmark_told((aside,), IN_MIDDLE) == (aside,)


def test_each_of_cards_that_all_lay_at_once_is_whose_place_it_lies_towards() -> None:
    """One lies in the very middle: it may be anybody's, and the others are known all the same."""
    sat = Sat(play("10 22 coyote", 4).match).see()
    there = (
        replace(card("3", 0), toward="seat 2"),
        card("5", 1),
        replace(card("10", 2), toward="seat 4"),
        # the match has no seat 6
        replace(card("20", 3), toward="seat 6"),
    )
    sat.hear(see_table(*there, reading=2))
    look_again = sat.orders[0]
    assert isinstance(look_again, ReadTable)
    sat.see(*there, asked=look_again.asked, reading=3)
    assert isinstance(sat.written, Answer)
    assert (sat.written.value, sat.written.owners) == (("3", "5", "10", "20"), (1, None, 3, None))
