"""Analysis of turns: the renown a turn could bring, and other actions that bring more by the end of the match.

A clan's lead is its renown minus the best other clan's. What the chosen action could bring within its turn is
exact, given the cards the hand certainly held: cards taken in public, or played later without a hidden draw in
between. This alone is no measure of an action: raids come home a turn later, horses are stolen again, and no
clan has a fifth marker. So the last decisions of each clan are compared with other actions by playing on to the
end of the match, with hidden cards dealt anew. Earlier ones aren't: too much happens after them.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial

from msgspec import Struct
from msgspec.structs import replace

from referee.contract import CENTRE, DISCARD, PILE, Transition, Zone, before_seat
from referee.contract.asks import Answer, Choice, Option, Show
from referee.contract.cards import expand_counts, without
from referee.contract.coaching import Chance, HeardAnswer, Judgement, Kind, Laboratory, Line, make_remark
from referee.games.plenty_coups.effects import camp, herd, taunts
from referee.games.plenty_coups.hands import SPENT, hand, is_fair, moves
from referee.games.plenty_coups.rules import asks, final, hear
from referee.games.plenty_coups.state import STAFF, Acting, Deed, Gifting, Hunting, Proving, Returning, State
from referee.kit.answers import option_said, seat_named
from referee.kit.coaching import (
    Contest,
    Gain,
    TurnTree,
    best_gains,
    best_turn,
    cards_held,
    contest_of,
    lead_of,
    shuffled,
)

OWN = (Returning, Acting, Deed)
"""Stages decided by the clan in turn, without chance."""
MOST_TRIED = 500  # maximum number of lines per decision; decisions with more are not judged
WEIGHED = 3
"""Number of a clan's last decisions that are played on: those of winter."""
DEALS, MORE_DEALS = 3, 14
"""Number of deals that choose a promising action among all others, and of those that measure its gain."""
SPREAD = 0.6
"""Standard deviation of true gains in renown, measured in 93 matches of bots."""
LEAST = 0.1  # smallest gain in renown that is mentioned
HARMFUL = frozenset({"raid", "double-raid", "taunt"})
"""Actions that are compared against the leading other clan; others with the one that is last."""

Cards = tuple[str, ...]
Node = tuple[State, Cards]
"""State of the game, and the cards the clan in turn certainly holds."""


class Decision(Struct, frozen=True):
    """A decision of a clan in its turn, the cards it certainly held, and the best lead after the turn."""

    heard: HeardAnswer
    seat: int
    held: Cards
    worth: float

    @property
    def others(self) -> tuple[Option, ...]:
        """Other actions that these cards allow, each against one clan."""
        state, chosen, found = self.heard.state, self.heard.answer.value, dict[str, Option]()
        renown = {other: final(state, other).total for other in range(len(state.clans))}
        places = {hand(state, self.seat): self.held}
        for option in (option for ask in self.heard.asks if isinstance(ask, Choice) for option in ask.options):
            if option == chosen or not is_fair(state, replace(self.heard.answer, value=option), places):
                continue
            against = found.setdefault(option.word, option)
            if option.seat is not None and against.seat is not None:
                is_more = renown[option.seat] > renown[against.seat]
                is_less = renown[option.seat] < renown[against.seat]
                if is_more if option.word in HARMFUL else is_less:
                    found[option.word] = option
        return tuple(found.values())


def judge_decisions(line: Line, laboratory: Laboratory) -> tuple[Judgement, ...]:
    """Judge the decisions of all turns, except those of a clan shared by two players."""
    decisions = tuple(_decisions(line))
    weighed = [
        each for seat in {each.seat for each in decisions} for each in telling_decisions(decisions, seat)
    ]
    gains = best_gains([_contest(each, laboratory) for each in weighed], DEALS, MORE_DEALS, SPREAD)
    best = {each.heard.moment: gain for each, gain in zip(weighed, gains, strict=True)}
    return tuple(
        _with_gain(each, best[each.heard.moment]) if each.heard.moment in best else _judgement(each)
        for each in decisions
    )


def telling_decisions(decisions: Sequence[Decision], seat: int) -> Sequence[Decision]:
    """Return the last decisions of a clan that have alternatives."""
    return [each for each in decisions if each.seat == seat and each.others][-WEIGHED:]


def _decisions(line: Line) -> Iterator[Decision]:
    players = line[0].state.players if line else 0
    shown = [cards_held(line, moves, hand(line[0].state, seat)) for seat in range(players)]
    for place, heard in enumerate(line):
        stage = heard.state.stage
        if not isinstance(stage, Returning | Acting) or stage.turn.seat >= players:
            continue
        seat = stage.turn.seat
        taken: Cards = heard.state.clans[seat].known
        held = Counter(shown[seat][place]) | Counter(taken) | Counter(_spent(heard.answer))
        own = tuple(sorted(held.elements()))
        if not is_fair(heard.state, heard.answer, {hand(heard.state, seat): own}):
            # it was played with a card that never became known
            continue
        found = best_turn(turn_tree(seat), _after((heard.state, own), heard.answer), MOST_TRIED)
        if found.is_exact:
            yield Decision(heard, seat, own, found.worth)


def _judgement(decision: Decision) -> Judgement:
    heard, seat, worth = decision.heard, decision.seat, decision.worth
    action = option_said(heard.answer).word
    if isinstance(heard.after.stage, Hunting | Gifting | Proving):
        remark = make_remark("coach-turn-open", seat=seat, action=action)
    else:
        remark = make_remark("coach-turn", seat=seat, action=action, gain=int(worth) - lead(heard.state, seat))
    return Judgement(heard.moment, seat, heard.answer.value, Kind.POINTS, worth, (remark,))


def _with_gain(decision: Decision, gain: Gain | None) -> Judgement:
    """Describe a decision with the gain of a better action, if there is one."""
    judgement = _judgement(decision)
    if gain is None or not gain.is_certain or gain.mean < LEAST or not isinstance(gain.value, Option):
        return replace(judgement, best=judgement.worth)
    key = "coach-rather" if gain.value.seat is None else "coach-rather-against"
    action = {
        "chosen": option_said(decision.heard.answer).word,
        "action": gain.value.word,
        "target": gain.value.seat,
    }
    told = make_remark(key, seat=judgement.seat, **action, gain=gain.mean, margin=gain.margin)
    return replace(judgement, best=judgement.worth + gain.mean, better=gain.value, remarks=(told,))


# The best turn with known cards.


def lead(state: State, seat: int) -> int:
    return lead_of([final(state, other).total for other in range(len(state.clans))], seat)


def turn_tree(seat: int) -> TurnTree[Node]:
    return TurnTree(partial(_moves, seat), lambda node: float(lead(node[0], seat)))


def _moves(seat: int, node: Node) -> Iterator[tuple[Answer, Node]]:
    state, held = node
    turn = state.turn
    if not isinstance(state.stage, OWN) or turn is None or turn.seat != seat:
        return
    places = {hand(state, seat): held}
    for answer in _answers(state, held):
        if is_fair(state, answer, places):
            yield answer, _after(node, answer)


def _answers(state: State, held: Cards) -> Iterator[Answer]:
    for ask in asks(state):
        if isinstance(ask, Choice):
            yield from (Answer(0, ask.key, option, ask.seats[0]) for option in ask.options)
        elif isinstance(ask, Show):
            cards = (card for card in sorted(set(held)) if ask.among.get(card, 0) > 0)
            yield from (Answer(0, ask.key, (card,), ask.seats[0]) for card in cards)


def _after(node: Node, answer: Answer) -> Node:
    """Apply an answer and remove its cards from the hand."""
    state, held = node
    after = _at_turn_over(hear(state, answer))
    if isinstance(after.stage, Deed):
        return after, held
    laid = state.stage.laid if isinstance(state.stage, Deed) else ()
    last = answer.value if isinstance(answer.value, tuple) else _spent(answer)
    return after, tuple((Counter(held) - Counter((*laid, *last))).elements())


def _at_turn_over(heard: Transition) -> State:
    """Return horses brought home by the next clan's raids, which don't belong to this turn."""
    state: State = heard.state
    is_over = False
    for ruling in heard.rulings:
        is_over = is_over or ruling.key == "turn-over"
        if is_over and ruling.key == "takes-horse":
            state = state.with_horses(seat_named(ruling), -1).with_horses(seat_named(ruling, "target"), 1)
    return state


def _spent(answer: Answer) -> Cards:
    word = answer.value.word if isinstance(answer.value, Option) else ""
    return (SPENT[word],) if word in SPENT else ()


# Playing on: the lead at the end of the match.


def _contest(decision: Decision, laboratory: Laboratory) -> Contest:
    """Compare an action with others by the lead at the end of the match."""
    state, seat, held = decision.heard.state, decision.seat, decision.held
    return contest_of(
        decision.heard,
        decision.others,
        laboratory,
        lambda chance: deal_hidden(state, seat, held, chance),
        lambda _state: False,
        lambda end: lead(end, seat),
    )


def deal_hidden(state: State, seat: int, held: Cards, chance: Chance) -> dict[Zone, Cards]:
    """Deal all cards that a clan can't know; every hand keeps the cards that it took in public."""
    extra = tuple((Counter(held) - Counter(state.clans[state.holder(seat)].known)).elements())
    pool = shuffled(expand_counts(without(state.unseen_cards, extra)), chance)
    places = _open_places(state)
    for who in sorted({state.holder(other) for other in range(len(state.clans))}):
        known = held if who == state.holder(seat) else state.clans[who].known
        count = max(0, state.clans[who].cards - len(known))
        places[hand(state, who)] = (*known, *pool[:count])
        del pool[:count]
    return {**places, PILE: tuple(pool)}


def _open_places(state: State) -> dict[Zone, Cards]:
    """Return the places of all cards that lie face up."""
    lying = [(before_seat(raid.target), raid.riders) for raid in state.raids]
    lying += [(herd(proposal.seat), (proposal.card,)) for proposal in state.proposals]
    lying += [(camp(seat), (clan.bond,)) for seat, clan in enumerate(state.clans) if clan.bond]
    lying += [(taunts(seat), (STAFF,)) for seat, clan in enumerate(state.clans) if clan.is_taunted]
    places: dict[Zone, Cards] = {CENTRE: state.display, DISCARD: state.discard}
    for zone, cards in lying:
        # a clan may have several proposals beside its herd
        places[zone] = (*places.get(zone, ()), *cards)
    return places
