"""What an action gave away: the renown of one turn, with the cards that the hand held for certain; exact.

Points are a clan's renown, less the best of the others'. Every way is tried to play both actions with cards
that are known to have been in the hand: all saw them being taken, or they were laid later with no card drawn
unseen in between. What another clan does, and what is drawn, ends a way.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import partial

from referee.contract import (
    Answer,
    Choice,
    HeardAnswer,
    Judgement,
    Kind,
    Laboratory,
    Line,
    Option,
    Show,
    Weighed,
    Zone,
    make_remark,
    weigh_choice,
)
from referee.games.plenty_coups.hands import SPENT, hand, is_fair, moves
from referee.games.plenty_coups.rules import asks, hear
from referee.games.plenty_coups.score import final
from referee.games.plenty_coups.state import Acting, Deed, Gifting, Hunting, Proving, Returning, State, turn_of
from referee.kit.held_cards import cards_held
from referee.kit.turn_search import TurnTree, best_turn

OWN = (Returning, Acting, Deed)
"""Stages in which the clan in turn decides, and nothing is left to chance."""
MOST_TRIED = 500
"""Ways that are tried for a decision; where there are more, it isn't judged."""

Node = tuple[State, tuple[str, ...]]
"""Where the game stands, and the cards that the clan in turn holds for certain."""


def judge_decisions(line: Line, _laboratory: Laboratory) -> tuple[Judgement, ...]:
    """Judge what was chosen in turns; a clan that two players share isn't judged."""
    held = _cards_held(line)
    found = (
        _judge(heard, held[turn.seat][place])
        for place, heard in enumerate(line)
        if isinstance(heard.state.stage, Returning | Acting)
        and (turn := turn_of(heard.state)) is not None
        and turn.seat < heard.state.players
    )
    return tuple(judgement for judgement in found if judgement is not None)


def _cards_held(line: Line) -> Mapping[int, Sequence[tuple[str, ...]]]:
    """Tell what each player's hand held for certain before each answer, as seen before or shown later."""
    seats = range(line[0].state.players) if line else range(0)
    later = {seat: cards_held(line, moves, partial(_hand_of, seat)) for seat in seats}
    return {
        seat: [
            _either(cards, heard.state.clans[seat].known)
            for cards, heard in zip(later[seat], line, strict=True)
        ]
        for seat in seats
    }


def _either(cards: tuple[str, ...], others: tuple[str, ...]) -> tuple[str, ...]:
    both: Counter[str] = Counter(cards) | Counter(others)
    return tuple(both.elements())


def _hand_of(seat: int, heard: HeardAnswer) -> Zone:
    return hand(heard.state, seat)


def lead(state: State, seat: int) -> int:
    """Tell how much renown a clan has more than the best of the others, or less."""
    renown = [final(state, other).total for other in range(len(state.clans))]
    return renown[seat] - max(renown[:seat] + renown[seat + 1 :])


def turn_tree(seat: int) -> TurnTree[Node]:
    """Give a clan's turn as a tree."""
    return TurnTree(partial(_moves, seat), lambda node: float(lead(node[0], seat)))


def _moves(seat: int, node: Node) -> Iterator[tuple[Answer, Node]]:
    """List what the clan may do with the cards that it holds, with where it leads."""
    state, held = node
    turn = turn_of(state)
    if not isinstance(state.stage, OWN) or turn is None or turn.seat != seat:
        return
    places = {hand(state, seat): held}
    for answer in _answers(state, held):
        if is_fair(state, answer, places):
            yield answer, _after(node, answer)


def _answers(state: State, held: tuple[str, ...]) -> Iterator[Answer]:
    for ask in asks(state):
        if isinstance(ask, Choice):
            yield from (Answer(0, ask.key, option, ask.seats[0]) for option in ask.options)
        elif isinstance(ask, Show):
            cards = (card for card in sorted(set(held)) if ask.among.get(card, 0) > 0)
            yield from (Answer(0, ask.key, (card,), ask.seats[0]) for card in cards)


def _after(node: Node, answer: Answer) -> Node:
    """Do it, and take the cards that it costs out of the hand."""
    state, held = node
    after = hear(state, answer).state
    laid = state.stage.laid if isinstance(state.stage, Deed) else ()
    if isinstance(after.stage, Deed):
        return after, held
    spent = (*laid, *(answer.value if isinstance(answer.value, tuple) else ()))
    word = answer.value.word if isinstance(answer.value, Option) else ""
    spent = (SPENT[word],) if word in SPENT else spent
    return after, tuple((Counter(held) - Counter(spent)).elements())


def _judge(heard: HeardAnswer, held: tuple[str, ...]) -> Judgement | None:
    """Set what was chosen against the best that was possible for certain; None if there are too many ways."""
    turn = turn_of(heard.state)
    seat = -1 if turn is None else turn.seat
    if isinstance(heard.after.stage, Hunting | Gifting | Proving):
        # what is drawn, or what another clan does, comes between it and the rest of the turn
        return None
    tree, own = turn_tree(seat), _with_chosen(heard, held)
    ways = list(tree.moves((heard.state, own)))
    left, worths = MOST_TRIED, dict[int, float]()
    for place, (_answer, after) in enumerate(ways):
        found = best_turn(tree, after, left)
        left -= found.tried
        if left <= 0 or not found.is_exact:
            return None
        worths[place] = found.worth
    chosen = next((place for place, way in enumerate(ways) if way[0].value == heard.answer.value), None)
    if chosen is None:
        return None
    best = max(worths, key=lambda place: (worths[place], place == chosen))
    return _judgement(heard, seat, worths[chosen], worths[best], ways[best][0])


def _with_chosen(heard: HeardAnswer, held: tuple[str, ...]) -> tuple[str, ...]:
    """Add the card that was spent on what was chosen, which the hand must have held."""
    word = heard.answer.value.word if isinstance(heard.answer.value, Option) else ""
    spent = Counter([SPENT[word]]) if word in SPENT else Counter[str]()
    return tuple((Counter(held) | spent).elements())


def _judgement(heard: HeardAnswer, seat: int, worth: float, best: float, better: Answer) -> Judgement:
    before = lead(heard.state, seat)
    said = make_remark("coach-turn", seat=seat, gain=int(worth) - before)
    option = better.value if isinstance(better.value, Option) else Option("")
    rather = make_remark("coach-turn-best", action=option.word, gain=int(best) - before, lost=int(best - worth))
    chosen = Weighed(worth, heard.answer.value, said)
    return weigh_choice(heard, seat, Kind.POINTS, chosen, Weighed(best, better.value, rather))
