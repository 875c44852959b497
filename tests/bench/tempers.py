"""What the tempers of the bots come to: how often each does what sets it apart, counted over whole matches."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from random import Random

from msgspec import Struct

from hardware.twin.bots.actions import asks_by_key, options_of
from hardware.twin.bots.coyote import least_number
from hardware.twin.bots.plenty_coups import RAIDS, is_fair_now
from hardware.twin.bots.tempers import TEMPERS
from hardware.twin.dealer import deal_match
from hardware.twin.playouts import answer_by_bots, next_table
from hardware.twin.tabletop import Places, known_cards
from referee.contract import Answer, Choice, Game, Number, Option, Refusal, Trait, hand_of
from referee.games.coup.state import ACTIONS
from referee.games.coup_d_etat.deals import ATTEMPT, DECLINE
from referee.kit.claims import CHALLENGE
from referee.match import Match, Setup, begin

Decision = tuple[Trait, bool]
"""A trait of which a decision told something, and whether it was shown."""
NAMES = tuple(TEMPERS)
MOST_ANSWERS = 3000
"""Answers of a match; one that isn't over then is left."""


class Shown(Struct, frozen=True):
    """How often the bots of a temper did something, of how many times that they could."""

    game: str
    temper: str
    trait: Trait
    did: int
    could: int
    rate: float
    """The share of the times that they could."""


def of_claims(match: Match, seat: int, answer: Answer, _places: Places) -> Iterator[Decision]:
    """Tell whether a claim that stands was challenged."""
    ask = asks_by_key(match, seat).get(answer.ask)
    if isinstance(answer.value, Option) and CHALLENGE in getattr(ask, "options", ()):
        yield "doubts", answer.value == CHALLENGE


def of_coup(match: Match, seat: int, answer: Answer, places: Places) -> Iterator[Decision]:
    """Tell whether a claim that stands was challenged, and whether what was claimed lay in the hand."""
    yield from of_claims(match, seat, answer, places)
    option = answer.value
    if not isinstance(option, Option) or answer.ask not in asks_by_key(match, seat):
        return
    claimed = (
        option.face
        if option.word == "block"
        else ACTIONS[option.word].claim
        if option.word in ACTIONS
        else None
    )
    if claimed:
        yield "bluffs", claimed not in places.get(hand_of(seat), ())


def of_coyote(match: Match, seat: int, answer: Answer, _places: Places) -> Iterator[Decision]:
    """Tell whether a number was called, and whether a higher one was said than had to be."""
    asks = asks_by_key(match, seat)
    number = asks.get("announce")
    if "coyote" in options_of(asks.get("turn")):
        yield "doubts", getattr(answer.value, "word", "") == "coyote"
    if isinstance(number, Number) and isinstance(answer.value, int):
        yield "dares", answer.value > least_number(number)


def of_coup_d_etat(_match: Match, _seat: int, answer: Answer, _places: Places) -> Iterator[Decision]:
    """Tell whether a coup was attempted by who may."""
    if answer.value in {ATTEMPT, DECLINE}:
        yield "dares", answer.value == ATTEMPT


def of_plenty_coups(match: Match, seat: int, answer: Answer, places: Places) -> Iterator[Decision]:
    """Tell whether an action was a raid that the hand allows."""
    ask = asks_by_key(match, seat).get("action")
    if not isinstance(ask, Choice) or answer.ask != ask.key or not isinstance(answer.value, Option):
        return
    raids = (option for option in ask.options if option.word in RAIDS)
    if any(is_fair_now(match, Answer(match.number, ask.key, option, seat), places) for option in raids):
        yield "dares", answer.value.word in RAIDS


TOLD_BY: Mapping[str, Callable[[Match, int, Answer, Places], Iterator[Decision]]] = {
    "coup": of_coup,
    "coyote": of_coyote,
    "coup-d-etat": of_coup_d_etat,
    "plenty-coups": of_plenty_coups,
}
"""What a decision tells of a temper, by game; of a package's game, what claims tell."""


def measure_tempers(game: Game, matches: int, seed: int) -> tuple[Shown, ...]:
    """Let the tempers play whole matches, each at another seat in each, and count what they did."""
    could, did = Counter[tuple[str, Trait]](), Counter[tuple[str, Trait]]()
    for number in range(matches):
        for temper, trait, was_shown in decisions(game, number, Random(f"{seed} {game.name} {number}")):
            could[temper, trait] += 1
            did[temper, trait] += was_shown
    return tuple(
        Shown(game.name, temper, trait, did[each], could[each], round(did[each] / max(1, could[each]), 3))
        for temper in TEMPERS
        for trait in game.play.traits
        for each in [(temper, trait)]
    )


def decisions(game: Game, number: int, rng: Random) -> Iterator[tuple[str, Trait, bool]]:
    """Play a match, and tell of each decision whose temper it was, and what it showed."""
    match = _new_match(game, number)
    at, told_by = match.setup.names, TOLD_BY.get(game.name, of_claims)
    table = deal_match(match, rng)
    while table.match.asks and table.match.number < MOST_ANSWERS:
        truth, answer = answer_by_bots(table, rng, (), [TEMPERS[name] for name in at])
        if answer.seat is not None:
            places = known_cards(game, truth, answer.seat)
            for trait, was_shown in told_by(table.match, answer.seat, answer, places):
                yield at[answer.seat], trait, was_shown
        table = next_table(table, truth, answer, rng)


def _new_match(game: Game, number: int) -> Match:
    """Begin a match of as many as the game seats; in each match all sit one seat further."""
    turned = (*NAMES[number % len(NAMES) :], *NAMES[: number % len(NAMES)])
    house = next(iter(game.rules.settings.values()))
    begun = (begin(Setup(game, house, turned[:seats])) for seats in range(len(NAMES), 0, -1))
    return next(match for match in begun if not isinstance(match, Refusal))
