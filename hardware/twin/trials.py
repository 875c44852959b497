"""A position played on by bots, many times: how often each seat wins from here, and how sure that is.

What lies hidden is dealt anew by what had come to light until then, some dozen times, and each deal is played
on as often. Tries of one deal are alike, so that the error is taken over deals.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from random import Random
from statistics import fmean, stdev
from time import monotonic, process_time

from msgspec import Struct
from msgspec.structs import replace

from hardware.twin.dealer import DealtMatch, ShortError, Truth, deal_match, exchange_cards, follow_as_told
from hardware.twin.playouts import MOST_ANSWERS, StuckError, answer_by_bots, next_table, shares_of
from hardware.twin.strengths import Strength
from referee.contract import PILE, Answer, Show
from referee.legal import ask_named
from referee.match import Match, Position, beginning_of, standing_answers, without_answers

TRIES, DEALS = 1000, 50
"""Tries of a position, and how many deals they share."""
SECONDS = 6.0
"""Of a core, for all tries of a position: a Pi has other things to do, and makes fewer."""
WAITED = 15.0
"""Seconds that people wait for the tries of a position, whatever else the machine does."""
FAILED = 0.05
"""Where more tries than this share can't be played to the end, the others tell nothing."""
WIDE = 1.96
"""Standard errors on either side within which nineteen of twenty estimates lie."""


class Chances(Struct, frozen=True):
    """How often each seat won of so many tries, and by how much that may be wrong on either side."""

    tries: int
    shares: tuple[float, ...]
    errors: tuple[float, ...]


def try_out(
    match: Match,
    strength: Strength,
    seed: int,
    tries: int = TRIES,
    seconds: float = SECONDS,
    clock: Callable[[], float] = process_time,
) -> Chances | None:
    """Let bots play on from a moment again and again; None if that can't be done even once."""
    until, late = clock() + seconds, monotonic() + WAITED
    deals, won = dict[int, DealtMatch](), dict[int, list[tuple[float, ...]]]()
    failed = 0
    for number in range(tries):
        # a busy machine makes fewer, but one at least
        if clock() >= until or (number and monotonic() >= late):
            break
        place = number % DEALS
        try:
            if place not in deals:
                deals[place] = deal_as_known(match, Random(f"{seed} {place}"))
            shares = _play_to_end(deals[place], strength, Random(f"{seed} {place} {number}"))
        except (StuckError, ShortError):
            failed += 1
        else:
            won.setdefault(place, []).append(shares)
    made = sum(map(len, won.values()))
    return None if failed > FAILED * (made + failed) else _chances(list(won.values()))


def play_out(match: Match, strength: Strength, seed: int, most: int) -> tuple[Answer, ...]:
    """Let bots play on once, and give what they answer; the cards lie as one deal has them."""
    rng, answers = Random(seed), list[Answer]()
    bots = _all(match, strength)
    # what they have said stands, where they can't go on
    with suppress(StuckError, ShortError):
        table = deal_as_known(match, Random(seed))
        while table.match.asks and len(answers) < most:
            truth, answer = answer_by_bots(table, rng, bots)
            table = next_table(table, truth, answer, rng)
            answers.append(answer)
    return tuple(answers)


def deal_as_known(match: Match, rng: Random) -> DealtMatch:
    """Deal for a moment of a match: what was laid lies where it was laid, all else where chance has it."""
    truth, steps = deal_match(beginning_of(match), rng).truth, standing_answers(match)
    after = [*(step.before for step in steps[1:]), match.position]
    for step, then in zip(steps, after, strict=bool(steps)):
        truth = _with_laid(truth, match, step.before, step.answer)
        truth = follow_as_told(truth, replace(match, position=then, rulings=then.rulings), rng)
    alone = replace(match, position=without_answers(match.position), before=None)
    return DealtMatch(alone, truth)


def _with_laid(truth: Truth, match: Match, before: Position, answer: Answer) -> Truth:
    """Put the cards that were laid where they were taken from, in exchange for others there."""
    ask = ask_named(before.asks, answer.ask)
    if not isinstance(ask, Show) or not isinstance(answer.value, tuple):
        return truth
    zones = match.setup.game.table.sources(before.state, ask)
    if answer.seat is not None and any(zone.seat == answer.seat for zone in zones):
        zones = tuple(zone for zone in zones if zone.seat == answer.seat)
    laid = Counter(answer.value)
    there = Counter(card for zone in zones for card in truth.get(zone, ()))
    spare = list((there - laid).elements())
    # the pile, then hands, then where cards lie open
    hidden_first = sorted(truth, key=lambda zone: (zone != PILE, zone.name != "hand"))
    for face in (laid - there).elements():
        origin = next((zone for zone in hidden_first if zone not in zones and face in truth[zone]), None)
        if origin is None or not spare:
            continue
        other = spare.pop()
        home = next(zone for zone in zones if other in truth.get(zone, ()))
        truth = exchange_cards(truth, (origin, face), (home, other))
    return truth


def _play_to_end(table: DealtMatch, strength: Strength, rng: Random) -> tuple[float, ...]:
    bots = _all(table.match, strength)
    for _answer in range(MOST_ANSWERS):
        if not table.match.asks:
            break
        table = next_table(table, *answer_by_bots(table, rng, bots), rng)
    return shares_of(table.match)


def _all(match: Match, strength: Strength) -> Sequence[Strength]:
    return [strength] * len(match.setup.names)


def _chances(won: Sequence[Sequence[tuple[float, ...]]]) -> Chances | None:
    """Take the mean over deals, and how far it may be off."""
    tries = sum(map(len, won))
    if not tries:
        return None
    means = [[fmean(shares) for shares in zip(*deal, strict=True)] for deal in won]
    seats = list(zip(*means, strict=True))
    return Chances(tries, tuple(map(fmean, seats)), tuple(_error(seat, tries) for seat in seats))


def _error(means: Sequence[float], tries: int) -> float:
    """Give how far a mean may be off; where all went alike, what so many tries can't tell (three in all)."""
    spread = WIDE * stdev(means) / len(means) ** 0.5 if len(means) > 1 else 1.0
    return min(1.0, max(spread, 3 / tries))
