"""Analysis of challenges: the probability that a claim was true, and the value of challenging and passing.

Probabilities are exact: all possible hands of a player are enumerated, once ignoring claims and once assuming
an honest player who bluffs with a given rate. Values are shares of wins: hidden hands are dealt repeatedly and
plain bots play on. A seat's own cards are used, for that seat only, if they were revealed later;
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
from referee.kit.coaching import Contest, Gain, best_gains, cards_held, cards_seen, contest_of, shuffled

SAYS_NOTHING = 1.0  # bluff rate at which a claim carries no information
BLUFF = 0.12  # bluff rate of the plain bot, used in simulations and to model players
WEIGHED = 3
"""Number of a seat's decisions to simulate: those with the largest estimated loss."""
DEALS, MORE_DEALS = 8, 32
"""Number of deals that show whether the other answer is promising, and of those that measure its gain."""
SPREAD = 0.25
"""Standard deviation of true gains in shares of the win, measured in 55 matches of bots."""
LEAST = 0.02  # smallest gain that is mentioned
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
    weighed = [doubt for seat in {each.seat for each in doubts} for doubt in telling_doubts(doubts, seat)]
    gains = best_gains([_contest(each, laboratory) for each in weighed], DEALS, MORE_DEALS, SPREAD)
    best = {each.heard.moment: gain for each, gain in zip(weighed, gains, strict=True)}
    return tuple(
        _with_gain(_judgement(each), best[each.heard.moment]) if each.heard.moment in best else _judgement(each)
        for each in doubts
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
            honest = claim_chance(heard.state, window.deed, known, earlier, BLUFF)
            yield Doubt(heard, seat, known, claims, chance, honest)
        claims = claims_after(claims, heard.rulings)


def _judgement(doubt: Doubt) -> Judgement:
    deed: Deed = doubt.heard.state.stage.deed
    key = "coach-challenge" if doubt.heard.answer.value == CHALLENGE else "coach-pass"
    chances = {"chance": doubt.chance, "honest": doubt.honest}
    remark = make_remark(key, seat=doubt.seat, claimant=deed.claimant, face=deed.claimed, **chances)
    worth = doubt.honest if doubt.heard.answer.value == PASS else 1 - doubt.honest
    return Judgement(doubt.heard.moment, doubt.seat, doubt.heard.answer.value, Kind.CHANCE, worth, (remark,))


def _with_gain(judgement: Judgement, gain: Gain | None) -> Judgement:
    """Add the gain of the other answer, if it is certainly better."""
    judgement = replace(judgement, kind=Kind.WINS, best=judgement.worth)
    if gain is None or not gain.is_certain or gain.mean < LEAST:
        return judgement
    key = "coach-rather-pass" if gain.value == PASS else "coach-rather-challenge"
    told = make_remark(key, gain=round(100 * gain.mean), margin=round(100 * gain.margin))
    best, remarks = judgement.worth + gain.mean, (*judgement.remarks, told)
    return replace(judgement, best=best, better=gain.value, remarks=remarks)


def _contest(doubt: Doubt, laboratory: Laboratory) -> Contest:
    """Compare a challenge with a pass by the share of the win, with hidden hands dealt anew."""
    state, deed, seat = doubt.heard.state, doubt.heard.state.stage.deed, doubt.seat
    claimed = doubt.claims.get(deed.claimant, frozenset()) | {deed.claimed}
    claims = {**doubt.claims, deed.claimant: claimed}
    return contest_of(
        doubt.heard,
        (PASS if doubt.heard.answer.value == CHALLENGE else CHALLENGE,),
        laboratory,
        lambda chance: deal_hidden(state, seat, doubt.known, claims, BLUFF, chance),
        lambda _state: False,
        lambda end: win_share(end, seat),
    )


def win_share(state: State, seat: int) -> float:
    """Return a seat's share of the win; those still in share it if bots were stopped."""
    return 1 / len(state.alive) if seat in state.alive else 0.0


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
