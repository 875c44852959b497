"""The tabletop: cards and pieces move by hands and rulings, and seats see only their cards."""

from collections import Counter
from random import Random

import pytest

from hardware.twin import tabletop
from hardware.twin.dealer import DealtMatch, Truth, deal_match
from hardware.twin.tabletop import Pose, Tabletop
from referee.contract import DISCARD, PILE, PROOF, Game, Show, Zone, before_seat
from referee.games.catalogue import GAMES
from referee.games.plenty_coups.hands import NEUTRAL_HAND
from tests.hardware.twin.matches import shuffle_unseen, some_tables, stepped
from tests.referee.tables import new_match

# tabletop


COUP = GAMES["coup"]
HAND, OTHER, WORN = Zone("hand", 0), Zone("hand", 1), Zone("worn", 0)
TRUTH: Truth = {
    HAND: ("duke", "captain"),
    OTHER: ("duke",),
    PILE: ("contessa", "assassin"),
    DISCARD: ("captain",),
}


def test_camera_sees_no_held_or_face_down_cards() -> None:
    table = tabletop.lay_card(Tabletop(), "duke", HAND, Pose(0, 0))
    table = tabletop.lay_card(table, "captain", HAND, Pose(90, 0, is_up=False))
    assert [card.face for card in tabletop.scene_cards(table)] == ["duke", None]
    assert [card.face for card in tabletop.scene_cards(tabletop.lift_card(table, 1))] == [None]
    laid = tabletop.move_card(tabletop.lift_card(table, 1), 1, Pose(10, 20, 400))
    assert [(card.x, card.y, card.angle) for card in tabletop.scene_cards(laid)][1] == (10, 20, 40)


def test_only_open_cards_stay_on_the_table() -> None:
    table = tabletop.lay_card(Tabletop(), "duke", HAND, Pose(0, 250))
    lost = {**TRUTH, HAND: ("captain",), before_seat(0): ("duke",)}
    table = tabletop.follow_moves(COUP, table, TRUTH, lost)
    assert table.lying[0].origin == before_seat(0)
    assert tabletop.tidy_table(COUP, table, 1) == table
    gone = {**lost, before_seat(0): (), DISCARD: ("captain", "duke")}
    cleared = tabletop.follow_moves(COUP, table, lost, gone)
    assert cleared.lying[0].origin == DISCARD
    assert tabletop.tidy_table(COUP, cleared, 1).lying == ()
    assert tabletop.tidy_table(COUP, cleared, 0) == cleared


def test_open_card_leaves_the_table_when_it_is_taken_into_a_hand() -> None:
    table = tabletop.lay_card(Tabletop(), "duke", before_seat(0), Pose(0, 250))
    lost = {**TRUTH, HAND: ("captain",), before_seat(0): ("duke",)}
    assert tabletop.follow_moves(COUP, table, lost, TRUTH).lying == ()


def test_gathered_card_leaves_the_table_when_it_is_dealt() -> None:
    table = tabletop.lay_card(Tabletop(), "duke", before_seat(0), Pose(0, 250))
    drawn: Truth = {before_seat(0): ("duke",), PILE: ("captain",), HAND: ()}
    gathered: Truth = {before_seat(0): (), PILE: ("captain", "duke"), HAND: ()}
    table = tabletop.follow_moves(COUP, table, drawn, gathered)
    assert [card.origin for card in table.lying] == [PILE]
    dealt: Truth = {before_seat(0): (), PILE: ("captain",), HAND: ("duke",)}
    assert tabletop.follow_moves(COUP, table, gathered, dealt).lying == ()


def test_card_from_a_shared_hand_can_be_taken_back() -> None:
    rng = Random(1)
    dealt = deal_match(new_match(GAMES["plenty-coups"], "rule text", 2), rng)
    while not any(
        NEUTRAL_HAND in dealt.match.setup.game.table.sources(dealt.match.state, ask) for ask in shows(dealt)
    ):
        dealt = stepped(dealt, rng)
    match, (seat,) = dealt.match, shows(dealt)[0].seats
    table = tabletop.lay_card(Tabletop(), dealt.truth[NEUTRAL_HAND][0], NEUTRAL_HAND, Pose(0, 0))
    assert tabletop.cards_laid_by(table, match, dealt.truth, frozenset({seat})) == (1,)
    assert tabletop.cards_laid_by(table, match, dealt.truth, frozenset({1 - seat})) == ()


def shows(dealt: DealtMatch) -> list[Show]:
    return [ask for ask in dealt.match.asks if isinstance(ask, Show) and ask.seats]


@pytest.mark.parametrize("laid", [1, 2])
def test_one_of_two_equal_cards_is_removed(laid: int) -> None:
    before: Truth = {HAND: ("duke", "duke"), PROOF: ()}
    truth: Truth = {HAND: ("duke",), PROOF: ("duke",)}
    table = Tabletop()
    for place in range(laid):
        table = tabletop.lay_card(table, "duke", HAND, Pose(90 * place, 0))
    after = tabletop.follow_moves(COUP, table, before, truth)
    assert Counter(card.origin for card in after.lying) == +Counter({PROOF: 1, HAND: laid - 1})
    assert tabletop.cards_at_home(truth, after)[HAND] == ("duke",) * (2 - laid)


@pytest.mark.parametrize(
    ("name", "zone", "seat", "is_seen"),
    [
        ("coup", HAND, 0, True),
        ("coup", HAND, 1, False),
        ("coup", HAND, None, False),
        ("coyote", WORN, 0, False),
        ("coyote", WORN, 1, True),
        ("coyote", WORN, None, False),
        ("coup", WORN, 1, False),
        ("coup", PILE, 0, False),
        ("coyote", Zone("covered", 0), 1, False),
        ("coup-d-etat", Zone("taken", 0), 0, False),
        ("coup-d-etat", Zone("box"), None, True),
        ("plenty-coups", NEUTRAL_HAND, 1, True),
        ("plenty-coups", NEUTRAL_HAND, None, False),
        ("ogallala", Zone("territory", 1), None, True),
        ("coup", before_seat(0), None, True),
    ],
)
def test_visibility_by_viewer(name: str, zone: Zone, seat: int | None, is_seen: bool) -> None:
    assert tabletop.is_seen(GAMES[name], zone, seat) is is_seen


def test_seats_cannot_move_cards_of_other_players() -> None:
    (card,) = tabletop.lay_card(Tabletop(), "duke", OTHER, Pose(0, 0)).lying
    assert not tabletop.may_move(card, 0, frozenset({0, 1}))
    assert tabletop.may_move(card, 1, frozenset({0, 1}))
    assert tabletop.may_move(card, 0, frozenset({0}))


def test_hand_can_be_reordered_but_not_changed() -> None:
    assert tabletop.move_in_hand(TRUTH, HAND, 0, 1)[HAND] == ("captain", "duke")
    assert tabletop.move_in_hand(TRUTH, HAND, 7, 0) == TRUTH
    assert tabletop.reorder_hand(TRUTH, HAND, ("captain", "duke"))[HAND] == ("captain", "duke")
    assert tabletop.reorder_hand(TRUTH, HAND, ("duke", "duke")) == TRUTH


@some_tables
def test_view_does_not_depend_on_hidden_cards(game: Game, rules: str, seats: int) -> None:
    rng = Random(f"{game.name} {rules} {seats}")
    table = deal_match(new_match(game, rules, seats), rng)
    for _moment in range(60):
        if not table.match.asks:
            break
        for seat in (None, rng.randrange(seats)):
            other = shuffle_unseen(game, table.truth, seat, rng)
            assert tabletop.tabletop_view(game, table.truth, Tabletop(), seat) == tabletop.tabletop_view(
                game, other, Tabletop(), seat
            )
        table = stepped(table, rng)
