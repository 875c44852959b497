"""The tabletop: cards stay, move and go by hands and rulings, and seats see only their cards."""

from collections import Counter
from random import Random

import pytest

from hardware.twin import tabletop
from hardware.twin.dealer import DealtMatch, Truth, deal_match, step
from hardware.twin.tabletop import Pose, Tabletop
from referee.contract import CENTRE, DISCARD, PILE, PROOF, Game, Refusal, Zone, before_seat
from tests.hardware.twin.matches import shuffle_unseen
from tests.referee.tables import every_table, new_match

HAND, OTHER, WORN = Zone("hand", 0), Zone("hand", 1), Zone("worn", 0)
TRUTH: Truth = {
    HAND: ("duke", "captain"),
    OTHER: ("duke",),
    PILE: ("contessa", "assassin"),
    DISCARD: ("captain",),
}


def test_a_card_that_lies_on_the_table_is_in_no_hand() -> None:
    table = tabletop.lay_card(Tabletop(), "duke", HAND, Pose(0, 0))
    assert tabletop.cards_at_home(TRUTH, table)[HAND] == ("captain",)
    assert tabletop.cards_at_home(TRUTH, table)[OTHER] == ("duke",)
    assert tabletop.cards_at_home(TRUTH, tabletop.take_cards(table, (1,)))[HAND] == ("duke", "captain")


def test_no_card_has_the_number_of_another_that_lay_there_before() -> None:
    table = tabletop.take_cards(tabletop.lay_card(Tabletop(), "duke", HAND, Pose(0, 0)), (1,))
    assert tabletop.lay_card(table, "captain", HAND, Pose(0, 0)).lying[0].number == 2


def test_the_camera_sees_no_card_in_the_fingers_and_no_face_that_lies_down() -> None:
    table = tabletop.lay_card(Tabletop(), "duke", HAND, Pose(0, 0))
    table = tabletop.lay_card(table, "captain", HAND, Pose(90, 0, is_up=False))
    assert [card.face for card in tabletop.scene_cards(table)] == ["duke", None]
    assert [card.face for card in tabletop.scene_cards(tabletop.lift_card(table, 1))] == [None]
    laid = tabletop.move_card(tabletop.lift_card(table, 1), 1, Pose(10, 20, 400))
    assert [(card.x, card.y, card.angle) for card in tabletop.scene_cards(laid)][1] == (10, 20, 40)


def test_no_card_is_laid_out_of_sight() -> None:
    (card,) = tabletop.lay_card(Tabletop(), "duke", HAND, Pose(9999, -9999)).lying
    assert (abs(card.pose.x), abs(card.pose.y)) == tabletop.FARTHEST


def test_what_the_game_leaves_open_stays_and_all_else_is_put_away() -> None:
    table = tabletop.lay_card(Tabletop(), "duke", HAND, Pose(0, 250))
    lost = {**TRUTH, HAND: ("captain",), before_seat(0): ("duke",)}
    table = tabletop.follow_moves(table, TRUTH, lost)
    assert table.lying[0].origin == before_seat(0)
    assert tabletop.tidy_table(table, 1) == table
    back = tabletop.follow_moves(table, lost, TRUTH)
    assert back.lying[0].origin == HAND
    assert tabletop.tidy_table(back, 1).lying == ()
    assert tabletop.tidy_table(back, 0) == back


def test_of_two_equal_cards_only_one_goes() -> None:
    before: Truth = {HAND: ("duke", "duke"), PROOF: ()}
    table = tabletop.lay_card(
        tabletop.lay_card(Tabletop(), "duke", HAND, Pose(0, 0)), "duke", HAND, Pose(90, 0)
    )
    after = tabletop.follow_moves(table, before, {HAND: ("duke",), PROOF: ("duke",)})
    assert Counter(card.origin for card in after.lying) == Counter({HAND: 1, PROOF: 1})


def test_of_two_equal_cards_the_one_that_was_laid_goes() -> None:
    before: Truth = {HAND: ("duke", "duke"), PROOF: ()}
    table = tabletop.lay_card(Tabletop(), "duke", HAND, Pose(0, 0))
    truth: Truth = {HAND: ("duke",), PROOF: ("duke",)}
    after = tabletop.follow_moves(table, before, truth)
    assert after.lying[0].origin == PROOF
    assert tabletop.cards_at_home(truth, after)[HAND] == ("duke",)


def test_cards_are_laid_where_there_is_room() -> None:
    table, rng = Tabletop(), Random(1)
    for _card in range(10):
        pose = next(pose for pose in tabletop.spots((0, 0), rng) if tabletop.is_free(table, pose))
        table = tabletop.lay_card(table, "duke", CENTRE, pose)
    places = {(round(card.pose.x / 68), round(card.pose.y / 95)) for card in table.lying}
    assert len(places) == 10


@pytest.mark.parametrize(
    ("zone", "seat", "is_seen"),
    [
        (HAND, 0, True),
        (HAND, 1, False),
        (HAND, None, False),
        (WORN, 0, False),
        (WORN, 1, True),
        (WORN, None, False),
        (PILE, 0, False),
        (Zone("covered", 0), 1, False),
        (Zone("taken", 0), 0, False),
        (before_seat(0), None, True),
    ],
)
def test_who_sees_what(zone: Zone, seat: int | None, is_seen: bool) -> None:
    assert tabletop.is_seen(zone, seat) is is_seen


def test_a_seat_may_not_touch_the_cards_of_others_who_handle_their_own() -> None:
    (card,) = tabletop.lay_card(Tabletop(), "duke", OTHER, Pose(0, 0)).lying
    assert not tabletop.may_move(card, 0, frozenset({0, 1}))
    assert tabletop.may_move(card, 1, frozenset({0, 1}))
    assert tabletop.may_move(card, 0, frozenset({0}))


def test_a_hand_is_held_in_another_order_and_in_no_other_cards() -> None:
    assert tabletop.move_in_hand(TRUTH, HAND, 0, 1)[HAND] == ("captain", "duke")
    assert tabletop.move_in_hand(TRUTH, HAND, 7, 0) == TRUTH
    assert tabletop.reorder_hand(TRUTH, HAND, ("captain", "duke"))[HAND] == ("captain", "duke")
    assert tabletop.reorder_hand(TRUTH, HAND, ("duke", "duke")) == TRUTH


@every_table
def test_what_a_viewer_sees_doesn_t_depend_on_what_is_hidden(game: Game, rules: str, seats: int) -> None:
    rng = Random(f"{game.name} {rules} {seats}")
    table = deal_match(new_match(game, rules, seats), rng)
    for _moment in range(60):
        if not table.match.asks:
            break
        for seat in (None, rng.randrange(seats)):
            other = shuffle_unseen(table.truth, seat, rng)
            assert tabletop.tabletop_view(table.truth, Tabletop(), seat) == tabletop.tabletop_view(
                other, Tabletop(), seat
            )
        after: DealtMatch | Refusal = step(table, rng)
        assert isinstance(after, DealtMatch)
        table = after
