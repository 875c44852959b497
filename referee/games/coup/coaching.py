"""Analysis of challenges: the probability that a claim was true, and the value of challenging and passing.

Probabilities are exact: all possible hands of a player are enumerated, once ignoring claims and once assuming
an honest player who bluffs with a given rate. Values are shares of wins: hidden hands are dealt repeatedly and
bots of either kind play on. A seat's own cards are used, for that seat only, if they were revealed later;
decisions with an own card that never was are not rated.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations_with_replacement
from math import comb, prod

from msgspec import Struct
from msgspec.structs import replace

from referee.contract import Ruling
from referee.contract.cards import PILE, Zone, before_seat, expand_counts, hand_of, without
from referee.contract.coaching import Chance, HeardAnswer, Judgement, Kind, Laboratory, Line, make_remark
from referee.games.coup.hands import CLAIMS, moves
from referee.games.coup.rules import is_doubtful
from referee.games.coup.state import Deed, State, Window
from referee.kit.claims import CHALLENGE, PASS
from referee.kit.coaching import cards_held, cards_seen, shuffled, standard_error

SAYS_NOTHING = 1.0  # bluff rate at which a claim carries no information
BLUFFS = {"plain": 0.12, "random": SAYS_NOTHING}
"""Bluff rate of each kind of bot, used in simulations and to model players."""
WEIGHED = 3
"""Number of a seat's decisions to simulate: those with the largest estimated loss."""
DEALS, MOST_DEALS = 240, 48
"""Total number of deals for the decisions of a match, and the maximum for one decision."""
TRIES = 60  # attempts to deal hands that are consistent with the claims

Faces = frozenset[str]
Known = Mapping[int, tuple[str, ...]]


# Probability that a claim is true.


def claim_chance(
    state: State, deed: Deed, known: Known, earlier: Faces = frozenset(), bluff: float = SAYS_NOTHING
) -> float:
    """Return the probability that a claim is true, for a viewer who knows some cards, such as their own."""
    face, held = deed.claimed, known.get(deed.claimant, ())
    if face in held:
        return 1.0
    unseen = without(state.hidden_cards, (card for cards in known.values() for card in cards))
    claimed = (earlier | {face}).difference(held)
    return chance_to_hold(unseen, state.influence(deed.claimant) - len(held), face, claimed, bluff)


def chance_to_hold(
    unseen: Mapping[str, int], count: int, face: str, claimed: Faces = frozenset(), bluff: float = SAYS_NOTHING
) -> float:
    """Return the probability that a hand of unseen cards has a character, given its player's claims."""
    weights = {
        hand: likelihood(hand, claimed, bluff)
        * prod(comb(unseen[card], copies) for card, copies in Counter(hand).items())
        for hand in combinations_with_replacement(sorted(unseen), count)
    }
    whole = sum(weights.values())
    return sum(weight for hand, weight in weights.items() if face in hand) / whole if whole else 0.0


def likelihood(hand: Iterable[str], claimed: Faces, bluff: float) -> float:
    """Return the likelihood of these claims for a player with this hand and bluff rate."""
    return float(bluff ** len(claimed.difference(hand)))


def claims_after(claims: Mapping[int, Faces], rulings: Iterable[Ruling]) -> Mapping[int, Faces]:
    """Update each seat's claims; a claim is dropped if the hand changed or the card was revealed."""
    noted = dict(claims)
    for ruling in rulings:
        seat = ruling.values.get("seat")
        if not isinstance(seat, int):
            continue
        before, face = noted.get(seat, frozenset()), str(ruling.values.get("face"))
        match ruling.key:
            case "swaps" | "returns":
                noted[seat] = frozenset()
            case "loses" | "concedes" | "disproved":
                # revealed cards are no longer hidden, and a failed claim wasn't true
                noted[seat] = before - {str(ruling.values.get("card")), face}
            case "blocks":
                noted[seat] = before | {face}
            case key if key in CLAIMS:
                noted[seat] = before | {CLAIMS[key]}
    return noted


class Doubt(Struct, frozen=True):
    """A decision to challenge or pass: the seat's cards, the claim, and its probability."""

    heard: HeardAnswer
    seat: int
    known: Known
    """Own cards revealed later, and cards that all players know others hold."""
    claims: Mapping[int, Faces]
    chance: float  # from open and own cards, if claims carry no information
    honest: float  # if the player bluffs at the rate of the plain bot


def judge_decisions(line: Line, laboratory: Laboratory) -> tuple[Judgement, ...]:
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
    own = [doubt for doubt in doubts if doubt.seat == seat and _influence_lost(doubt) > 0]
    return sorted(own, key=lambda doubt: (-_influence_lost(doubt), doubt.heard.moment))[:WEIGHED]


def _influence_lost(doubt: Doubt) -> float:
    """Return the estimated loss of a pass or a challenge, if a challenge wins or loses one influence."""
    gain = 1 - 2 * doubt.honest
    return -gain if doubt.heard.answer.value == CHALLENGE else gain


def _doubts(line: Line) -> Iterator[Doubt]:
    hands = [hand_of(seat) for seat in range(len(line[0].state.coins))] if line else []
    seen = [cards_seen(line, moves, hand) for hand in hands]
    held = [cards_held(line, moves, hand) for hand in hands]
    claims: Mapping[int, Faces] = {}
    for place, heard in enumerate(line):
        window, seat = heard.state.stage, heard.answer.seat
        if (
            seat is not None
            and isinstance(window, Window)
            and is_doubtful(window)
            and heard.answer.value in (CHALLENGE, PASS)
            and len(held[seat][place]) == heard.state.influence(seat)
        ):
            known = {other: cards[place] for other, cards in enumerate(seen)} | {seat: held[seat][place]}
            earlier = claims.get(window.deed.claimant, frozenset())
            chance = claim_chance(heard.state, window.deed, known)
            honest = claim_chance(heard.state, window.deed, known, earlier, BLUFFS["plain"])
            yield Doubt(heard, seat, known, claims, chance, honest)
        claims = claims_after(claims, heard.rulings)


def _judgement(doubt: Doubt) -> Judgement:
    deed: Deed = doubt.heard.state.stage.deed
    key = "coach-challenge" if doubt.heard.answer.value == CHALLENGE else "coach-pass"
    chances = {"chance": doubt.chance, "honest": doubt.honest}
    remark = make_remark(key, seat=doubt.seat, claimant=deed.claimant, face=deed.claimed, **chances)
    worth = doubt.honest if doubt.heard.answer.value == PASS else 1 - doubt.honest
    return Judgement(doubt.heard.moment, doubt.seat, doubt.heard.answer.value, Kind.CHANCE, worth, (remark,))


def _weigh(doubt: Doubt, deals: int, laboratory: Laboratory) -> Judgement:
    """Compare a challenge with a pass by simulation; differences within the error count as no loss."""
    plain, random = (_play_on(doubt, deals, players, laboratory) for players in BLUFFS)
    is_challenge = doubt.heard.answer.value == CHALLENGE
    worth, other = (plain.challenge, plain.passing) if is_challenge else (plain.passing, plain.challenge)
    remark = make_remark(
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
        remarks=(*judgement.remarks, remark),
    )


class Values(Struct, frozen=True):
    """Shares of wins after a challenge and after a pass, with the error of their difference."""

    challenge: float
    passing: float
    error: float  # standard error of their difference


def _play_on(doubt: Doubt, deals: int, players: str, laboratory: Laboratory) -> Values:
    """Simulate a challenge and a pass with the same hidden hands."""
    chance = laboratory.chance(doubt.heard.moment)
    won = [_play_both(doubt, players, laboratory, chance) for _deal in range(deals)]
    gains = [challenge - passing for challenge, passing in won]
    challenge, passing = (sum(wins) / deals for wins in zip(*won, strict=True))
    return Values(challenge, passing, standard_error(gains))


def _play_both(doubt: Doubt, players: str, laboratory: Laboratory, chance: Chance) -> tuple[float, float]:
    state, deed, seat = doubt.heard.state, doubt.heard.state.stage.deed, doubt.seat
    claimed = doubt.claims.get(deed.claimant, frozenset()) | {deed.claimed}
    claims = {**doubt.claims, deed.claimant: claimed}
    places, seed = deal_hidden(state, seat, doubt.known, claims, BLUFFS[players], chance), chance.random()
    answers = (replace(doubt.heard.answer, value=option, tied=()) for option in (CHALLENGE, PASS))
    challenge, passing = (laboratory.play(state, places, answer, players, seed)[seat] for answer in answers)
    return challenge, passing


def deal_hidden(
    state: State, seat: int, known: Known, claims: Mapping[int, Faces], bluff: float, chance: Chance
) -> Mapping[Zone, tuple[str, ...]]:
    """Deal the cards unknown to a seat, weighted by the likelihood of all claims."""
    others = tuple(other for other in state.alive if other != seat)
    places = _deal_once(state, known, chance)
    for _try in range(TRIES):
        fits = (likelihood(places[hand_of(other)], claims.get(other, frozenset()), bluff) for other in others)
        if chance.random() < prod(fits):
            break
        places = _deal_once(state, known, chance)
    return places


def _deal_once(state: State, known: Known, chance: Chance) -> Mapping[Zone, tuple[str, ...]]:
    cards_known = (card for cards in known.values() for card in cards)
    pool = shuffled(expand_counts(without(state.hidden_cards, cards_known)), chance)
    places = {before_seat(other): cards for other, cards in enumerate(state.lost) if cards}
    for other in state.alive:
        held = known.get(other, ())
        count = state.influence(other) - len(held)
        places[hand_of(other)] = (*held, *pool[:count])
        del pool[:count]
    return {**places, PILE: tuple(pool)}
