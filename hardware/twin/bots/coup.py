"""Bots at Coup: the plain one is mostly honest, rarely suspicious, and certain about impossible claims.

The strong one hardly ever doubts, saves its influence by any claim, and collects the most coins.
"""

from random import Random

from hardware.twin.bots.actions import BotAction, asks_by_key, options_of, say_action
from hardware.twin.strengths import EVEN, Temper, lean
from hardware.twin.tabletop import Places
from referee.contract import Option, Value, hand_of
from referee.games.coup.coaching import BLUFF
from referee.games.coup.state import (
    ACTIONS,
    AMBASSADOR,
    ASSASSIN,
    CAPTAIN,
    CONTESSA,
    DECK,
    DUKE,
    OF_EACH,
    Proving,
    State,
    Window,
)
from referee.kit.claims import CHALLENGE, CONCEDE, OBJECTIONS, PASS
from referee.match import Match

WORTH = (DUKE, CAPTAIN, ASSASSIN, CONTESSA, AMBASSADOR)  # characters, most valuable first
LAST_STAND = 0.5  # probability of claiming the Contessa when its last influence is at stake
DOUBTS = (0.04, 0.08, 0.3, 1.0)
"""Probability of doubting a character, by the number of that character's cards it has seen."""
RARELY = 0.25
Options = dict[str, tuple[Option, ...]]


def choose_action(
    match: Match, seat: int, places: Places, rng: Random, temper: Temper = EVEN
) -> BotAction | None:
    asks, cards = asks_by_key(match, seat), places.get(hand_of(seat), ())
    if "exchange" in asks:
        return BotAction(say_action(match, "exchange", None, seat).answer, hand=best_first(cards))
    if "lose" in asks:
        return BotAction(lays=best_first(cards)[-1:])
    if "prove" in asks:
        return proof_action(match, seat, cards)
    if "objections" in asks:
        return BotAction(say_action(match, "objections", OBJECTIONS, seat).answer, waits=True)
    for key in ("action", "must-coup"):
        if key in asks:
            bluff = lean(BLUFF, temper.bluffs)
            return say_action(match, key, _action(match.state, cards, options_of(asks[key]), bluff, rng), seat)
    key = next(iter(asks))
    return say_action(match, key, _reaction(match.state, seat, cards, options_of(asks[key]), temper, rng), seat)


def best_first(cards: tuple[str, ...]) -> tuple[str, ...]:
    """Sort cards by value: one of each character first, then duplicates."""
    ranks = [(cards[:place].count(card), WORTH.index(card), card) for place, card in enumerate(cards)]
    return tuple(card for _copy, _worth, card in sorted(ranks))


def proof_action(match: Match, seat: int, cards: tuple[str, ...]) -> BotAction:
    """Show the claimed card or concede; if neither is possible, show the least useful card."""
    claimed = claimed_face(match.state)
    if claimed in cards:
        return BotAction(lays=(claimed,))
    if "concede" in asks_by_key(match, seat):
        return say_action(match, "concede", CONCEDE, seat)
    return BotAction(lays=best_first(cards)[-1:])


def claimed_face(state: State) -> str:
    return state.stage.deed.claimed if isinstance(state.stage, Proving | Window) else ""


def _action(state: State, cards: tuple[str, ...], options: Options, bluff: float, rng: Random) -> Option:
    """Choose the strongest honest action, and occasionally a dishonest one."""
    if "coup" in options:
        return aim_at_strongest(state, options["coup"])
    words = [word for word in options if ACTIONS[word].claim in cards or rng.random() < bluff]
    for word in ("assassinate", "tax", "steal", "exchange"):
        if word not in words or (word == "exchange" and rng.random() > RARELY):
            continue
        aimed = [option for option in options[word] if word != "steal" or state.coins[option.seat or 0]]
        if aimed:
            return aim_at_strongest(state, tuple(aimed))
    return options["foreign-aid" if rng.random() < 0.5 else "income"][0]


def aim_at_strongest(state: State, options: tuple[Option, ...]) -> Option:
    return max(options, key=lambda option: _strength(state, option.seat))


def _strength(state: State, seat: int | None) -> tuple[int, int]:
    return (0, 0) if seat is None else (state.influence(seat), state.coins[seat])


def _reaction(
    state: State, seat: int, cards: tuple[str, ...], options: Options, temper: Temper, rng: Random
) -> Value:
    """Block honestly if possible, doubt an unlikely claim, or else pass."""
    window = state.stage
    if not isinstance(window, Window):
        return next(iter(options.values()))[0]
    blocks = options.get("block", ())
    true = next((option for option in blocks if option.face in cards), None)
    if true is not None and (window.deed.target == seat or rng.random() < 0.5):
        return true
    if CHALLENGE in options.get("challenge", ()) and _is_doubting(state, cards, temper.doubts, rng):
        return CHALLENGE
    is_last = window.deed.word == "assassinate" and state.influence(seat) == 1
    return blocks[0] if blocks and is_last and rng.random() < lean(LAST_STAND, temper.bluffs) else PASS


def _is_doubting(state: State, cards: tuple[str, ...], doubts: float, rng: Random) -> bool:
    claimed = claimed_face(state)
    seen = (*cards, *state.open_cards).count(claimed)
    return rng.random() < lean(DOUBTS[min(seen, DECK.counts.get(claimed, 3))], doubts)


# the strong bot

PLAIN = frozenset({"exchange", "lose", "prove", "objections", "concede", "swap"})
"""Asks that the plain bot answers."""
STRONG_DOUBTS = (0.0, 0.0, 0.05, 1.0)
"""Probability of doubting a character, by the number of that character's cards it has seen."""
ORDER = ("coup", "assassinate", "tax", "steal", "exchange")
"""Actions chosen if honest, best first."""
FEINT = 0.1  # probability of falsely claiming a Duke


def choose_strongly(match: Match, seat: int, places: Places, rng: Random) -> BotAction | None:
    """Act or react; choices of cards are left to the plain bot."""
    asks, cards = asks_by_key(match, seat), places.get(hand_of(seat), ())
    if PLAIN & set(asks):
        return choose_action(match, seat, places, rng)
    for key in ("action", "must-coup"):
        if key in asks:
            chosen = _strong_action(match.state, seat, cards, options_of(asks[key]), rng)
            return say_action(match, key, chosen, seat)
    key = next(iter(asks))
    return say_action(match, key, _strong_reaction(match.state, seat, cards, options_of(asks[key]), rng), seat)


def _strong_action(state: State, seat: int, cards: tuple[str, ...], options: Options, rng: Random) -> Option:
    """Attack if affordable and honest, or else collect the most coins."""
    honest = {word for word in options if word == "coup" or ACTIONS[word].claim in cards}
    rich = tuple(option for option in options.get("steal", ()) if state.coins[option.seat or 0] > 1)
    for word in ORDER:
        aims = rich if word == "steal" else options.get(word, ())
        if word in honest and aims:
            return aim_at_strongest(state, aims)
    seen = (*cards, *state.open_cards).count(DUKE)
    if seen < OF_EACH and rng.random() < FEINT:
        return options["tax"][0]
    # foreign aid is likely to pass with few opponents, or few Dukes left
    others = len(state.alive) - (seat in state.alive)
    return options["foreign-aid" if others * (OF_EACH - seen) <= OF_EACH + 1 else "income"][0]


def _strong_reaction(state: State, seat: int, cards: tuple[str, ...], options: Options, rng: Random) -> Option:
    """Block honestly if possible, and always against an Assassin; doubt impossible claims."""
    window = state.stage
    if not isinstance(window, Window):
        return next(iter(options.values()))[0]
    if OBJECTIONS in options.get("objections", ()):
        return OBJECTIONS
    seen = min(OF_EACH, (*cards, *state.open_cards).count(claimed_face(state)))
    if CHALLENGE in options.get("challenge", ()) and rng.random() < STRONG_DOUBTS[seen]:
        return CHALLENGE
    blocks = options.get("block", ())
    honest = next((option for option in blocks if option.face in cards), None)
    if honest is not None:
        return honest
    is_struck = window.deed.word == "assassinate" and window.deed.target == seat
    possible = [option for option in blocks if (*cards, *state.open_cards).count(option.face or "") < OF_EACH]
    return possible[0] if is_struck and possible else PASS
