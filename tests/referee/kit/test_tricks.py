"""Tricks with hidden hands: who takes them, and revokes by hindsight, against hands that are known."""

from random import Random

import pytest

from referee.kit import tricks
from referee.kit.french_cards import SUITS, cards_of
from referee.kit.tricks import Denial, Denials, TrickOrder, deny, follows, lay_card, seat_to_play, taker_of

RANKS = ("A", "K", "Q", "J", "10", "9", "8", "7", "6", "5", "4", "3", "2")
CARDS = cards_of(RANKS)
SUIT = {card: card[-1] for card in CARDS}
STRENGTH = {card: -RANKS.index(card[:-1]) for card in CARDS}
PLAIN = TrickOrder(SUIT, STRENGTH)
HEARTS = cards_of(RANKS, "h")
Told = tuple[int, str, int]
"""A revoke as it is told: who denied which suit, and when."""
SPADES = TrickOrder(SUIT, STRENGTH, frozenset(card for card in CARDS if SUIT[card] == "s"))


@pytest.mark.parametrize(
    ("order", "leader", "cards", "taker"),
    [
        (PLAIN, 0, "3h 2h As Kh", 3),
        (PLAIN, 2, "3h 2h As Kh", 1),
        (PLAIN, 3, "2c Ad Ah As", 3),
        (SPADES, 0, "3h 2h 2s Kh", 2),
        (SPADES, 1, "3h 2s 4s Ah", 3),
        (SPADES, 1, "10d Jd 9d", 2),
    ],
)
def test_the_strongest_trump_takes_a_trick_or_else_the_strongest_of_the_suit(
    order: TrickOrder, leader: int, cards: str, taker: int
) -> None:
    lying = tuple(cards.split())
    assert taker_of(order, leader, lying, SUIT[lying[0]], len(lying)) == taker
    assert seat_to_play(leader, lying[:1], len(lying)) == (leader + 1) % len(lying)


def test_a_suit_is_followed_by_who_can() -> None:
    held = ("2h", "3c")
    assert not follows(PLAIN, "3c", "h", held)
    assert all(follows(PLAIN, card, suit, held) for card, suit in (("2h", "h"), ("3c", "d"), ("3c", "")))


class KnownPlay:
    """A deal whose hands are known: who truly revoked, and what follows from the cards that fall."""

    def __init__(self, seats: int, rng: Random) -> None:
        deck = rng.sample(CARDS, 9 * seats)
        self.hands = [deck[9 * seat : 9 * seat + 9] for seat in range(seats)]
        self.denials: Denials = ()
        self.false: dict[tuple[int, str], int] = {}
        self.told, self.expected, self.revokers = list[Told](), list[Told](), set[int]()
        self.leader, self.rng = 0, rng

    def play_trick(self, number: int, often: float) -> None:
        """Let all lay a card, now and then against the rules."""
        lying, seats = tuple[str, ...](), len(self.hands)
        for _card in range(seats):
            lying = (*lying, self._lay(seat_to_play(self.leader, lying, seats), lying, number, often))
        self.leader = taker_of(PLAIN, self.leader, lying, SUIT[lying[0]], seats)

    def _lay(self, seat: int, lying: tuple[str, ...], number: int, often: float) -> str:
        suit, held, is_unfair = SUIT[lying[0]] if lying else "", self.hands[seat], self.rng.random() < often
        fair = [card for card in held if follows(PLAIN, card, suit, held)]
        card = self.rng.choice(held if is_unfair else fair)
        if is_unfair or set(held) <= {*HEARTS}:
            self.denials = deny(self.denials, *(Denial(seat, each, number) for each in "dcs"))
            if SUIT[card] == "h":
                self._note(seat, "dcs", number)
            else:
                self.denials = tricks.unsay(self.denials, seat, number)
        self.denials, shown = lay_card(PLAIN, self.denials, Denial(seat, suit, number, card))
        self.told += [(each.seat, each.suit, each.trick) for each in shown]
        if (first := self.false.pop((seat, SUIT[card]), None)) is not None:
            self.expected.append((seat, SUIT[card], first))
        held.remove(card)
        self._note(seat, suit if suit != SUIT[card] else "", number)
        return card

    def _note(self, seat: int, denied: str, number: int) -> None:
        """Look into the hand: note what it denies and holds."""
        for suit in {SUIT[card] for card in self.hands[seat]} & {*denied}:
            self.false.setdefault((seat, suit), number)
            self.revokers.add(seat)


@pytest.mark.parametrize("often", [0.0, 0.2])
@pytest.mark.parametrize("seats", [3, 4, 5])
def test_by_the_last_trick_each_revoke_was_told_once_and_none_invented(seats: int, often: float) -> None:
    """Some say that they have hearts alone: what a seat is said to lack it lacks, unless it has revoked."""
    rng, revoked = Random(f"{seats} {often}"), 0
    for _deal in range(40):
        play = KnownPlay(seats, rng)
        for number in range(1, 10):
            play.play_trick(number, often)
            for seat in set(range(seats)) - play.revokers:
                denied = set(tricks.suits_denied(play.denials, seat))
                assert not {SUIT[card] for card in play.hands[seat]} & denied
        assert play.told == play.expected
        assert {seat for seat, _suit, _trick in play.told} == play.revokers
        revoked += len(play.told)
    assert (revoked > 0) == (often > 0)


def test_a_suit_may_be_denied_but_for_one_card() -> None:
    denials = deny((), Denial(1, "s", 1, apart="Qs"))
    assert lay_card(PLAIN, denials, Denial(1, "h", 2, "Qs"))[1] == ()
    assert lay_card(PLAIN, denials, Denial(1, "s", 2, "3s")) == ((), denials)


def test_all_cards_of_a_suit_stand_together() -> None:
    assert [SUIT[card] for card in CARDS] == [suit for suit in SUITS for _rank in RANKS]
