"""What lies on the table, by the rules of cards alone: which stay, which count, and which comes first."""

import pytest
from msgspec.structs import replace

from firmware.core.cards import (
    TableCard,
    by_arrival,
    cards_after_event,
    cards_after_reading,
    cards_for_ask,
    mark_told,
    unmark_told,
    zone_name,
)
from referee.contract import CENTRE, Show, before_seat
from referee.contract.cards import Deck
from tests.firmware.core.placed import card, see_laid, see_moved, see_table, see_taken
from vision.table.zones import PlacedCard

DECK = Deck("d", {"a": 2, "b": 2, "c": 2})
IN_MIDDLE = Show("s", (0,), 2, CENTRE, DECK, DECK.counts)
BESIDE, MIDDLE = TableCard(card("a", zone="proof")), TableCard(card("b"))
NOWHERE = TableCard(replace(card("c", zone="discard"), middle=None))
TOLD = TableCard(card("c", 1), is_told=True, since=4)


def test_zones_are_named_as_people_count_seats() -> None:
    assert (zone_name(CENTRE), zone_name(before_seat(0))) == ("centre", "seat 1")


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


def test_of_two_alike_that_lie_on_each_other_one_stays_told_and_the_other_is_new() -> None:
    (told, fresh) = cards_after_reading((TOLD,), see_table(card("c", 1), card("c", 1, shift=12), reading=9))
    assert (told.is_told, told.since, fresh.is_told, fresh.since) == (True, 4, False, 9)


@pytest.mark.parametrize("other", [card("b", 1), card("c", 1, "proof"), replace(card("c", 1), zone="discard")])
def test_another_face_or_another_zone_is_another_card(other: object) -> None:
    (after,) = cards_after_reading((TOLD,), see_table(other, reading=9))  # type: ignore[arg-type]
    assert after == TableCard(other, since=9)  # type: ignore[arg-type]


UNSURE = card(None, 1)


@pytest.mark.parametrize(("was", "now"), [(UNSURE, TOLD.card), (TOLD.card, UNSURE)])
def test_a_card_that_was_told_doesnt_count_again_once_another_look_is_sure_of_it(
    was: PlacedCard, now: PlacedCard
) -> None:
    told = TableCard(was, is_told=True, since=4)
    assert cards_after_reading((told,), see_table(now, reading=9)) == (replace(told, card=now),)
    turned = replace(was, card=replace(was.card, facing="down"))
    assert cards_after_reading((replace(told, card=turned),), see_table(now, reading=9)) == (
        TableCard(now, since=9),
    )


def test_a_card_on_an_unsure_one_is_new_while_that_one_is_seen() -> None:
    told = TableCard(UNSURE, is_told=True, since=4)
    over = card("b", 1, shift=5)
    assert cards_after_reading((told,), see_table(over, UNSURE, reading=9)) == (
        TableCard(over, since=9),
        told,
    )


def test_where_places_are_unknown_a_card_is_the_same_by_its_outline() -> None:
    seen = replace(NOWHERE, is_told=True)
    outline = ((5.0, 5.0), (6.0, 5.0), (6.0, 6.0), (5.0, 6.0))
    elsewhere = replace(seen.card, card=replace(seen.card.card, outline=outline))
    assert cards_after_reading((seen,), see_table(seen.card))[0].is_told
    assert not cards_after_reading((seen,), see_table(elsewhere))[0].is_told


def test_a_card_that_moves_stays_told_in_its_zone_only() -> None:
    within, beyond = card("c", 3), card("c", zone="proof")
    assert cards_after_event((TOLD, MIDDLE), see_moved(TOLD.card, within)) == (
        MIDDLE,
        replace(TOLD, card=within),
    )
    assert cards_after_event((TOLD,), see_moved(TOLD.card, beyond, 9)) == (TableCard(beyond, since=9),)
    assert cards_after_event((TOLD,), see_laid(within, 9)) == (TOLD, TableCard(within, since=9))


def test_cards_that_were_there_before_the_first_reading_came_first() -> None:
    late, later = replace(MIDDLE, since=1), replace(MIDDLE, since=2)
    assert by_arrival((later, late, BESIDE)) == (BESIDE, late, later)


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
