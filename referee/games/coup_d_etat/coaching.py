"""Exact analysis of tricks: the probability of winning one, and the value of its cards, from public knowledge.

A seat's own hand consists of the cards it laid from then on; decisions with a hand that never became known are
not judged. A card takes the trick if no later player holds a higher card of its suit. All distributions of the
unseen cards are equally likely, except that a seat holds no card of a suit it denied.

All players are judged under a contract of the President; in a coup, its player is, in tricks with cards that
the coup needs. A President who takes cards pays nothing, but misses the income of a trick. Alternatives in a
coup are compared only if the trick decides it: otherwise a card saved for a later trick may be worth more.
Under a contract of the President, bots play on with the most promising alternatives; so secret coups count.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from referee.contract import CENTRE, DISCARD, Answer, HeardAnswer, Zone, hand_of, weigh_choice
from referee.contract.coaching import Chance, Judgement, Kind, Laboratory, Line, Weighed, make_remark
from referee.games.coup_d_etat.hands import is_fair, moves, trick_pile
from referee.games.coup_d_etat.state import (
    CARDS,
    COUP,
    FAILURE,
    HAND,
    ORDER,
    PRICES,
    STRENGTH,
    SUIT,
    Dealt,
    Playing,
    State,
)
from referee.games.coup_d_etat.tricks import Haul, count_items, haul, needs_every_trick, whole_haul
from referee.kit.coaching import Contest, Gain, best_gains, cards_held, contest_of, ways_to_deal
from referee.kit.french_cards import SUITS
from referee.kit.tricks import suits_denied, taker_of

WEIGHED = 4  # number of a seat's decisions that are played on
DEALS, MORE_DEALS = 8, 24
"""Number of deals that choose a promising card among the alternatives, and of those that measure its gain."""
SPREAD = 265.0  # standard deviation of true gains, in francs (15 matches of bots)
TRIES = 60  # attempts to deal hands that are consistent with the denials


class Choice(Struct, frozen=True):
    """A possible card: the probability that it wins the trick, and its expected value."""

    card: str
    chance: float
    stake: int  # value of the trick with this card; in a coup, the amount at risk
    worth: float  # expected value in francs


class Decision(Struct, frozen=True):
    """A card laid with an alternative, and the seat's hand."""

    heard: HeardAnswer
    seat: int
    own: tuple[str, ...]
    choices: tuple[Choice, ...]
    chosen: Choice

    @property
    def is_coup(self) -> bool:
        return bool(self.heard.state.stage.deal.claimant == self.seat)

    @property
    def hope(self) -> float:
        """Worth of the best card above that of the chosen one, in this trick alone."""
        return max(choice.worth for choice in self.choices) - self.chosen.worth


def judge_decisions(line: Line, laboratory: Laboratory) -> tuple[Judgement, ...]:
    """Judge all cards laid in tricks with an alternative."""
    seats = range(len(line[0].state.money)) if line else range(0)
    held = {seat: cards_held(line, moves, hand_of(seat)) for seat in seats}
    decisions = tuple(_decisions(line, held))
    weighed = [each for seat in seats for each in telling_decisions(decisions, seat)]
    gains = best_gains([_contest(each, laboratory) for each in weighed], DEALS, MORE_DEALS, SPREAD)
    best = {each.heard.moment: gain for each, gain in zip(weighed, gains, strict=True)}
    return tuple(
        _with_gain(_judgement(each), each, best[each.heard.moment])
        if each.heard.moment in best
        else _judgement(each)
        for each in decisions
    )


def telling_decisions(decisions: Sequence[Decision], seat: int) -> Sequence[Decision]:
    """Return the decisions of a seat in which another card promises most; these are played on."""
    own = [each for each in decisions if each.seat == seat and not each.is_coup]
    return sorted(own, key=lambda each: (-each.hope, -each.chosen.stake, each.heard.moment))[:WEIGHED]


def _decisions(line: Line, held: dict[int, Sequence[tuple[str, ...]]]) -> Iterator[Decision]:
    for place, heard in enumerate(line):
        state, playing = heard.state, heard.state.stage
        if not isinstance(playing, Playing) or heard.answer.ask != "card":
            continue
        seat = state.next_to_play(playing)
        own, is_coup = held[seat][place], playing.deal.claimant == seat
        if len(own) != HAND - len(playing.tricks) or not (is_coup or playing.deal.claimant is None):
            continue
        choices = tuple(_choices(state, playing, seat, own))
        chosen = next((choice for choice in choices if heard.answer.value == (choice.card,)), None)
        # an illegal card has no fair alternative to compare with
        if chosen is None or len(choices) < 2 or (is_coup and not chosen.stake):
            continue
        if ways(state, playing, own):
            yield Decision(heard, seat, own, choices, chosen)


def _judgement(decision: Decision) -> Judgement:
    """Describe a decision; a trick that decides a coup is compared with the best card."""
    heard, seat, chosen, choices = decision.heard, decision.seat, decision.chosen, decision.choices
    remark = make_remark(
        _key(chosen, decision.is_coup), seat=seat, card=chosen.card, chance=chosen.chance, stake=chosen.stake
    )
    playing = heard.state.stage
    if not decision.is_coup or not all(is_decided(heard.state, playing, each.card) for each in choices):
        return Judgement(heard.moment, seat, heard.answer.value, Kind.POINTS, chosen.worth, (remark,))
    best = max(choices, key=lambda choice: (choice.worth, choice == chosen))
    lost = round(best.worth - chosen.worth)
    rather = make_remark("coach-rather-card", card=best.card, chance=best.chance, stake=best.stake, lost=lost)
    weighed = Weighed(chosen.worth, heard.answer.value, remark)
    return weigh_choice(heard, seat, Kind.POINTS, weighed, Weighed(best.worth, (best.card,), rather))


# Playing on: some decisions are compared by the money that each card brings until the end of the deal.


def _with_gain(judgement: Judgement, decision: Decision, gain: Gain | None) -> Judgement:
    """Add the gain of a better card, if there is one."""
    if gain is None or not gain.is_certain or round(gain.mean) < 1:
        return replace(judgement, best=judgement.worth)
    told = make_remark(
        "coach-played-on-card",
        seat=decision.seat,
        card=next(each.card for each in decision.choices if (each.card,) == gain.value),
        instead=decision.chosen.card,
        gain=round(gain.mean),
        margin=round(gain.margin),
    )
    best = judgement.worth + gain.mean
    return replace(judgement, best=best, better=gain.value, remarks=(told,))


def _contest(decision: Decision, laboratory: Laboratory) -> Contest:
    """Compare a card with others by the money at the end of the deal, with hidden hands dealt anew."""
    state, seat = decision.heard.state, decision.seat
    # the best card for the trick alone, and the highest and the lowest ones
    others = [choice for choice in decision.choices if choice.card != decision.chosen.card]
    best = max(others, key=lambda choice: choice.worth).card
    cards = sorted([choice.card for choice in others], key=STRENGTH.__getitem__)
    return contest_of(
        decision.heard,
        tuple((card,) for card in dict.fromkeys((best, cards[-1], cards[0]))),
        laboratory,
        lambda chance: deal_hidden(state, state.stage, decision.own, chance),
        _is_over,
        lambda end: francs(end, seat),
    )


def _is_over(state: State) -> bool:
    return isinstance(state.stage, Dealt)


def francs(state: State, seat: int) -> float:
    """Return a seat's money without loans, as if they were given back at once."""
    lent = sum(loan.amount for loan in state.loans if loan.lender == seat)
    borrowed = sum(loan.amount for loan in state.loans if loan.borrower == seat)
    return float(state.money[seat] + lent - borrowed)


def deal_hidden(
    state: State, playing: Playing, own: tuple[str, ...], chance: Chance
) -> Mapping[Zone, tuple[str, ...]]:
    """Deal the cards unknown to the next player at random, as far as the denied suits allow."""
    places = {DISCARD: (COUP,), CENTRE: playing.cards, hand_of(state.next_to_play(playing)): own}
    for winner in range(len(state.money)):
        won = [card for trick in playing.tricks if trick.winner == winner for card in trick.cards]
        places[trick_pile(winner)] = tuple(won)
    left, unseen = _cards_left(state, playing), _unseen(state, playing, own)
    denied = {other: suits_denied(playing.denials, other) for other in left}
    owners = {card: tuple([other for other in left if SUIT[card] not in denied[other]]) for card in unseen}
    tries = (_deal_once(left, owners, chance) for _try in range(TRIES))
    hands = next(filter(None, tries), None) or _deal_once(left, dict.fromkeys(unseen, tuple(left)), chance)
    return places | {hand_of(other): tuple(cards) for other, cards in hands.items()}


def _deal_once(
    left: Mapping[int, int], owners: Mapping[str, tuple[int, ...]], chance: Chance
) -> Mapping[int, list[str]]:
    """Deal cards with few possible owners first; empty if a card finds no place."""
    order = {card: (len(each), chance.random()) for card, each in owners.items()}
    hands = {other: list[str]() for other in left}
    for card in sorted(owners, key=order.__getitem__):
        room = [other for other in owners[card] for _place in range(left[other] - len(hands[other]))]
        if not room:
            return {}
        hands[room[int(chance.random() * len(room))]].append(card)
    return hands


def _choices(state: State, playing: Playing, seat: int, own: tuple[str, ...]) -> Iterator[Choice]:
    for card in own:
        if is_fair(state, Answer(0, "card", (card,), seat), {hand_of(seat): own}):
            chance = chance_to_take(state, playing, own, card)
            stake = stake_of(state, playing, card)
            is_coup = playing.deal.claimant == seat
            yield Choice(card, chance, stake, -(1 - chance) * stake if is_coup else -chance * stake)


# Value of a trick.


def stake_of(state: State, playing: Playing, card: str) -> int:
    """Return the cost of taking a trick; in one's own coup, the cost of missing a needed card."""
    terms, seat, lies = playing.deal.terms, state.next_to_play(playing), _lying(playing, card)
    if playing.deal.claimant != seat:
        return sum(PRICES[item] * lies[item] for item in terms.items)
    is_needed = needs_every_trick(state.house, playing.deal) or any(lies[item] for item in terms.items)
    return FAILURE + terms.reward * (len(state.money) - 1) if is_needed and not is_lost(state, playing) else 0


def is_lost(state: State, playing: Playing) -> bool:
    """Return whether others have taken a card that the coup needs."""
    others = [seat for seat in range(len(state.money)) if seat != playing.deal.claimant]
    if needs_every_trick(state.house, playing.deal):
        return any(trick.winner in others for trick in playing.tricks)
    return any(haul(playing, seat)[item] for seat in others for item in playing.deal.terms.items)


def is_decided(state: State, playing: Playing, card: str) -> bool:
    """Return whether all cards the coup still needs are in this trick, with this card."""
    took, lies = haul(playing, state.next_to_play(playing)), _lying(playing, card)
    everything = whole_haul(len(state.money))
    has_all = all(took[item] + lies[item] == everything[item] for item in playing.deal.terms.items)
    return has_all and not needs_every_trick(state.house, playing.deal)


def _lying(playing: Playing, card: str) -> Haul:
    items = count_items((*playing.cards, card))
    return {**items, "first-trick": playing.number == 1, "last-trick": playing.number == HAND}


# Probability of winning a trick.


def chance_to_take(state: State, playing: Playing, own: tuple[str, ...], card: str) -> float:
    """Return the probability that no later player can beat a card, if it leads the trick now."""
    seats, seat, cards = len(state.money), state.next_to_play(playing), (*playing.cards, card)
    if taker_of(ORDER, playing.leader, cards, playing.suit or SUIT[card], seats) != seat:
        return 0.0
    to_come = frozenset((seat + step) % seats for step in range(1, seats - len(playing.cards)))
    if card == COUP or not to_come:
        return 1.0
    higher = frozenset(each for each in CARDS if SUIT[each] == SUIT[card] and STRENGTH[each] > STRENGTH[card])
    every = ways(state, playing, own)
    return ways(state, playing, own, higher, to_come) / every if every else 0.0


def _cards_left(state: State, playing: Playing) -> dict[int, int]:
    """Return the number of cards that each other seat holds."""
    seats, seat = len(state.money), state.next_to_play(playing)
    left = HAND - len(playing.tricks)
    cards = {other: left - ((other - playing.leader) % seats < len(playing.cards)) for other in range(seats)}
    return {other: count for other, count in cards.items() if other != seat}


def _unseen(state: State, playing: Playing, own: tuple[str, ...]) -> list[str]:
    """Return the cards that the next player hasn't seen."""
    seen = {*playing.seen, *own, COUP}
    return [card for card in state.deck.counts if card not in seen]


def ways(
    state: State,
    playing: Playing,
    own: tuple[str, ...],
    cards: frozenset[str] = frozenset(),
    without: frozenset[int] = frozenset(),
) -> int:
    """Return the number of distributions of the unseen cards in which some seats hold none of certain cards."""
    left = _cards_left(state, playing)
    if playing.deal.claimant in left and COUP not in playing.seen:
        left[playing.deal.claimant] -= 1
    unseen = _unseen(state, playing, own)
    room, kinds = (*left.values(), len(unseen) - sum(left.values())), Counter[frozenset[int]]()
    denied = [suits_denied(playing.denials, other) for other in left]
    places = {
        suit: frozenset([len(left), *(place for place, each in enumerate(denied) if suit not in each)])
        for suit in SUITS
    }
    barred = frozenset([place for place, other in enumerate(left) if other in without])
    for card in unseen:
        kinds[places[SUIT[card]] - barred if card in cards else places[SUIT[card]]] += 1
    return ways_to_deal(kinds, room)


def _key(chosen: Choice, is_coup: bool) -> str:
    if not chosen.chance:
        return "coach-card-lost"
    if is_coup:
        return "coach-card-coup"
    return "coach-card-sure" if chosen.chance == 1 else "coach-card"
