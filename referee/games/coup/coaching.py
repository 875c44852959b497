"""Whether to challenge a claim: how likely it was true, and what a challenge and a pass were worth.

The chances are exact. The values are shares of wins: hidden hands are dealt again and again, bots play on,
once random ones, to whom a claim says nothing, once plain ones, who bluff seldom. What a seat held itself is
known where it came to light later, and used for that seat alone.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from math import prod, sqrt

from msgspec import Struct
from msgspec.structs import replace

from referee.contract import (
    PILE,
    Answer,
    Chance,
    HeardAnswer,
    Judgement,
    Kind,
    Laboratory,
    Line,
    Zone,
    before_seat,
    make_remark,
)
from referee.contract.cards import expand_counts, without
from referee.games.coup.claims import (
    PLAIN_BLUFF,
    SAYS_NOTHING,
    Faces,
    claim_chance,
    claimed_face,
    claims_after,
    is_challenge_option,
    likelihood,
)
from referee.games.coup.deck import COUP
from referee.games.coup.hands import hand, moves
from referee.games.coup.state import State, Window, alive, claimant, influence, open_cards
from referee.games.coup.windows import CHALLENGE, PASS, is_doubtful
from referee.kit.held_cards import cards_held

WEIGHED = 3
"""How many decisions of a seat are played on: those in which the chances say that most was given away."""
DEALS, MOST_DEALS = 240, 48
"""How often hidden hands are dealt in all for the decisions of a match, and at most for one of them."""
TRIES = 60
"""How often hands are dealt anew because players wouldn't have claimed so with them."""
MODELS = {"plain": PLAIN_BLUFF, "random": SAYS_NOTHING}


class Doubt(Struct, frozen=True):
    """A decision to challenge or to pass: what its seat held, what was claimed, how likely that was."""

    heard: HeardAnswer
    seat: int
    own: tuple[str, ...]
    claims: Mapping[int, Faces]
    chance: float
    """By the open cards and one's own, if claims say nothing."""
    honest: float
    """If the player bluffs as seldom as the plain bot."""


def judge_decisions(line: Line, laboratory: Laboratory) -> tuple[Judgement, ...]:
    """Judge all decisions to challenge a claim or to let it pass; the most telling ones by playing on."""
    doubts = tuple(_doubts(line))
    weighed = {
        doubt.heard.moment for seat in {each.seat for each in doubts} for doubt in telling_doubts(doubts, seat)
    }
    deals = min(MOST_DEALS, DEALS // max(1, len(weighed)))
    return tuple(
        _weigh(doubt, deals, laboratory) if doubt.heard.moment in weighed else _judgement(doubt)
        for doubt in doubts
    )


def telling_doubts(doubts: Sequence[Doubt], seat: int) -> Sequence[Doubt]:
    """Choose the decisions of a seat by the influence that they gave away, as the chances say."""
    own = [doubt for doubt in doubts if doubt.seat == seat and _influence_lost(doubt) > 0]
    return sorted(own, key=lambda doubt: (-_influence_lost(doubt), doubt.heard.moment))[:WEIGHED]


def _influence_lost(doubt: Doubt) -> float:
    """Tell what a pass or a challenge gave away, where a challenge wins or loses one influence."""
    gain = 1 - 2 * doubt.honest
    return -gain if doubt.heard.answer.value == CHALLENGE else gain


def _doubts(line: Line) -> Iterator[Doubt]:
    """List all decisions to challenge or to pass, with what could be known of them."""
    held = _cards_held(line)
    claims: Mapping[int, Faces] = {}
    for place, heard in enumerate(line):
        window, seat = heard.state.stage, heard.answer.seat
        if seat is not None and isinstance(window, Window) and _is_doubt(window, heard.answer):
            own = held[seat][place]
            earlier = claims.get(claimant(window.deed, window.block), frozenset())
            chance = claim_chance(heard.state, window, own)
            honest = claim_chance(heard.state, window, own, earlier, PLAIN_BLUFF)
            yield Doubt(heard, seat, own, claims, chance, honest)
        claims = claims_after(claims, heard.rulings)


def _is_doubt(window: Window, answer: Answer) -> bool:
    return is_doubtful(window) and is_challenge_option(answer.value)


def _cards_held(line: Line) -> Mapping[int, Sequence[tuple[str, ...]]]:
    """Tell for each seat what it held for certain before each answer, as came to light later."""
    seats = range(len(line[0].state.coins)) if line else range(0)
    return {seat: cards_held(line, moves, partial(_hand_of, seat)) for seat in seats}


def _hand_of(seat: int, _heard: HeardAnswer) -> Zone:
    return hand(seat)


# what is said of it


def _judgement(doubt: Doubt) -> Judgement:
    """Tell how likely the claim was; nothing is weighed against it."""
    window = doubt.heard.state.stage
    key = "coach-challenge" if doubt.heard.answer.value == CHALLENGE else "coach-pass"
    said = make_remark(
        key,
        seat=doubt.seat,
        claimant=claimant(window.deed, window.block),
        face=claimed_face(window),
        chance=doubt.chance,
        honest=doubt.honest,
    )
    worth = doubt.honest if doubt.heard.answer.value == PASS else 1 - doubt.honest
    return Judgement(doubt.heard.moment, doubt.seat, doubt.heard.answer.value, Kind.CHANCE, worth, (said,))


def _weigh(doubt: Doubt, deals: int, laboratory: Laboratory) -> Judgement:
    """Set a challenge against a pass, by playing on from there; what chance may have done counts as no loss."""
    plain, random = (_play_on(doubt, deals, players, laboratory) for players in MODELS)
    is_challenge = doubt.heard.answer.value == CHALLENGE
    worth, other = (plain.challenge, plain.passing) if is_challenge else (plain.passing, plain.challenge)
    said = make_remark(
        "coach-played-on",
        challenge=plain.challenge,
        passing=plain.passing,
        random_challenge=random.challenge,
        random_passing=random.passing,
        deals=deals,
        error=plain.error,
    )
    judgement, is_better = _judgement(doubt), other - worth > plain.error
    return replace(
        judgement,
        kind=Kind.WINS,
        worth=worth,
        best=other if is_better else worth,
        better=None if not is_better else PASS if is_challenge else CHALLENGE,
        remarks=(*judgement.remarks, said),
    )


# playing on


class Values(Struct, frozen=True):
    """The shares of wins after a challenge and after a pass, and how far chance may part them."""

    challenge: float
    passing: float
    error: float
    """The standard error of their difference."""


def _play_on(doubt: Doubt, deals: int, players: str, laboratory: Laboratory) -> Values:
    """Play on after a challenge and after a pass, with the same hidden hands for both."""
    chance = laboratory.chance(doubt.heard.moment)
    won = [_play_both(doubt, players, laboratory, chance) for _deal in range(deals)]
    gains = [challenge - passing for challenge, passing in won]
    mean = sum(gains) / deals
    spread = sum((gain - mean) ** 2 for gain in gains) / max(1, deals - 1)
    return Values(
        sum(challenge for challenge, _passing in won) / deals,
        sum(passing for _challenge, passing in won) / deals,
        sqrt(spread / deals),
    )


def _play_both(doubt: Doubt, players: str, laboratory: Laboratory, chance: Chance) -> tuple[float, float]:
    """Deal hidden hands once, and play both ways on."""
    state, bluff = doubt.heard.state, MODELS[players]
    places, seed = deal_hidden(state, doubt.seat, doubt.own, _all_claims(doubt), bluff, chance), chance.random()
    challenge, passing = (
        laboratory.play(state, places, replace(doubt.heard.answer, value=option, tied=()), players, seed)[
            doubt.seat
        ]
        for option in (CHALLENGE, PASS)
    )
    return challenge, passing


def _all_claims(doubt: Doubt) -> Mapping[int, Faces]:
    """Give what seats have claimed, with the claim that it is about."""
    window = doubt.heard.state.stage
    seat = claimant(window.deed, window.block)
    return {**doubt.claims, seat: doubt.claims.get(seat, frozenset()) | {claimed_face(window)}}


def deal_hidden(
    state: State, seat: int, own: tuple[str, ...], claims: Mapping[int, Faces], bluff: float, chance: Chance
) -> Mapping[Zone, tuple[str, ...]]:
    """Deal all that a seat doesn't know of, as likely as players who bluff so seldom would have claimed so."""
    others = tuple(other for other in alive(state) if other != seat)
    places = _deal_once(state, seat, own, chance)
    for _try in range(TRIES):
        fits = (likelihood(places[hand(other)], claims.get(other, frozenset()), bluff) for other in others)
        if chance.random() < prod(fits):
            break
        places = _deal_once(state, seat, own, chance)
    return places


def _deal_once(state: State, seat: int, own: tuple[str, ...], chance: Chance) -> Mapping[Zone, tuple[str, ...]]:
    pool = _shuffled(expand_counts(without(COUP.counts, (*open_cards(state), *own))), chance)
    places = {before_seat(other): cards for other, cards in enumerate(state.lost) if cards}
    for other in alive(state):
        held = own if other == seat else ()
        count = influence(state, other) - len(held)
        places[hand(other)] = (*held, *pool[:count])
        del pool[:count]
    return {**places, PILE: tuple(pool)}


def _shuffled(cards: list[str], chance: Chance) -> list[str]:
    for place in range(len(cards) - 1, 0, -1):
        other = int(chance.random() * (place + 1))
        cards[place], cards[other] = cards[other], cards[place]
    return cards
