"""Exact analysis of turns: the renown lost by an action, given the cards the hand certainly held.

A clan's score is its renown minus the best other clan's. All ways to play both actions with known cards are
tried: cards taken in public, or played later without a hidden draw in between. A line ends at another clan's
decision or at a draw. Raids on their way count nothing: counted as if they came home, they would be advised too
often, because many are repelled.
"""

from collections import Counter
from collections.abc import Iterator
from functools import partial

from referee.contract import Transition
from referee.contract.asks import Answer, Choice, Option, Show
from referee.contract.coaching import HeardAnswer, Judgement, Laboratory, Line
from referee.games.plenty_coups.hands import SPENT, hand, is_fair, moves
from referee.games.plenty_coups.rules import asks, final, hear
from referee.games.plenty_coups.state import Acting, Deed, Gifting, Hunting, Proving, Returning, State
from referee.kit.answers import seat_named
from referee.kit.coaching import TurnTree, best_turn, cards_held, lead_of, weigh_turn

OWN = (Returning, Acting, Deed)
"""Stages decided by the clan in turn, without chance."""
MOST_TRIED = 500  # maximum number of lines per decision; decisions with more are not judged

Node = tuple[State, tuple[str, ...]]
"""State of the game, and the cards the clan in turn certainly holds."""


def judge_decisions(line: Line, _laboratory: Laboratory) -> tuple[Judgement, ...]:
    """Judge the decisions of all turns, except those of a clan shared by two players."""
    players = line[0].state.players if line else 0
    shown = [cards_held(line, moves, hand(line[0].state, seat)) for seat in range(players)]
    found: list[Judgement | None] = []
    for place, heard in enumerate(line):
        stage = heard.state.stage
        if isinstance(stage, Returning | Acting) and stage.turn.seat < players:
            seat = stage.turn.seat
            known: tuple[str, ...] = heard.state.clans[seat].known
            found.append(_judge(heard, seat, Counter(shown[seat][place]) | Counter(known)))
    return tuple(judgement for judgement in found if judgement is not None)


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


def _answers(state: State, held: tuple[str, ...]) -> Iterator[Answer]:
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


def _spent(answer: Answer) -> tuple[str, ...]:
    word = answer.value.word if isinstance(answer.value, Option) else ""
    return (SPENT[word],) if word in SPENT else ()


def _judge(heard: HeardAnswer, seat: int, held: Counter[str]) -> Judgement | None:
    """Compare a decision with the best certain alternative; None if there are too many lines."""
    if isinstance(heard.after.stage, Hunting | Gifting | Proving):
        # a draw or another clan's decision comes before the rest of the turn
        return None
    tree = turn_tree(seat)
    own = tuple((held | Counter(_spent(heard.answer))).elements())
    left, worths = MOST_TRIED, list[tuple[float, bool, Answer]]()
    for answer, after in tree.moves((heard.state, own)):
        found = best_turn(tree, after, left)
        left -= found.tried
        if left <= 0 or not found.is_exact:
            return None
        worths.append((found.worth, answer.value == heard.answer.value, answer))
    chosen = [worth for worth, is_chosen, _answer in worths if is_chosen]
    if not chosen:
        return None
    best, _is_chosen, better = max(worths, key=lambda way: way[:2])
    action = better.value.word if isinstance(better.value, Option) else ""
    before = lead(heard.state, seat)
    return weigh_turn(heard, seat, before, chosen[0], (best, better.value), action=action)
