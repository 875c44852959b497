"""Bots of each strength against each other, by game, and how often each temper shows its typical behaviour."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations
from math import sqrt
from random import Random
from statistics import mean, stdev
from typing import NamedTuple

from hardware.twin.bots.actions import asks_by_key, options_of
from hardware.twin.bots.coup_d_etat import chance_of_coup
from hardware.twin.bots.coyote import least_number
from hardware.twin.bots.plenty_coups import RAIDS, is_fair_now
from hardware.twin.dealer import DealtMatch, deal_match
from hardware.twin.playouts import answer_by_bots, next_table, shares_of
from hardware.twin.strengths import STRENGTHS, TEMPERS, Strength, Temper
from hardware.twin.tabletop import Places, known_cards
from referee.contract import Answer, Choice, Game, Number, Option, Trait, hand_of
from referee.games.catalogue import GAMES
from referee.games.coup.state import ACTIONS
from referee.games.coup_d_etat.deals import ATTEMPT, DECLINE
from referee.kit.claims import CHALLENGE
from referee.match import Match, Setup, begin
from tests.bench.measured import Measured, percent
from tests.given import allowed
from tests.referee.tables import new_match

MOST_ANSWERS = 3000  # maximum answers of a match; after that, the leaders count as winners
SURE = 1.96
"""Standard errors on each side of a 95 % confidence interval."""
Decision = tuple[Trait, bool]  # the trait that a decision concerns, and whether the bot showed it


class Duel(NamedTuple):
    """The share of wins of the stronger bots' two seats of four, with its margin; a half is even."""

    share: float
    give_or_take: float


class Shown(NamedTuple):
    """How often the bots of a temper did something, and how often they could have."""

    temper: str
    trait: Trait
    rate: float
    could: int


def bots(game: str = "", matches: int = 400, seed: int = 1) -> Measured:
    """Bots of each strength against each other: two seats each, which change after each match."""
    ratios, notes = dict[str, str](), list[str]()
    games = [each for each in GAMES.values() if each.play.bot and game in {"", each.name}]
    for each in games:
        strengths = [strength for strength in STRENGTHS if strength != "strong" or each.play.strong_bot]
        for other, better in combinations(strengths, 2):
            share, give_or_take = duel(each, better, other, matches, seed)
            won = f"{percent(share)} ± {percent(give_or_take)}"
            ratios[f"{each.name}: wins of {better} against {other}"] = won
    for each in games:
        shown = measure_tempers(each, matches, seed) if each.play.traits else ()
        for trait in dict.fromkeys(one.trait for one in shown):
            rates = (f"{one.temper} {percent(one.rate)}" for one in shown if one.trait == trait)
            notes.append(f"{each.name}: {trait}: {', '.join(rates)}")
    return Measured(ratios, tuple(notes))


def duel(game: Game, better: Strength, other: Strength, matches: int, seed: int) -> Duel:
    """Play two strengths against each other; seats swap in every second match."""
    won = [_share_won(game, better, other, number, seed) for number in range(matches)]
    return Duel(round(mean(won), 4), round(SURE * stdev(won) / sqrt(matches), 4))


def _share_won(game: Game, better: Strength, other: Strength, number: int, seed: int) -> float:
    rng = Random(f"{seed} {game.name} {better} {other} {number}")
    pair = (better, other) if number % 2 else (other, better)
    *_before, (last, _answer) = play_by_bots(new_match(game, next(iter(game.rules.settings)), 4), rng, pair * 2)
    shares = shares_of(last.match)
    return sum(share for share, strength in zip(shares, pair * 2, strict=True) if strength == better)


def play_by_bots(
    match: Match, rng: Random, strengths: Sequence[Strength] = (), tempers: Sequence[Temper] = ()
) -> Iterator[tuple[DealtMatch, Answer | None]]:
    """Play a match by bots; yield each moment with their answer, and finally one without an answer."""
    table = deal_match(match, rng)
    while table.match.asks and table.match.number < MOST_ANSWERS:
        truth, answer = answer_by_bots(table, rng, strengths, tempers)
        yield DealtMatch(table.match, truth), answer
        table = next_table(table, truth, answer, rng)
    yield table, None


# behaviour of tempers


def measure_tempers(game: Game, matches: int, seed: int) -> tuple[Shown, ...]:
    """Play whole matches with rotating seats, and count each temper's typical decisions."""
    could, did = Counter[tuple[str, Trait]](), Counter[tuple[str, Trait]]()
    for number in range(matches):
        for temper, trait, was_shown in decisions(game, number, Random(f"{seed} {game.name} {number}")):
            could[temper, trait] += 1
            did[temper, trait] += was_shown
    return tuple(
        Shown(temper, trait, round(did[each] / max(1, could[each]), 3), could[each])
        for temper in TEMPERS
        for trait in game.play.traits
        for each in [(temper, trait)]
    )


def decisions(game: Game, number: int, rng: Random) -> Iterator[tuple[str, Trait, bool]]:
    """Play a full match, one seat further each time; yield each temper's decisions that concern a trait."""
    house, names = next(iter(game.rules.settings.values())), tuple(TEMPERS)
    turned = (*names[number % len(names) :], *names[: number % len(names)])
    seats = max(seats for seats in game.rules.seats(house) if seats <= len(names))
    match = allowed(begin(Setup(game, house, turned[:seats])))
    for table, answer in play_by_bots(match, rng, tempers=[TEMPERS[name] for name in turned]):
        if answer is not None and answer.seat is not None:
            places = known_cards(game, table.truth, answer.seat)
            show = SHOWN_BY.get(game.name, of_claims)
            for trait, was_shown in show(table.match, answer.seat, answer, places):
                yield turned[answer.seat], trait, was_shown


def of_claims(match: Match, seat: int, answer: Answer, _places: Places) -> Iterator[Decision]:
    """Yield whether a claim was challenged, if it could be."""
    ask = asks_by_key(match, seat).get(answer.ask)
    if isinstance(answer.value, Option) and CHALLENGE in getattr(ask, "options", ()):
        yield "doubts", answer.value == CHALLENGE


def of_coup(match: Match, seat: int, answer: Answer, places: Places) -> Iterator[Decision]:
    """Yield whether a claim was challenged, and whether a claimed card wasn't in the hand."""
    yield from of_claims(match, seat, answer, places)
    option = answer.value
    if isinstance(option, Option) and answer.ask in asks_by_key(match, seat):
        action = ACTIONS.get(option.word)
        claimed = option.face if option.word == "block" else action and action.claim
        if claimed:
            yield "bluffs", claimed not in places.get(hand_of(seat), ())


def of_coyote(match: Match, seat: int, answer: Answer, _places: Places) -> Iterator[Decision]:
    """Yield whether a number was called, and whether a bid was higher than necessary."""
    asks = asks_by_key(match, seat)
    number = asks.get("announce")
    if "coyote" in options_of(asks.get("turn")):
        yield "doubts", getattr(answer.value, "word", "") == "coyote"
    if isinstance(number, Number) and isinstance(answer.value, int):
        yield "dares", answer.value > least_number(number)


def of_coup_d_etat(match: Match, seat: int, answer: Answer, places: Places) -> Iterator[Decision]:
    """Yield whether a coup that may fail was attempted."""
    if answer.value in {ATTEMPT, DECLINE} and chance_of_coup(match.state, places.get(hand_of(seat), ())) < 1:
        yield "dares", answer.value == ATTEMPT


def of_plenty_coups(match: Match, seat: int, answer: Answer, places: Places) -> Iterator[Decision]:
    """Yield whether an action was a raid, if the hand allows one."""
    ask = asks_by_key(match, seat).get("action")
    if not isinstance(ask, Choice) or answer.ask != ask.key or not isinstance(answer.value, Option):
        return
    raids = (option for option in ask.options if option.word in RAIDS)
    if any(is_fair_now(match, Answer(match.number, ask.key, option, seat), places) for option in raids):
        yield "dares", answer.value.word in RAIDS


SHOWN_BY: Mapping[str, Callable[[Match, int, Answer, Places], Iterator[Decision]]] = {
    "coup": of_coup,
    "coyote": of_coyote,
    "coup-d-etat": of_coup_d_etat,
    "plenty-coups": of_plenty_coups,
}
"""Functions that find the traits of a decision, by game; games of other packages use `of_claims`."""
