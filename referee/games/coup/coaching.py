"""Whether to challenge a claim: how likely it was true, and what a challenge and a pass were worth.

The chances are exact: all hands that a player may hold are enumerated, once as if claims told nothing, so that
only open cards count, and once as if all were honest but for a share of bluffs. The values are shares of wins:
hidden hands are dealt again and again, and bots of either kind play on. What a seat held itself is known where
it came to light, and used for that seat alone; where a card of it never did, nothing is said.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations_with_replacement
from math import comb, prod, sqrt

from msgspec import Struct
from msgspec.structs import replace

from referee.contract import Ruling
from referee.contract.cards import PILE, Zone, before_seat, expand_counts, hand_of, without
from referee.contract.coaching import Chance, HeardAnswer, Judgement, Kind, Laboratory, Line, make_remark
from referee.games.coup.hands import moves
from referee.games.coup.rules import is_doubtful
from referee.games.coup.state import ACTIONS, DECK, Deed, State, Window
from referee.kit.claims import CHALLENGE, PASS
from referee.kit.coaching import cards_held, cards_seen

SAYS_NOTHING = 1.0  # the share of bluffs at which a claim says nothing
BLUFFS = {"plain": 0.12, "random": SAYS_NOTHING}
"""How often each kind of bot bluffs, in play and as a model of the players."""
CLAIMED = {action.said: action.claim for action in ACTIONS.values() if action.claim}
WEIGHED = 3
"""How many decisions of a seat are played on: those in which the chances say that most was given away."""
DEALS, MOST_DEALS = 240, 48
"""How often hidden hands are dealt in all for the decisions of a match, and at most for one of them."""
TRIES = 60  # how often hands are dealt anew because players wouldn't have claimed so with them

Faces = frozenset[str]
Known = Mapping[int, tuple[str, ...]]


# how likely a claim is true


def claim_chance(
    state: State, deed: Deed, known: Known, earlier: Faces = frozenset(), bluff: float = SAYS_NOTHING
) -> float:
    """Return how likely the claim is true, for a viewer who knows some cards of hands, such as their own."""
    face, held = deed.claimed, known.get(deed.claimant, ())
    if face in held:
        return 1.0
    unseen = without(DECK.counts, (*state.open_cards, *(card for cards in known.values() for card in cards)))
    claimed = (earlier | {face}).difference(held)
    return chance_to_hold(unseen, state.influence(deed.claimant) - len(held), face, claimed, bluff)


def chance_to_hold(
    unseen: Mapping[str, int], count: int, face: str, claimed: Faces = frozenset(), bluff: float = SAYS_NOTHING
) -> float:
    """Return how likely a hand of so many unseen cards has a character, given what its player claimed."""
    weights = {
        hand: likelihood(hand, claimed, bluff)
        * prod(comb(unseen[card], copies) for card, copies in Counter(hand).items())
        for hand in combinations_with_replacement(sorted(unseen), count)
    }
    whole = sum(weights.values())
    return sum(weight for hand, weight in weights.items() if face in hand) / whole if whole else 0.0


def likelihood(hand: Iterable[str], claimed: Faces, bluff: float) -> float:
    """Return how likely a player with this hand makes such claims, whose share of bluffs is known."""
    return float(bluff ** len(claimed.difference(hand)))


def claims_after(claims: Mapping[int, Faces], rulings: Iterable[Ruling]) -> Mapping[int, Faces]:
    """Note what was claimed, and forget it where a hand changed or the card came to light."""
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
                # what has come to light is hidden no more; nor was a claim true that failed
                noted[seat] = before - {str(ruling.values.get("card")), face}
            case "blocks":
                noted[seat] = before | {face}
            case key if key in CLAIMED:
                noted[seat] = before | {CLAIMED[key]}
    return noted


class Doubt(Struct, frozen=True):
    """A decision to challenge or to pass: what its seat held, what was claimed, how likely that was."""

    heard: HeardAnswer
    seat: int
    known: Known
    """The cards of its own hand that came to light, and those that all had seen others keep."""
    claims: Mapping[int, Faces]
    chance: float  # by the open cards and one's own, if claims say nothing
    honest: float  # if the player bluffs as seldom as the plain bot


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
    """Return what a pass or a challenge gave away, where a challenge wins or loses one influence."""
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
    said = make_remark(key, seat=doubt.seat, claimant=deed.claimant, face=deed.claimed, **chances)
    worth = doubt.honest if doubt.heard.answer.value == PASS else 1 - doubt.honest
    return Judgement(doubt.heard.moment, doubt.seat, doubt.heard.answer.value, Kind.CHANCE, worth, (said,))


def _weigh(doubt: Doubt, deals: int, laboratory: Laboratory) -> Judgement:
    """Set a challenge against a pass, by playing on from there; what chance may have done counts as no loss."""
    plain, random = (_play_on(doubt, deals, players, laboratory) for players in BLUFFS)
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


class Values(Struct, frozen=True):
    """The shares of wins after a challenge and after a pass, and how far chance may part them."""

    challenge: float
    passing: float
    error: float  # the standard error of their difference


def _play_on(doubt: Doubt, deals: int, players: str, laboratory: Laboratory) -> Values:
    """Play on after a challenge and after a pass, with the same hidden hands for both."""
    chance = laboratory.chance(doubt.heard.moment)
    won = [_play_both(doubt, players, laboratory, chance) for _deal in range(deals)]
    gains = [challenge - passing for challenge, passing in won]
    mean = sum(gains) / deals
    spread = sum((gain - mean) ** 2 for gain in gains) / max(1, deals - 1)
    challenge, passing = (sum(wins) / deals for wins in zip(*won, strict=True))
    return Values(challenge, passing, sqrt(spread / deals))


def _play_both(doubt: Doubt, players: str, laboratory: Laboratory, chance: Chance) -> tuple[float, float]:
    state, deed, seat = doubt.heard.state, doubt.heard.state.stage.deed, doubt.seat
    claimed = doubt.claims.get(deed.claimant, frozenset()) | {deed.claimed}
    claims = {**doubt.claims, deed.claimant: claimed}
    places, seed = deal_hidden(state, seat, doubt.known, claims, BLUFFS[players], chance), chance.random()
    said = (replace(doubt.heard.answer, value=option, tied=()) for option in (CHALLENGE, PASS))
    challenge, passing = (laboratory.play(state, places, answer, players, seed)[seat] for answer in said)
    return challenge, passing


def deal_hidden(
    state: State, seat: int, known: Known, claims: Mapping[int, Faces], bluff: float, chance: Chance
) -> Mapping[Zone, tuple[str, ...]]:
    """Deal all that a seat doesn't know of, as likely as players who bluff so seldom would have claimed so."""
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
    pool = _shuffled(expand_counts(without(DECK.counts, (*state.open_cards, *cards_known))), chance)
    places = {before_seat(other): cards for other, cards in enumerate(state.lost) if cards}
    for other in state.alive:
        held = known.get(other, ())
        count = state.influence(other) - len(held)
        places[hand_of(other)] = (*held, *pool[:count])
        del pool[:count]
    return {**places, PILE: tuple(pool)}


def _shuffled(cards: list[str], chance: Chance) -> list[str]:
    for place in range(len(cards) - 1, 0, -1):
        other = int(chance.random() * (place + 1))
        cards[place], cards[other] = cards[other], cards[place]
    return cards
