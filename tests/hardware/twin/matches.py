"""Whole matches on the simulated table, played by bots or at random."""

from collections.abc import Iterator
from random import Random

from hardware.twin import tabletop
from hardware.twin.bots import answer_for_table, bot_action
from hardware.twin.dealer import DealtMatch, Truth, follow_rulings, step
from referee.contract import Answer, Refusal, Show, Zone
from referee.match import Match, hear


def expect_accepted(table: DealtMatch | Refusal) -> DealtMatch:
    """Expect an answer to be accepted."""
    assert not isinstance(table, Refusal), table
    return table


def play_honestly(table: DealtMatch, rng: Random) -> DealtMatch:
    """Play a match to its end, with true answers about the cards."""
    while table.match.asks:
        table = expect_accepted(step(table, rng))
    return table


def moments_by_bots(table: DealtMatch, rng: Random) -> Iterator[tuple[DealtMatch, Answer]]:
    """Let bots play at all seats; yield each moment and what they answer."""
    while table.match.asks:
        truth, answer = answer_by_bots(table, rng)
        yield table, answer
        after = hear(table.match, answer)
        assert isinstance(after, Match), (after, answer, table.match.asks)
        table = DealtMatch(after, follow_rulings(truth, after, rng))


def answer_by_bots(table: DealtMatch, rng: Random) -> tuple[Truth, Answer]:
    """Let one bot do what it chooses, or all of them answer for the table."""
    match, seats = table.match, len(table.match.setup.names)
    ask = next((ask for ask in match.asks if isinstance(ask, Show)), None)
    choices = (
        (seat, bot_action(match, seat, tabletop.known_cards(table.truth, seat), rng)) for seat in range(seats)
    )
    actions = [
        (seat, action) for seat, action in choices if action is not None and (action.answer or action.lays)
    ]
    actions.sort(key=lambda each: each[1].waits)
    if actions:
        seat, action = actions[0]
        truth = (
            tabletop.reorder_hand(table.truth, Zone("hand", seat), action.hand) if action.hand else table.truth
        )
        if action.answer is not None:
            return truth, action.answer
        assert ask is not None
        return truth, Answer(match.number, ask.key, action.lays, sense="camera")
    due = () if ask is None else tabletop.cards_due(match, table.truth, ask, frozenset(range(seats)))
    if ask is not None and due:
        return table.truth, Answer(match.number, ask.key, tuple(face for _zone, face in due), sense="camera")
    together = answer_for_table(match, table.truth, rng)
    assert together is not None, match.asks
    return table.truth, together


def shuffle_unseen(truth: Truth, seat: int | None, rng: Random) -> Truth:
    """Shuffle the cards whose faces a viewer doesn't see."""
    unseen = [zone for zone in truth if not tabletop.is_seen(zone, seat)]
    cards = [card for zone in unseen for card in truth[zone]]
    rng.shuffle(cards)
    dealt_out = iter(cards)
    return {
        zone: tuple(next(dealt_out) for _card in held) if zone in unseen else held
        for zone, held in truth.items()
    }
