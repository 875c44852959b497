"""A strong bot at Coup: it hardly ever doubts, saves its influence by any claim, and takes most coins."""

from random import Random

from hardware.twin.bots.actions import BotAction, asks_by_key, options_of, say_action
from hardware.twin.bots.coup import aim_at_strongest, claimed_face
from hardware.twin.bots.coup import choose_action as choose_plainly
from hardware.twin.tabletop import Places
from referee.contract import Option, hand_of
from referee.games.coup.state import ACTIONS, DUKE, OF_EACH, State, Window, alive, influence, open_cards
from referee.kit.claims import CHALLENGE, OBJECTIONS, PASS
from referee.match import Match

PLAIN = frozenset({"exchange", "lose", "prove", "objections", "concede", "swap"})
"""Asks that are answered as the plain bot answers them."""
DOUBTS = (0.0, 0.0, 0.05, 1.0)
"""How often it doubts a character, by the number of that character's cards it has seen."""
ORDER = ("coup", "assassinate", "tax", "steal", "exchange")
"""Actions that are done honestly, the best first."""
FEINT = 0.1
"""How often it claims a Duke that it hasn't."""


def choose_action(match: Match, seat: int, places: Places, rng: Random) -> BotAction | None:
    """Act or react; all that needs cards is done as the plain bot does it."""
    asks, cards = asks_by_key(match, seat), places.get(hand_of(seat), ())
    if PLAIN & set(asks):
        return choose_plainly(match, seat, places, rng)
    for key in ("action", "must-coup"):
        if key in asks:
            return say_action(match, key, _action(match.state, seat, cards, options_of(asks[key]), rng), seat)
    key = next(iter(asks))
    return say_action(match, key, _reaction(match.state, seat, cards, options_of(asks[key]), rng), seat)


def _action(
    state: State, seat: int, cards: tuple[str, ...], options: dict[str, tuple[Option, ...]], rng: Random
) -> Option:
    """Strike if that can be paid, honestly; else take the most coins."""
    honest = {word for word in options if word == "coup" or ACTIONS[word].claim in cards}
    rich = tuple(option for option in options.get("steal", ()) if state.coins[option.seat or 0] > 1)
    for word in ORDER:
        aims = rich if word == "steal" else options.get(word, ())
        if word in honest and aims:
            return aim_at_strongest(state, aims)
    seen = (*cards, *open_cards(state)).count(DUKE)
    if seen < OF_EACH and rng.random() < FEINT:
        return options["tax"][0]
    return options["foreign-aid" if _is_aid_open(state, seat, seen) else "income"][0]


def _is_aid_open(state: State, seat: int, dukes: int) -> bool:
    """Tell whether foreign aid is likely to pass: few others, or few Dukes left."""
    others = len(alive(state)) - (seat in alive(state))
    return others * (OF_EACH - dukes) <= OF_EACH + 1


def _reaction(
    state: State, seat: int, cards: tuple[str, ...], options: dict[str, tuple[Option, ...]], rng: Random
) -> Option:
    """Block whatever can be blocked honestly, and an Assassin in any case; doubt what can't be true."""
    window = state.stage
    if not isinstance(window, Window):
        return next(iter(options.values()))[0]
    if OBJECTIONS in options.get("objections", ()):
        return OBJECTIONS
    seen = min(OF_EACH, (*cards, *open_cards(state)).count(claimed_face(state)))
    if CHALLENGE in options.get("challenge", ()) and rng.random() < DOUBTS[seen]:
        return CHALLENGE
    blocks = options.get("block", ())
    honest = next((option for option in blocks if option.face in cards), None)
    if honest is not None:
        return honest
    is_struck = window.deed.word == "assassinate" and window.deed.target == seat and influence(state, seat) > 0
    possible = [option for option in blocks if (*cards, *open_cards(state)).count(option.face or "") < OF_EACH]
    return possible[0] if is_struck and possible else PASS
