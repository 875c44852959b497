"""What hands do when they have heard a ruling, and what a fair player may say."""

import pytest

from referee.contract import CENTRE, DISCARD, PILE, Answer, Move, Option, Ruling, Zone, before_seat, make_ruling
from referee.games.plenty_coups import PLENTY_COUPS
from referee.games.plenty_coups.actions import camp, herd, taunts
from referee.games.plenty_coups.hands import NEUTRAL_HAND, gift, hand
from tests.referee.games.plenty_coups.script import Script, sit_down, table

STATE = table(4).state
OWN, OTHER = Zone("hand", 1), Zone("hand", 2)

HEARD = [
    (make_ruling("turned-up", cards=("horse", "staff")), (Move(PILE, CENTRE, 2, faces=("horse", "staff")),)),
    (make_ruling("swept", cards=("horse",)), (Move(CENTRE, DISCARD, 1, faces=("horse",)),)),
    (make_ruling("takes", seat=1, card="horse"), (Move(CENTRE, OWN, 1, faces=("horse",)),)),
    (make_ruling("draws", seat=1, count=2), (Move(PILE, OWN, 2, shuffled=True),)),
    (make_ruling("pile-renewed"), (Move(DISCARD, PILE, shuffled=True),)),
    (
        make_ruling("raids", seat=1, target=2, cards=("red-2",), value=2),
        (Move(OWN, before_seat(2), 1, faces=("red-2",)),),
    ),
    (
        make_ruling("chased", seat=1, target=2, cards=("red-2",)),
        (Move(before_seat(2), DISCARD, 1, faces=("red-2",)),),
    ),
    (
        make_ruling("repels", seat=1, raider=2, weapons=("weapon-3",), cards=("red-2",)),
        (Move(before_seat(1), DISCARD, 1, faces=("red-2",)), Move(OWN, DISCARD, 1, faces=("weapon-3",))),
    ),
    (make_ruling("offers", seat=1, target=2), (Move(OWN, gift(2), 1),)),
    (
        make_ruling("exchange", seat=1, target=2, hand=1, **{"other-hand": 2}),
        (Move(OTHER, OWN, 1, shuffled=True), Move(gift(2), OTHER, 1, shuffled=True)),
    ),
    (make_ruling("proposes", seat=1, target=2, card="green-2"), (Move(OWN, herd(1), 1, faces=("green-2",)),)),
    (
        make_ruling("seals", seat=1, target=2, card="green-2", other="yellow-1"),
        (Move(OWN, camp(1), 1, faces=("green-2",)), Move(herd(2), camp(2), 1, faces=("yellow-1",))),
    ),
    (
        make_ruling("alliance-ends", seat=1, target=2, cards=("green-2", "yellow-1")),
        (Move(camp(1), DISCARD, 1, faces=("green-2",)), Move(camp(2), DISCARD, 1, faces=("yellow-1",))),
    ),
    (make_ruling("neutral-ally", seat=1, card="white-2"), (Move(OWN, camp(1), 1, faces=("white-2",)),)),
    (make_ruling("taunts", seat=1, target=2, card="staff"), (Move(OWN, taunts(2), 1, faces=("staff",)),)),
    (make_ruling("staff-off", seat=2, card="staff"), (Move(taunts(2), DISCARD, 1, faces=("staff",)),)),
    (make_ruling("gains", seat=1, feats=1), ()),
]


@pytest.mark.parametrize(("ruling", "moves"), HEARD, ids=[ruling.key for ruling, _moves in HEARD])
def test_hands(ruling: Ruling, moves: tuple[Move, ...]) -> None:
    assert PLENTY_COUPS.moves(STATE, ruling) == moves


def test_three_cards_are_dealt_to_each_hand() -> None:
    state = sit_down(2).state
    dealt = PLENTY_COUPS.moves(state, make_ruling("dealt", hands=3, horses=15))
    assert dealt == (Move(PILE, hand(state, 0), 3), Move(PILE, hand(state, 1), 3), Move(PILE, NEUTRAL_HAND, 3))


def test_the_hand_of_the_neutral_clan_may_be_that_of_the_player_in_turn() -> None:
    state = table(2, rnd=3, neutral_hand="controller").state
    assert hand(state, 2) == Zone("hand", 0)
    assert hand(table(2, rnd=4, neutral_hand="controller").state, 2) == Zone("hand", 1)


def fair(script: Script, answer: Answer, *cards: str) -> bool:
    """Ask whether black may fairly say so with these cards."""
    return PLENTY_COUPS.is_fair(script.state, answer, {Zone("hand", 0): cards, Zone("hand", 1): cards})


@pytest.mark.parametrize(
    ("word", "target", "enough", "short"),
    [
        ("breed", None, ("horse",), ("staff",)),
        ("taunt", 1, ("staff",), ("horse",)),
        ("raid", 1, ("red-1",), ("weapon-4",)),
        ("double-raid", 1, ("red-1", "red-2"), ("red-1", "blue-2")),
        ("propose", 1, ("yellow-1",), ("black-1",)),
        ("ally", None, ("blue-1",), ("red-1",)),
        ("hunt", None, ("red-1",), ()),
    ],
)
def test_a_fair_player_does_what_the_hand_can_do(
    word: str, target: int | None, enough: tuple[str, ...], short: tuple[str, ...]
) -> None:
    answer = Answer(0, "action", Option(word, seat=target), 0)
    assert fair(table(4), answer, *enough)
    assert not fair(table(4), answer, *short)


def test_a_fair_player_begins_with_a_card_that_another_goes_with() -> None:
    script = table(4).does("double-raid", 1)
    cards = ("red-1", "red-2", "blue-3")
    assert fair(script, Answer(0, "first-rider", ("red-1",)), *cards)
    assert not fair(script, Answer(0, "first-rider", ("blue-3",)), *cards)
    assert not fair(script, Answer(0, "first-rider", ("red-3",)), *cards)
    second = script.lays("red-1")
    assert fair(second, Answer(0, "second-rider", ("red-2",)), *cards)


def test_worth_is_proved_with_what_is_there() -> None:
    script = table(4).does("taunt", 1)
    assert fair(script, Answer(0, "proof", ("red-4",)), "red-4")
    assert not fair(script, Answer(0, "proof", ("red-4",)), "blue-4")
    assert fair(script, Answer(0, "worth", Option("accept-loss")), "red-4")
