"""A bot at Coup d'État: it follows suit, avoids costly tricks, and takes tricks in a coup of its own."""

from collections.abc import Callable, Mapping
from random import Random

from hardware.twin.bots.actions import BotAction, asks_by_key, options_of, say_action
from hardware.twin.bots.tempers import EVEN, Temper, lean
from hardware.twin.tabletop import Places
from referee.contract import Answer, Show, hand_of
from referee.games.coup_d_etat.deals import ATTEMPT, DECLINE, LEND, REFUSE
from referee.games.coup_d_etat.dominos import ENOUGH, PASS
from referee.games.coup_d_etat.state import (
    CONTRACTS,
    COUP,
    KING,
    QUEENS,
    RANK,
    ROW,
    STRENGTH,
    SUIT,
    Playing,
    State,
)
from referee.games.coup_d_etat.tricks import ONLY, UNTRIED
from referee.kit.french_cards import SUIT_WORDS
from referee.match import Match

BOLD = 0.25
"""How often a bot attempts a coup."""
KIND = 0.5
"""How often a bot lends money."""


def choose_action(
    match: Match, seat: int, places: Places, rng: Random, temper: Temper = EVEN
) -> BotAction | None:
    """Answer, or lay a card that a fair player may lay."""
    asks, cards = asks_by_key(match, seat), places.get(hand_of(seat), ())
    for key, ask in asks.items():
        if isinstance(ask, Show):
            return _lay_action(match, seat, ask, places, rng)
        if key == "holder":
            return _holder(match, seat, cards, lean(BOLD, temper.dares), rng)
        if key in _SPEECHES:
            return _SPEECHES[key](match, seat, cards, rng)
    return None


def _holder(match: Match, seat: int, cards: tuple[str, ...], bold: float, rng: Random) -> BotAction | None:
    if COUP not in cards:
        return None
    return say_action(match, "holder", ATTEMPT if rng.random() < bold else DECLINE, seat)


def _any_of(key: str) -> Callable[[Match, int, tuple[str, ...], Random], BotAction]:
    def choose_any(match: Match, seat: int, _cards: tuple[str, ...], rng: Random) -> BotAction:
        words = options_of(asks_by_key(match, seat)[key])
        return say_action(match, key, words[rng.choice(sorted(words))][0], seat)

    return choose_any


def _suit(match: Match, seat: int, cards: tuple[str, ...], _rng: Random) -> BotAction:
    words = options_of(asks_by_key(match, seat)["suit"])
    suits = [SUIT[card] for card in cards]
    word = max(words, key=lambda word: suits.count(SUIT_WORDS[word]))
    return say_action(match, "suit", words[word][0], seat)


def _secret(match: Match, seat: int, _cards: tuple[str, ...], _rng: Random) -> BotAction:
    return say_action(match, "secret", UNTRIED, seat)


def _lend_at(key: str) -> Callable[[Match, int, tuple[str, ...], Random], BotAction]:
    def choose_loan(match: Match, seat: int, _cards: tuple[str, ...], rng: Random) -> BotAction:
        return say_action(match, key, LEND if rng.random() < KIND else REFUSE, seat)

    return choose_loan


_SPEECHES: Mapping[str, Callable[[Match, int, tuple[str, ...], Random], BotAction | None]] = {
    "contract": _any_of("contract"),
    "coup-contract": _any_of("coup-contract"),
    "suit": _suit,
    "secret": _secret,
    "lend": _lend_at("lend"),
    "lend-ahead": _lend_at("lend-ahead"),
}


def _lay_action(match: Match, seat: int, ask: Show, places: Places, rng: Random) -> BotAction | None:
    """Lay the best fair card, or say why there is none."""
    game, state = match.setup.game, match.state
    cards = places.get(hand_of(seat), ())
    fair = [card for card in cards if game.play.is_fair(state, Answer(0, ask.key, (card,), seat), places)]
    if ask.key == "card":
        return BotAction(lays=(_card_to_play(state, seat, fair),)) if fair else say_only(match, seat)
    if ask.key == "domino":
        if fair:
            return BotAction(lays=(max(fair, key=lambda card: (_from_ends(card), rng.random())),))
        word = next((key for key in ("pass", "chain") if key in asks_by_key(match, seat)), None)
        return say_action(match, word, PASS if word == "pass" else ENOUGH, seat) if word else None
    return None


def say_only(match: Match, seat: int) -> BotAction | None:
    """Say that the hand has no card that may be led."""
    return say_action(match, "only", ONLY, seat) if "only" in asks_by_key(match, seat) else None


def _from_ends(card: str) -> int:
    """Rate how near a card is to a row's ends: lay aces and sevens early, as they block no other card."""
    place = ROW.index(RANK[card])
    return max(place, len(ROW) - 1 - place)


def _card_to_play(state: State, seat: int, fair: list[str]) -> str:
    """Choose a card: take tricks in one's own coup, else stay below and discard the costliest."""
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
    items = CONTRACTS[playing.deal.contract].items
    fallen = playing.cards
    return (
        ("king" in items and KING in fallen)
        or ("queens" in items and any(card in QUEENS for card in fallen))
        or ("spades" in items and any(SUIT[card] == "s" for card in fallen))
        or "first-trick" in items
    )


def _strength(card: str) -> int:
    return STRENGTH[card]


def _cost(card: str) -> tuple[bool, bool, bool, int]:
    return card == KING, card in QUEENS, SUIT[card] == "s", _strength(card)
