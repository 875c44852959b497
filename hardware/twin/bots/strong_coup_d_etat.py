"""A strong bot at Coup d'État: it attempts coups that can't fail, names dear contracts, weighs each trick."""

from collections.abc import Mapping
from random import Random

from hardware.twin.bots.actions import BotAction, asks_by_key, options_of, say_action
from hardware.twin.bots.coup_d_etat import choose_action as choose_plainly
from hardware.twin.bots.coup_d_etat import say_only
from hardware.twin.tabletop import Places
from referee.contract import Answer, Show, hand_of
from referee.games.coup_d_etat.coaching import chance_to_take, stake_of
from referee.games.coup_d_etat.deals import ATTEMPT, DECLINE, LEND
from referee.games.coup_d_etat.state import (
    CONTRACTS,
    COUP,
    HAND,
    KING,
    LAST_OUT,
    ORDER,
    PRICES,
    QUEENS,
    RANK,
    RANKS,
    STRENGTH,
    SUIT,
    Playing,
    State,
    contracts_left,
)
from referee.games.coup_d_etat.tricks import whole_haul
from referee.kit.tricks import taker_of
from referee.match import Match

SAFE_COUP = "prison"
"""The contract of a coup that can't fail with an ace: it takes the first trick, the Coup card the last one."""
RISK: Mapping[str, float] = {"king": 500, "queens": 130, "spades": 60}
"""What it is worth to be rid of a card that counts, in francs."""
HEIGHT = 90.0
"""What it is worth to be rid of an ace, and less for each rank below."""
TO_COME = 50.0
"""What a player still to come adds to a trick, about."""


def choose_action(match: Match, seat: int, places: Places, rng: Random) -> BotAction | None:
    """Answer, or lay the best card; all else is done as the plain bot does it."""
    asks, cards, state = asks_by_key(match, seat), places.get(hand_of(seat), ()), match.state
    if "holder" in asks and COUP in cards:
        return say_action(match, "holder", ATTEMPT if _is_safe(state, cards) else DECLINE, seat)
    for key in ("contract", "coup-contract"):
        if key in asks:
            options = options_of(asks[key])
            return say_action(match, key, options[_contract(key, set(options), len(state.money))][0], seat)
    for key in ("lend", "lend-ahead"):
        if key in asks:
            return say_action(match, key, LEND, seat)
    card = asks.get("card")
    if isinstance(card, Show) and isinstance(state.stage, Playing):
        return _lay_action(match, seat, card, places)
    return choose_plainly(match, seat, places, rng)


def _is_safe(state: State, cards: tuple[str, ...]) -> bool:
    """Tell whether a coup can't fail: with an ace to lead, and the Coup card for the last trick."""
    is_open = SAFE_COUP in contracts_left(state)
    return is_open and state.house.coup_card == "free" and any(RANK[card] == RANKS[0] for card in cards)


def _contract(key: str, left: set[str], seats: int) -> str:
    """Name the contract that can't fail in a coup, else the one that brings the President most."""
    if key == "coup-contract" and SAFE_COUP in left:
        return SAFE_COUP
    everything = whole_haul(seats)
    brings = {
        name: sum(PRICES[item] * everything[item] for item in terms.items) or LAST_OUT
        for name, terms in CONTRACTS.items()
    }
    return max(sorted(left), key=lambda word: brings.get(word, 0))  # type: ignore[call-overload]


def _lay_action(match: Match, seat: int, ask: Show, places: Places) -> BotAction | None:
    """Lay the best fair card, or say why there is none."""
    state, own = match.state, places.get(hand_of(seat), ())
    fair = [
        card for card in own if match.setup.game.play.is_fair(state, Answer(0, ask.key, (card,), seat), places)
    ]
    if not fair:
        return say_only(match, seat)
    playing = state.stage
    if playing.deal.claimant == seat:
        return BotAction(lays=(_card_of_coup(state, playing, own, fair),))
    if playing.deal.claimant is not None and playing.cards:
        spoiler = _spoiler(state, playing, fair)
        if spoiler is not None:
            return BotAction(lays=(spoiler,))
    return BotAction(lays=(max(fair, key=lambda card: _gain(state, playing, own, card)),))


def _card_of_coup(state: State, playing: Playing, own: tuple[str, ...], fair: list[str]) -> str:
    """Take what counts as cheaply as possible, and keep the Coup card for the end."""
    number = len(playing.tricks)
    plain = [card for card in fair if card != COUP] or fair
    if playing.deal.contract == SAFE_COUP and 0 < number < HAND - 1:
        return min(plain, key=lambda card: STRENGTH[card])
    takes = {card: chance_to_take(state, playing, own, card) for card in fair}
    if not any(stake_of(state, playing, card) for card in fair):
        return min(plain, key=lambda card: STRENGTH[card])
    best = max(plain, key=lambda card: takes[card])
    return COUP if COUP in fair and takes[best] < 1 else best


def _spoiler(state: State, playing: Playing, fair: list[str]) -> str | None:
    """Find a card that takes something that counts away from a coup."""
    claimant, seats = playing.deal.claimant or 0, len(state.money)
    best = taker_of(ORDER, playing.leader, playing.cards, playing.suit, seats)
    counts = any(_risk(playing, card) for card in playing.cards) or _is_bound(playing)
    if best == claimant and counts:
        beats = [card for card in fair if _beats(playing, card)]
        return min(beats, key=lambda card: STRENGTH[card], default=None)
    has_played = (claimant - playing.leader) % seats < len(playing.cards)
    costly = [card for card in fair if _risk(playing, card) and not _beats(playing, card)]
    return (
        max(costly, key=lambda card: _risk(playing, card))
        if has_played and best != claimant and costly
        else None
    )


def _is_bound(playing: Playing) -> bool:
    items, number = CONTRACTS[playing.deal.contract].items, len(playing.tricks)
    return ("first-trick" in items and number == 0) or ("last-trick" in items and number == HAND - 1)


def _beats(playing: Playing, card: str) -> bool:
    following = [STRENGTH[other] for other in playing.cards if SUIT[other] == playing.suit and other != COUP]
    return (
        COUP not in playing.cards
        and SUIT[card] == playing.suit
        and STRENGTH[card] > max(following, default=-99)
    )


def _gain(state: State, playing: Playing, own: tuple[str, ...], card: str) -> float:
    """Weigh what it is worth to be rid of a card against what its trick may cost."""
    chance = chance_to_take(state, playing, own, card)
    to_come = TO_COME * (len(state.money) - 1 - len(playing.cards))
    return _burden(playing, card) - chance * (stake_of(state, playing, card) + to_come)


def _burden(playing: Playing, card: str) -> float:
    """Say what it is worth to be rid of a card: the higher it is, the sooner it takes a trick."""
    return _risk(playing, card) + HEIGHT * (1 + STRENGTH[card] / len(RANKS))


def _risk(playing: Playing, card: str) -> float:
    items = CONTRACTS[playing.deal.contract].items
    return (
        RISK["king"] * ("king" in items and card == KING)
        + RISK["queens"] * ("queens" in items and card in QUEENS)
        + RISK["spades"] * ("spades" in items and SUIT[card] == "s")
    )
