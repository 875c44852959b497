"""The twin's dealer: tracks every card, and lays the requested ones, honestly by default."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from random import Random

from msgspec import UNSET, Struct
from msgspec.structs import replace

from hardware.twin.player import any_answer
from referee.contract import PILE, Answer, Ask, Choice, Done, Move, Number, Refusal, Show, Value, Zone
from referee.contract.cards import expand_counts, first_surplus_card
from referee.legal import ask_named
from referee.match import Correct, Match, hear, standing_answers

Truth = dict[Zone, tuple[str, ...]]  # position of every card; the last card of a place is on top


class DealtMatch(Struct, frozen=True):
    """A match, and the true positions of its cards."""

    match: Match
    truth: Truth


def deal_match(match: Match, rng: Random) -> DealtMatch:
    cards = expand_counts(match.setup.game.table.deck(match.state.house).counts)
    rng.shuffle(cards)
    return DealtMatch(match, follow_rulings({PILE: tuple(cards)}, match, rng))


def follow_rulings(truth: Truth, match: Match, rng: Random) -> Truth:
    for move in _moves(match):
        truth = _move_cards(truth, move, rng)
    return truth


def follow_as_told(truth: Truth, match: Match, rng: Random) -> Truth:
    """Apply the rulings, trusting people's answers about cards even if they are false."""
    return (truth, *_moved_as_told(truth, match, rng))[-1]


def _moved_as_told(truth: Truth, match: Match, rng: Random) -> Iterator[Truth]:
    for move in _moves(match):
        with suppress(ShortError):
            truth = _move_cards(_swap_as_told(truth, move), move, rng)
            yield truth


def is_told_falsely(truth: Truth, match: Match) -> bool:
    """Return whether some cards moved by a moment weren't at their supposed origin."""
    first = next((move for move in _moves(match) if move.faces), None)
    return first is not None and bool(Counter(first.faces) - Counter(truth.get(first.source, ())))


def follow_entry(truth: Truth, truths: Mapping[int, Truth], match: Match, rng: Random) -> tuple[Truth, ...]:
    """Apply a moment's moves one by one; a correction restores earlier positions from `truths`."""
    entry = match.entry
    if not isinstance(entry, Correct) or entry.heard_at not in truths:
        return tuple(_moved_as_told(truth, match, rng)) or (truth,)
    before = truths[entry.heard_at]
    after = [step for step in standing_answers(match) if step.heard_at >= entry.heard_at]
    if not after:
        # dropped, or superseded by a later correction, so that only the rulings remain
        return (before if entry.value is UNSET else follow_as_told(truth, match, rng),)
    for position in (*(step.before for step in after[1:]), match.position):
        before = follow_as_told(before, replace(match, position=position, rulings=position.rulings), rng)
    return (before,)


def _moves(match: Match) -> Iterator[Move]:
    return (move for ruling in match.rulings for move in match.setup.game.table.moves(match.state, ruling))


def _swap_as_told(truth: Truth, move: Move) -> Truth:
    """Exchange cards so that they are where a move expects them."""
    for face in (Counter(move.faces) - Counter(truth.get(move.source, ()))).elements():
        place = next((zone for zone, cards in truth.items() if zone != move.source and face in cards), None)
        others = Counter(truth.get(move.source, ())) - Counter(move.faces)
        if place is None or not others:
            continue
        other = next(others.elements())
        truth = _exchange_cards(truth, (place, face), (move.source, other))
    return truth


def _exchange_cards(truth: Truth, one: tuple[Zone, str], other: tuple[Zone, str]) -> Truth:
    exchanged = dict(truth)
    for (zone, old), (_zone, new) in ((one, other), (other, one)):
        place = truth[zone].index(old)
        exchanged[zone] = (*truth[zone][:place], new, *truth[zone][place + 1 :])
    return exchanged


def _move_cards(truth: Truth, move: Move, rng: Random) -> Truth:
    source = truth.get(move.source, ())
    count = len(source) if move.count is None else move.count
    if first_surplus_card(Counter(source), move.faces) is not None or count > len(source):
        raise ShortError(f"{move.source} has {source}, not {move.faces or count}")
    cards = move.faces or source[len(source) - count :]
    left = list(source)
    for card in reversed(cards):
        del left[len(left) - 1 - left[::-1].index(card)]
    after = {**truth, move.source: tuple(left)}
    target = [*after.get(move.target, ()), *cards]
    if move.shuffled:
        rng.shuffle(target)
    return {**after, move.target: tuple(target)}


class ShortError(Exception):
    """A game moves cards that aren't there: a fault in its `hands`."""


Lay = Callable[[DealtMatch, Show], tuple[tuple[str, ...], tuple[int, ...]]]
"""A function that lays requested cards; returns them, and their owners if all have one."""


def lay_honestly(dealt: DealtMatch, ask: Show) -> tuple[tuple[str, ...], tuple[int, ...]]:
    """Lay the true cards for an ask; none if a fair player has none to lay."""
    found = [(card, seat) for card, seat in cards_at_hand(dealt, ask) if is_fair_card(dealt, ask, card)]
    cards = tuple(card for card, _seat in found[: ask.count])
    owners = tuple(seat for _card, seat in found[: ask.count] if seat is not None)
    return cards, owners if len(owners) == len(cards) else ()


def cards_at_hand(dealt: DealtMatch, ask: Show) -> list[tuple[str, int | None]]:
    """Return the cards in an ask's places, from the top, with their owners."""
    found: list[tuple[str, int | None]] = []
    for zone in dealt.match.setup.game.table.sources(dealt.match.state, ask):
        cards = dealt.truth.get(zone, ())
        top = cards[-ask.count :] if zone == PILE else cards
        found += [(card, zone.seat) for card in reversed(top)]
    return found


def is_fair_card(dealt: DealtMatch, ask: Show, card: str) -> bool:
    return _is_fair(dealt, Answer(dealt.match.number, ask.key, (card,)))


def _is_fair(dealt: DealtMatch, answer: Answer) -> bool:
    return dealt.match.setup.game.play.is_fair(dealt.match.state, answer, dealt.truth)


def cards_to_choose(match: Match, ask: Ask, seat: int) -> tuple[int, int] | None:
    """Return the fewest and most cards that a seat chooses and gives away unseen with its answer, if any."""
    match ask:
        case Number():
            values: tuple[Value, ...] = (ask.least, ask.most)
        case Choice(options=(option,)):
            values = (option,)
        case Done():
            values = (None,)
        case _:
            return None
    counts = [_cards_given(match, ask, Answer(match.number, ask.key, value, seat)) for value in values]
    return (counts[0], counts[-1]) if counts[0] else None


def _cards_given(match: Match, ask: Ask, answer: Answer) -> int:
    """Return how many cards leave the seat's hand unseen once everybody asked has answered."""
    others = [seat for seat in ask.seats if seat != answer.seat] if isinstance(ask, Done) else []
    for seat in (*others, answer.seat):
        after = hear(match, replace(answer, moment=match.number, seat=seat))
        if isinstance(after, Refusal):
            return 0
        match = after
    own = [move for move in _moves(match) if move.source == Zone("hand", answer.seat) and not move.faces]
    return sum(move.count or 0 for move in own)


def answer_of(dealt: DealtMatch, rng: Random, lay: Lay = lay_honestly) -> Answer:
    """Answer an ask randomly but legally and fairly, with the true cards."""
    match = dealt.match
    while True:
        answer = any_answer(match.asks, match.number, rng)
        ask = ask_named(match.asks, answer.ask)
        if not isinstance(ask, Show):
            if _is_fair(dealt, answer):
                return answer
        elif len(match.asks) == 1 or lay_honestly(dealt, ask)[0]:
            cards, owners = lay(dealt, ask)
            return replace(answer, value=cards, owners=owners)


def step(dealt: DealtMatch, rng: Random, lay: Lay = lay_honestly) -> DealtMatch | Refusal:
    after = hear(dealt.match, answer_of(dealt, rng, lay))
    if isinstance(after, Refusal):
        return after
    return DealtMatch(after, follow_rulings(dealt.truth, after, rng))
