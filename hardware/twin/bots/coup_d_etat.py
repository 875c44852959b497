"""Bots at Coup d'État: the plain one follows suit, avoids costly tricks, and wins tricks in its own coup.

The strong one attempts only coups that can't fail, names costly contracts and weighs each trick.
"""

from collections.abc import Mapping
from random import Random

from hardware.twin.bots.actions import BotAction, asks_by_key, options_of, say_action
from hardware.twin.strengths import EVEN, Temper, lean
from hardware.twin.tabletop import Places
from referee.contract import Answer, Show, hand_of
from referee.games.coup_d_etat.coaching import chance_to_take, stake_of
from referee.games.coup_d_etat.deals import ATTEMPT, DECLINE, LEND, REFUSE
from referee.games.coup_d_etat.dominos import ENOUGH, PASS
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
    ROW,
    STRENGTH,
    SUIT,
    TAKEN_BY_CARD,
    Playing,
    State,
)
from referee.games.coup_d_etat.tricks import ONLY, UNTRIED, whole_haul
from referee.kit.french_cards import SUIT_WORDS
from referee.kit.tricks import taker_of
from referee.match import Match

BOLD = 0.25  # probability that a bot attempts a coup
KIND = 0.5  # probability that a bot lends money


def choose_action(
    match: Match, seat: int, places: Places, rng: Random, temper: Temper = EVEN
) -> BotAction | None:
    asks, cards = asks_by_key(match, seat), places.get(hand_of(seat), ())
    for key, ask in asks.items():
        if isinstance(ask, Show):
            return _lay_action(match, seat, ask, places, rng)
        if key == "holder":
            return _holder(match, seat, cards, lean(BOLD, temper.dares), rng)
        if said := _say(match, seat, key, cards, rng):
            return said
    return None


def _holder(match: Match, seat: int, cards: tuple[str, ...], bold: float, rng: Random) -> BotAction | None:
    tries = COUP in cards and rng.random() < bold
    return say_action(match, "holder", ATTEMPT if tries else DECLINE, seat) if COUP in cards else None


def _say(match: Match, seat: int, key: str, cards: tuple[str, ...], rng: Random) -> BotAction | None:
    words = options_of(asks_by_key(match, seat)[key])
    match key:
        case "contract" | "coup-contract":
            return say_action(match, key, words[rng.choice(sorted(words))][0], seat)
        case "suit":
            suits = [SUIT[card] for card in cards]
            word = max(words, key=lambda word: suits.count(SUIT_WORDS[word]))
            return say_action(match, key, words[word][0], seat)
        case "secret":
            return say_action(match, key, UNTRIED, seat)
        case "lend" | "lend-ahead":
            return say_action(match, key, LEND if rng.random() < KIND else REFUSE, seat)
        case _:
            return None


def _fair(match: Match, seat: int, ask: Show, places: Places) -> list[str]:
    held, is_fair = places.get(hand_of(seat), ()), match.setup.game.play.is_fair
    return [card for card in held if is_fair(match.state, Answer(0, ask.key, (card,), seat), places)]


def _lay_action(match: Match, seat: int, ask: Show, places: Places, rng: Random) -> BotAction | None:
    """Lay the best fair card, or declare that there is none."""
    fair = _fair(match, seat, ask, places)
    if ask.key == "card":
        return BotAction(lays=(_card_to_play(match.state, seat, fair),)) if fair else say_only(match, seat)
    if ask.key == "domino":
        if fair:
            return BotAction(lays=(max(fair, key=lambda card: (_from_ends(card), rng.random())),))
        word = next((key for key in ("pass", "chain") if key in asks_by_key(match, seat)), None)
        return say_action(match, word, PASS if word == "pass" else ENOUGH, seat) if word else None
    return None


def say_only(match: Match, seat: int) -> BotAction | None:
    return say_action(match, "only", ONLY, seat) if "only" in asks_by_key(match, seat) else None


def _from_ends(card: str) -> int:
    """Return how close a card is to a row's ends; aces and sevens go early, as they block no other card."""
    place = ROW.index(RANK[card])
    return max(place, len(ROW) - 1 - place)


def _card_to_play(state: State, seat: int, fair: list[str]) -> str:
    """Choose a card: win tricks in its own coup, or else stay below and discard the costliest."""
    playing = state.stage
    if not isinstance(playing, Playing):
        return fair[0]
    plain = [card for card in fair if card != COUP] or fair
    if playing.deal.claimant == seat:
        return COUP if COUP in fair and _is_costly(playing) else max(plain, key=_strength)
    if not playing.cards:
        return min(plain, key=_strength)
    suit, following = playing.suit, [card for card in playing.cards if SUIT[card] == playing.suit]
    if COUP not in playing.cards and suit and SUIT[plain[0]] == suit:
        best = max(following, key=_strength, default="")
        below = [card for card in plain if not best or _strength(card) < _strength(best)]
        return max(below, key=_strength) if below else min(plain, key=_strength)
    return max(plain, key=_cost)


def _is_costly(playing: Playing) -> bool:
    items, fallen = CONTRACTS[playing.deal.contract].items, set(playing.cards)
    return "first-trick" in items or any(fallen & TAKEN_BY_CARD.get(item, frozenset()) for item in items)


def _strength(card: str) -> int:
    return STRENGTH[card]


def _cost(card: str) -> tuple[bool, bool, bool, int]:
    return card == KING, card in QUEENS, SUIT[card] == "s", _strength(card)


# the strong bot

SAFE_COUP = "prison"
"""Contract of a coup that can't fail with an ace: it wins the first trick, the Coup card the last."""
RISK: Mapping[str, float] = {"king": 500, "queens": 130, "spades": 60}
"""Value in francs of discarding a penalty card."""
HEIGHT = 90.0  # value of discarding an ace; lower ranks are worth less
TO_COME = 50.0  # estimated cost that each later player adds to a trick


def choose_strongly(match: Match, seat: int, places: Places, rng: Random) -> BotAction | None:
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
        return _strong_lay_action(match, seat, card, places)
    return choose_action(match, seat, places, rng)


def _is_safe(state: State, cards: tuple[str, ...]) -> bool:
    """Return whether a coup can't fail: with an ace to lead, and the Coup card for the last trick."""
    is_open = SAFE_COUP in state.contracts_left
    return is_open and state.house.coup_card == "free" and any(RANK[card] == RANKS[0] for card in cards)


def _contract(key: str, left: set[str], seats: int) -> str:
    """Return the contract that can't fail in a coup, or else the most profitable one for the President."""
    if key == "coup-contract" and SAFE_COUP in left:
        return SAFE_COUP
    everything = whole_haul(seats)
    brings = {
        name: sum(PRICES[item] * everything[item] for item in terms.items) or LAST_OUT
        for name, terms in CONTRACTS.items()
    }
    return max(sorted(left), key=lambda word: brings.get(word, 0))  # type: ignore[call-overload]


def _strong_lay_action(match: Match, seat: int, ask: Show, places: Places) -> BotAction | None:
    state, own = match.state, places.get(hand_of(seat), ())
    fair = _fair(match, seat, ask, places)
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
    """Win penalty cards as cheaply as possible, and save the Coup card for the end."""
    number = len(playing.tricks)
    plain = [card for card in fair if card != COUP] or fair
    is_idle = not any(stake_of(state, playing, card) for card in fair)
    if is_idle or (playing.deal.contract == SAFE_COUP and 0 < number < HAND - 1):
        return min(plain, key=_strength)
    takes = {card: chance_to_take(state, playing, own, card) for card in fair}
    best = max(plain, key=lambda card: takes[card])
    return COUP if COUP in fair and takes[best] < 1 else best


def _spoiler(state: State, playing: Playing, fair: list[str]) -> str | None:
    """Return a card that keeps a penalty card from the player of a coup; None if there is none."""
    claimant, seats = playing.deal.claimant or 0, len(state.money)
    best = taker_of(ORDER, playing.leader, playing.cards, playing.suit, seats)
    counts = any(_risk(playing, card) for card in playing.cards) or _is_bound(playing)
    if best == claimant and counts:
        beats = [card for card in fair if _beats(playing, card)]
        return min(beats, key=_strength, default=None)
    has_played = (claimant - playing.leader) % seats < len(playing.cards)
    if not has_played or best == claimant:
        return None
    costly = [card for card in fair if _risk(playing, card) and not _beats(playing, card)]
    return max(costly, key=lambda card: _risk(playing, card), default=None)


def _is_bound(playing: Playing) -> bool:
    items, number = CONTRACTS[playing.deal.contract].items, len(playing.tricks)
    return ("first-trick" in items and number == 0) or ("last-trick" in items and number == HAND - 1)


def _beats(playing: Playing, card: str) -> bool:
    following = [STRENGTH[other] for other in playing.cards if SUIT[other] == playing.suit and other != COUP]
    follows = COUP not in playing.cards and SUIT[card] == playing.suit
    return follows and STRENGTH[card] > max(following, default=-99)


def _gain(state: State, playing: Playing, own: tuple[str, ...], card: str) -> float:
    """Return the value of playing a card: the benefit of losing it minus the expected cost of the trick."""
    burden = _risk(playing, card) + HEIGHT * (1 + STRENGTH[card] / len(RANKS))
    chance = chance_to_take(state, playing, own, card)
    to_come = TO_COME * (len(state.money) - 1 - len(playing.cards))
    return burden - chance * (stake_of(state, playing, card) + to_come)


def _risk(playing: Playing, card: str) -> float:
    items = CONTRACTS[playing.deal.contract].items
    return (
        RISK["king"] * ("king" in items and card == KING)
        + RISK["queens"] * ("queens" in items and card in QUEENS)
        + RISK["spades"] * ("spades" in items and SUIT[card] == "s")
    )
