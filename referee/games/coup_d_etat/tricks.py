"""Trick play: which cards may be played, who wins the trick, and revokes found later."""

from msgspec.structs import replace

from referee.contract import CENTRE, Ask, Choice, Option, Show
from referee.contract.cards import without
from referee.games.coup_d_etat.contracts import CONTRACTS
from referee.games.coup_d_etat.deck import COUP, HAND, STRENGTH, SUIT, SUITS, deck_for
from referee.games.coup_d_etat.house import House
from referee.games.coup_d_etat.state import Denial, Playing, State, next_to_play

ONLY = Option("only")


def ask_card(state: State, playing: Playing) -> tuple[Ask, ...]:
    """Ask the seat in turn for a card; following suit can't be asked for, because hands are hidden."""
    seat, deck = next_to_play(state, playing), deck_for(len(state.money))
    among = without(deck.counts, playing.seen)
    barred = _coup_bars(playing, seat, among)
    for card in barred:
        among[card] = 0
    leads = _lead_bars(state.house, playing, among)
    if leads and len(leads) == sum(among.values()):
        leads = {}
    for card in leads:
        among[card] = 0
    show = Show("card", (seat,), 1, CENTRE, deck, among, barred={**barred, **leads})
    return (Choice("only", (seat,), (ONLY,)), show) if leads else (show,)


def _coup_bars(playing: Playing, seat: int, among: dict[str, int]) -> dict[str, str]:
    """Bar the Coup card for all but the attempter; if it comes last, that hand has no other card."""
    if COUP in playing.seen:
        return {}
    if seat != playing.deal.claimant:
        return {COUP: "coup-of-another"}
    if len(playing.tricks) < HAND - 1:
        return {}
    return {card: "coup-last" for card, count in among.items() if count and card != COUP}


def _lead_bars(house: House, playing: Playing, among: dict[str, int]) -> dict[str, str]:
    """List the cards that may not be led now: those of barred suits, unless the hand has no other."""
    suits = suits_not_led(house, playing)
    if not suits or playing.cards or playing.has_only_barred:
        return {}
    key = CONTRACTS[playing.deal.contract].barred
    return {card: key for card, count in among.items() if count and SUIT[card] in suits}


def suits_not_led(house: House, playing: Playing) -> tuple[str, ...]:
    """List the suits that may not be led: to the first trick, or by a house rule to any."""
    is_free = bool(playing.tricks) and house.lead_rule == "opening"
    return () if is_free else CONTRACTS[playing.deal.contract].no_lead


def with_only_barred(playing: Playing, seat: int) -> Playing:
    """Believe a seat, for now, that it holds only suits that may not be led."""
    trick = len(playing.tricks) + 1
    others = (suit for suit in SUITS if suit not in CONTRACTS[playing.deal.contract].no_lead)
    said = tuple(Denial(seat, suit, trick) for suit in others if not _has_denied(playing, seat, suit))
    return replace(playing, has_only_barred=True, denials=playing.denials + said)


def without_refuted_claim(playing: Playing, card: str) -> Playing:
    """Drop the claim of a barred hand when the next card refutes it."""
    if not playing.has_only_barred or playing.cards or SUIT[card] in CONTRACTS[playing.deal.contract].no_lead:
        return playing
    trick = len(playing.tricks) + 1
    denials = tuple(denial for denial in playing.denials if denial.trick != trick)
    return replace(playing, has_only_barred=False, denials=denials)


def with_card(house: House, playing: Playing, seat: int, card: str) -> Playing:
    """Play a card to the trick; not following suit denies it."""
    suit, seen, cards = playing.suit, (*playing.seen, card), (*playing.cards, card)
    if not playing.cards:
        return replace(playing, suit=SUIT[card], seen=seen, cards=cards)
    if not _denies(house, suit, card) or _has_denied(playing, seat, suit):
        return replace(playing, seen=seen, cards=cards)
    denial = Denial(seat, suit, len(playing.tricks) + 1, card)
    return replace(playing, seen=seen, cards=cards, denials=(*playing.denials, denial))


def _denies(house: House, suit: str, card: str) -> bool:
    """Tell whether a card denies a suit; the Coup card doesn't, unless a house rule says so."""
    if not suit or SUIT[card] == suit:
        return False
    return card != COUP or house.coup_card == "only_when_void"


def _has_denied(playing: Playing, seat: int, suit: str) -> bool:
    return _denial_of(playing, seat, suit) is not None


def revoke(playing: Playing, seat: int, card: str) -> Denial | None:
    """Find where a seat denied the suit that it now plays."""
    return _denial_of(playing, seat, SUIT[card])


def _denial_of(playing: Playing, seat: int, suit: str) -> Denial | None:
    for denial in playing.denials:
        if denial.seat == seat and denial.suit == suit:
            return denial
    return None


def winner(playing: Playing, seats: int) -> int:
    """Give the winner of the trick: the Coup card, else the highest card of the suit led."""
    cards = playing.cards
    if COUP in cards:
        return (playing.leader + cards.index(COUP)) % seats
    following = [card for card in cards if SUIT[card] == playing.suit]
    return (playing.leader + cards.index(max(following, key=STRENGTH.__getitem__))) % seats
