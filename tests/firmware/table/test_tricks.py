"""Cards laid one after another: each belongs to the next seat; mistakes are reported, and play goes on."""

from collections import Counter
from random import Random

import pytest
from msgspec.structs import replace

from firmware.table.expected import expected_cards
from firmware.table.notices import Notice
from firmware.table.state import CARDS_NOTICE_DELAY, OBJECTION_TIME, SLOW_NOTICE_DELAY
from hardware.twin.dealer import DealtMatch, deal_match, follow_rulings
from hardware.twin.dealer import lay_honestly as fair
from hardware.twin.playouts import answer_by_bots
from referee.contract import CENTRE, Answer, Option, Refusal, Show
from referee.games.catalogue import GAMES
from referee.games.coup_d_etat import COUP_D_ETAT
from referee.match import Match, Setup, begin, hear
from tests.firmware.board.inputs.matches import after, bidden
from tests.firmware.table.sat import SeatedTable, card, read_twice, unsure_card
from tests.given import allowed
from tests.hardware.twin.matches import stepped
from tests.referee.tables import new_match
from vision.process.messages import ReadTable
from vision.table.values import PlacedCard

PLAYERS = ("Ana", "Bo", "Eve", "Jo")


def deal_in_play(cards: int = 0, asked: str = "card") -> DealtMatch:
    """Play a deal until a trick or rows have this many cards. Returns the game with the cards in place."""
    rng = Random(1)
    at = deal_match(allowed(begin(Setup(COUP_D_ETAT, COUP_D_ETAT.rules.house(), PLAYERS))), rng)
    while not (_is_asked(at.match, asked) and sum(expected_cards(at.match, CENTRE).values()) == cards):
        at = stepped(at, rng)
    return at


def _is_asked(match: Match, key: str) -> bool:
    return any(isinstance(ask, Show) and ask.key == key for ask in match.asks)


def next_cards(at: DealtMatch, count: int) -> list[str]:
    """Return the next cards that fair players lay to the trick."""
    faces: list[str] = []
    for _card in range(count):
        ask = next(ask for ask in at.match.asks if isinstance(ask, Show))
        (face,), _owners = fair(at, ask)
        faces.append(face)
        after = allowed(hear(at.match, Answer(at.match.number, ask.key, (face,), None, "camera")))
        at = DealtMatch(after, follow_rulings(at.truth, after, Random(0)))
    return faces


def laid_from(each: PlacedCard, seat: int) -> PlacedCard:
    return replace(each, toward=f"seat {seat + 1}")


def sit_down(at: DealtMatch) -> tuple[SeatedTable, list[PlacedCard]]:
    there = [card(face, place) for place, face in enumerate(expected_cards(at.match, CENTRE))]
    return SeatedTable(at.match).see(*there), there


def seat_of(at: DealtMatch) -> int:
    return next(ask for ask in at.match.asks if isinstance(ask, Show)).seats[0]


def test_first_of_two_cards_counts_then_the_other() -> None:
    at = deal_in_play(cards=1)
    first, second = (card(face, 4 + place) for place, face in enumerate(next_cards(at, 2)))
    sat, there = sit_down(at)
    # after a restart within a trick only new cards count
    assert sat.table.way is None
    for reading, each in ((2, first), (3, second)):
        sat.lay(each, reading=reading)
    lying = (second, *there, first)
    assert read_twice(sat, *lying).answered == (first.card.face,)
    assert any(isinstance(order, ReadTable) for order in sat.keep().orders)
    assert read_twice(sat, *lying).answered == (second.card.face,)


@pytest.mark.parametrize("is_clear", [True, False], ids=["places tell", "places don't tell"])
def test_two_cards_at_once_are_assigned_by_position(is_clear: bool) -> None:
    at = deal_in_play(cards=0)
    seat, faces = seat_of(at), next_cards(at, 2)
    other = (seat + 1) % 4
    both = (laid_from(card(faces[1], 4), other if is_clear else seat), laid_from(card(faces[0], 5), seat))
    sat, _there = sit_down(at)
    for each in both:
        sat.lay(each, reading=2)
    read_twice(sat, *both)
    if not is_clear:
        assert sat.answered is None
        notice = Notice("at once", {"cards": f"{faces[1]} {faces[0]}", "seat": seat})
        assert sat.wait(2.0 + CARDS_NOTICE_DELAY).notices == [notice]
        sat.take(both[0], reading=3)
        read_twice(sat, both[1])
    assert sat.answered == (faces[0],)


def test_trick_swept_too_early_is_reported_and_play_continues() -> None:
    at = deal_in_play(cards=2)
    sat, there = sit_down(at)
    # moved, they are still there
    for each in there:
        sat.move(each, replace(each, zone=None, middle=(0.0, 900.0)), reading=2)
    assert sat.wait(2.0 + CARDS_NOTICE_DELAY).notices == []
    for each in sat.table.cards or ():
        sat.take(each.card, reading=2)
    (notice,) = sat.wait(2.0 + CARDS_NOTICE_DELAY).notices
    assert (notice.key, notice.values["seat"]) == ("swept", seat_of(at))
    new = card(next_cards(at, 1)[0], 5)
    assert read_twice(sat.lay(new, reading=3), new).answered == (new.card.face,)


def test_card_that_was_never_seen_is_not_a_swept_trick() -> None:
    """A bot's card may be answered before the camera has read it."""
    at = deal_in_play(cards=0)
    first, second = next_cards(at, 2)
    sat, _there = sit_down(at)
    sat.say("card", (first,), seat_of(at), sense="phone")
    assert sat.keep().wait(2.0 + CARDS_NOTICE_DELAY).notices == []
    both = [card(face, 4 + place) for place, face in enumerate((first, second))]
    for each in both:
        sat.lay(each, reading=3)
    assert read_twice(sat, *both).answered == (second,)


def test_rows_outgrowing_the_table_are_not_a_swept_trick() -> None:
    at = deal_in_play(cards=6, asked="domino")
    sat, there = sit_down(at)
    for each in there:
        sat.take(each, reading=2)
    assert sat.wait(2.0 + CARDS_NOTICE_DELAY).notices == []
    new = card(next_cards(at, 1)[0], 7)
    assert read_twice(sat.lay(new, reading=3), new).answered == (new.card.face,)


@pytest.mark.parametrize("chance", [0.95, None])
def test_trick_continues_over_uncertain_card(chance: float | None) -> None:
    at = deal_in_play(cards=0)
    first, second = next_cards(at, 2)
    sat, _there = sit_down(at)
    laid = unsure_card(4, (first, 0.9), chance=chance)
    read_twice(sat.lay(laid, reading=2), laid).wait(1.0 + OBJECTION_TIME)
    if chance is None:
        sat.say("card", (first,), seat_of(at), sense="phone")
    assert sat.answered == (first,)
    # it counts neither as swept away nor as the next card
    assert sat.keep().wait(99.0).deeds == ()
    new = card(second, 5)
    assert read_twice(sat.lay(new, reading=3), laid, new).answered == (second,)


@pytest.mark.parametrize("count", [1, 2])
def test_cards_announced_then_laid_are_not_the_next_players(count: int) -> None:
    at = deal_in_play(cards=1)
    *first, last = next_cards(at, count + 1)
    sat, there = sit_down(at)
    for place, face in enumerate(first):
        sat.say("card", (face,), (seat_of(at) + place) % 4, sense="phone").keep()
    said, new = [card(face, 5 + place) for place, face in enumerate(first)], card(last, 8)
    for each in said:
        sat.lay(each, reading=2)
    assert sat.wait(1.0 + CARDS_NOTICE_DELAY).deeds == ()
    assert read_twice(sat.lay(new, reading=3), *there, *said, new).answered == (last,)


def test_card_for_the_cave_that_looks_like_a_moved_one_counts_once_laid_again() -> None:
    call = after(bidden(20, seats=2), ("turn", Option("coyote"), 1))
    cave, four = card("?", 0), card("4", 1)
    sat = SeatedTable(call).see()
    sat.see(cave, four, reading=2).see(cave, four, asked=f"moment {call.number}", reading=2).keep()
    assert [ask.key for ask in sat.match.asks] == ["draw"]
    proof = replace(four, zone="proof", middle=(-500.0, 0.0))
    sat.see(proof, reading=3)
    assert sat.see(proof, reading=4).wait(1.0 + SLOW_NOTICE_DELAY).notices == [
        Notice("same card", {"cards": "4"})
    ]
    sat.take(proof, reading=5)
    assert read_twice(sat, proof).answered == ("4",)


def test_all_cards_laid_exactly_over_equal_ones_are_asked_for_again() -> None:
    call = after(bidden(20, seats=2), ("turn", Option("coyote"), 1))
    there = [card("10", 0), card("5", 1)]
    sat = (
        SeatedTable(call)
        .see(*there, asked="moment 2")
        .see(*there, asked=f"moment {call.number}", reading=2)
        .keep()
    )
    seat = next(ask for ask in sat.match.asks if ask.key == "announce").seats[0]
    sat.say("announce", 4, seat).keep().say("turn", Option("coyote"), 1 - seat).keep()
    assert [ask.key for ask in sat.match.asks if isinstance(ask, Show)] == ["reveal"]
    assert sat.see(*there, reading=3).wait(1.0 + SLOW_NOTICE_DELAY).notices == [
        Notice("same card", {"cards": "10 5"})
    ]
    for each in there:
        sat.take(each, reading=4)
    assert read_twice(sat, *there).answered == ("10", "5")


def test_card_played_before_is_rejected_by_name() -> None:
    sat, there = sit_down(deal_in_play(cards=1))
    sat.lay(card(there[0].card.face, 6), reading=2)
    (notice,) = sat.wait(2.0 + CARDS_NOTICE_DELAY).notices
    assert isinstance(notice.refusal, Refusal)


@pytest.mark.parametrize("name", list(GAMES))
def test_absent_card_is_not_expected_in_the_middle(name: str) -> None:
    """In tricks all of them were laid there one by one, and so all are expected."""
    game, rng = GAMES[name], Random(name)
    table = deal_match(new_match(game, next(iter(game.rules.settings)), 4), rng)
    for _answer in range(60):
        if not table.match.asks:
            return
        truth, answer = answer_by_bots(table, rng)
        after = allowed(hear(table.match, answer))
        table = DealtMatch(after, follow_rulings(truth, after, rng))
        expected, lying = expected_cards(after, CENTRE), Counter(table.truth.get(CENTRE, ()))
        assert expected == lying if name == "coup-d-etat" else expected <= lying
