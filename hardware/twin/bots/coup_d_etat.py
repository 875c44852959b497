"""Bots at Coup d'État: the plain one judges coups and contracts by its hand, and avoids costly tricks.

The strong one plays on with random hands for the others before it chooses a coup, a contract or a card.
"""

from collections.abc import Mapping
from random import Random

from hardware.twin.bots.actions import BotAction, asks_by_key, options_of, say_action
from hardware.twin.bots.tricks_to_come import NUMBER, before_deal, cost, in_deal, worth_of_deal, worths_of_cards
from hardware.twin.strengths import EVEN, Temper, lean
from hardware.twin.tabletop import Places
from referee.contract import Answer, Show, hand_of
from referee.games.coup_d_etat.deals import ATTEMPT, DECLINE, LEND
from referee.games.coup_d_etat.dominos import ENOUGH, PASS
from referee.games.coup_d_etat.state import (
    CONTRACTS,
    COUP,
    HAND,
    KING,
    LAST_OUT,
    PRICES,
    RANK,
    RANKS,
    ROW,
    STRENGTH,
    SUIT,
    TAKEN_BY_CARD,
    Contract,
    Playing,
    State,
)
from referee.games.coup_d_etat.tricks import ONLY, UNTRIED, whole_haul
from referee.kit.french_cards import SUIT_WORDS
from referee.match import Match

SURE, LIKELY, WILD = 1.0, 0.75, 0.05
"""Probabilities of attempting a coup: one that can't fail, one that mostly succeeds, and any other."""
HIGH = frozenset(RANKS[:3])
"""Ranks that mostly win their tricks."""


def choose_action(
    match: Match, seat: int, places: Places, rng: Random, temper: Temper = EVEN
) -> BotAction | None:
    asks, cards = asks_by_key(match, seat), places.get(hand_of(seat), ())
    for key, ask in asks.items():
        if isinstance(ask, Show):
            return _lay_action(match, seat, ask, places, rng)
        if key == "holder":
            if COUP not in cards:
                return None
            tries = rng.random() < lean(chance_of_coup(match.state, cards), temper.dares)
            return say_action(match, "holder", ATTEMPT if tries else DECLINE, seat)
        if said := _say(match, seat, key, cards):
            return said
    return None


def chance_of_coup(state: State, cards: tuple[str, ...]) -> float:
    """Return how likely the best coup succeeds."""
    return max(_promise(contract, cards) for contract in state.contracts_left)


def _promise(contract: Contract, cards: tuple[str, ...]) -> float:
    """Return how likely a coup succeeds, as the Coup card takes one trick of the player's choice."""
    if contract == "prison" and any(RANK[card] == RANKS[0] for card in cards):
        # an ace takes the first trick, the Coup card the last
        return SURE
    # another player must lay the king sooner or later; one's own rarely takes a trick
    return LIKELY if contract == "barbu" and KING not in cards else WILD


def _say(match: Match, seat: int, key: str, cards: tuple[str, ...]) -> BotAction | None:
    words, contracts = options_of(asks_by_key(match, seat)[key]), match.state.contracts_left
    match key:
        case "contract":
            contract = max(contracts, key=lambda each: _income(each, cards, len(match.state.money)))
            return say_action(match, key, words[contract][0], seat)
        case "coup-contract":
            contract = max(contracts, key=lambda each: _promise(each, cards))
            return say_action(match, key, words[contract][0], seat)
        case "suit":
            suits = [SUIT[card] for card in cards]
            word = max(words, key=lambda word: suits.count(SUIT_WORDS[word]))
            return say_action(match, key, words[word][0], seat)
        case "secret":
            return say_action(match, key, UNTRIED, seat)
        case "lend" | "lend-ahead":
            return say_action(match, key, LEND, seat)
        case _:
            return None


def _income(contract: Contract, cards: tuple[str, ...], seats: int) -> float:
    """Estimate a contract's income for its President; own high cards reduce it."""
    suits = {"barbu": "h", "siege": "s"}.get(contract, "hsdc")
    high = sum(RANK[card] in HIGH and SUIT[card] in suits for card in cards if card != COUP)
    return _price(contract, seats) * (1 - high / (len(HIGH) * len(suits)))


def _price(contract: Contract, seats: int) -> int:
    """Return the price of everything that counts in a contract."""
    everything = whole_haul(seats)
    return sum(PRICES[item] * everything[item] for item in CONTRACTS[contract].items) or LAST_OUT


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
            own = places.get(hand_of(seat), ())
            return BotAction(lays=(max(fair, key=lambda card: (_opens(card, own), rng.random())),))
        word = next((key for key in ("pass", "chain") if key in asks_by_key(match, seat)), None)
        return say_action(match, word, PASS if word == "pass" else ENOUGH, seat) if word else None
    return None


def say_only(match: Match, seat: int) -> BotAction | None:
    return say_action(match, "only", ONLY, seat) if "only" in asks_by_key(match, seat) else None


def _opens(card: str, own: tuple[str, ...]) -> tuple[int, int]:
    """Prefer a card that own cards of its suit wait for, then one near the row's ends, which helps nobody."""
    middle, place = (len(ROW) - 1) / 2, ROW.index(RANK[card])
    beyond = [ROW.index(RANK[other]) for other in own if SUIT[other] == SUIT[card]]
    waiting = sum(other < place if place < middle else other > place for other in beyond)
    return waiting, max(place, len(ROW) - 1 - place)


def _card_to_play(state: State, seat: int, fair: list[str]) -> str:
    """Choose a card: win tricks in its own coup, or else lead low, stay below, and discard the costliest."""
    playing = state.stage
    if not isinstance(playing, Playing):
        return fair[0]
    plain = [card for card in fair if card != COUP] or fair
    if playing.deal.claimant == seat:
        return _card_of_own_coup(playing, fair, plain)
    if not playing.cards:
        return min(plain, key=_strength)
    if COUP not in playing.cards and SUIT[plain[0]] == playing.suit:
        return _following(playing, plain)
    # whatever another's coup needs stays in the hand
    return max(plain, key=cost) if playing.deal.claimant is None else min(plain, key=cost)


def _following(playing: Playing, plain: list[str]) -> str:
    """Stay below as high as possible; keep from another's coup what it needs."""
    if playing.deal.claimant is not None and _is_costly(playing):
        return max(plain, key=_strength)
    below = [card for card in plain if not _beats(playing, card)]
    return max(below, key=_strength) if below else min(plain, key=_strength)


def _is_bound(playing: Playing) -> bool:
    items, number = CONTRACTS[playing.deal.contract].items, len(playing.tricks)
    return ("first-trick" in items and number == 0) or ("last-trick" in items and number == HAND - 1)


def _beats(playing: Playing, card: str) -> bool:
    following = [STRENGTH[other] for other in playing.cards if SUIT[other] == playing.suit]
    follows = COUP not in playing.cards and SUIT[card] == playing.suit
    return follows and STRENGTH[card] > max(following)


def _card_of_own_coup(playing: Playing, fair: list[str], plain: list[str]) -> str:
    """Play high; the Coup card takes what the coup needs, or waits for the last trick if it needs that."""
    highest = max(plain, key=_strength)
    if not playing.cards:
        return highest
    beating = [card for card in plain if _beats(playing, card)]
    if beating:
        return max(beating, key=_strength)
    waits = "last-trick" in CONTRACTS[playing.deal.contract].items
    return COUP if COUP in fair and _is_costly(playing) and not waits else min(plain, key=cost)


def _is_costly(playing: Playing) -> bool:
    items, fallen = CONTRACTS[playing.deal.contract].items, set(playing.cards)
    return _is_bound(playing) or any(fallen & TAKEN_BY_CARD.get(item, frozenset()) for item in items)


def _strength(card: str) -> int:
    return STRENGTH[card]


# the strong bot

CHOICE_DEALS, CARD_DEALS = 20, 12
"""Numbers of random deals that are played on: for a coup or a contract, and for a card."""


def choose_strongly(match: Match, seat: int, places: Places, rng: Random) -> BotAction | None:
    """Play on with random hands for the others, and choose the coup, contract or card that brings most."""
    asks, cards, state = asks_by_key(match, seat), places.get(hand_of(seat), ()), match.state
    if "holder" in asks and COUP in cards:
        coups = _worths(state, seat, cards, rng, is_coup=True).values()
        tries = bool(coups) and max(coups) > _idle(state, seat, cards, rng)
        return say_action(match, "holder", ATTEMPT if tries else DECLINE, seat)
    for key in ("contract", "coup-contract"):
        if key in asks:
            worths = _worths(state, seat, cards, rng, is_coup=key == "coup-contract")
            best = max(worths, key=worths.__getitem__, default=state.contracts_left[0])
            return say_action(match, key, options_of(asks[key])[best][0], seat)
    ask, playing = asks.get("card"), state.stage
    if not isinstance(ask, Show) or not isinstance(playing, Playing) or playing.deal.claimant == seat:
        return choose_action(match, seat, places, rng)
    fair = _fair(match, seat, ask, places)
    if not fair:
        return say_only(match, seat)
    return BotAction(lays=(_best_card(state, playing, cards, fair, rng),))


def _worths(
    state: State, seat: int, cards: tuple[str, ...], rng: Random, *, is_coup: bool
) -> Mapping[Contract, float]:
    """Return what each contract would bring; no coup in Dominos, where three of four fail."""
    contracts = [contract for contract in state.contracts_left if not is_coup or CONTRACTS[contract].items]
    knows = {contract: before_deal(state, seat, cards, contract, is_coup=is_coup) for contract in contracts}
    return {contract: worth_of_deal(known, CHOICE_DEALS, rng) for contract, known in knows.items()}


def _idle(state: State, seat: int, cards: tuple[str, ...], rng: Random) -> float:
    """Return what a deal without a coup brings: the President names the best contract, others the dearest."""
    if seat == state.president:
        return max(_worths(state, seat, cards, rng, is_coup=False).values())
    dearest = max(state.contracts_left, key=lambda contract: _price(contract, len(state.money)))
    return worth_of_deal(before_deal(state, seat, cards, dearest, is_coup=False), CHOICE_DEALS, rng)


def _best_card(state: State, playing: Playing, own: tuple[str, ...], fair: list[str], rng: Random) -> str:
    known, by_number = in_deal(state, playing, own), {NUMBER[card]: card for card in fair}
    prices = known.terms.prices
    # of neighbours with the same price, one stands for all
    cards = [
        card
        for card in by_number
        if card - 1 not in by_number or not card % 8 or prices[card - 1] != prices[card]
    ]
    if len(cards) == 1:
        return by_number[cards[0]]
    worths = worths_of_cards(known, cards, CARD_DEALS, rng)
    return by_number[cards[worths.index(max(worths))]]
