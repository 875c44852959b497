"""Bots that play on from a position: their next answers, and the laboratory for analyses."""

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any

from msgspec.structs import replace

from hardware.twin import dealer, tabletop
from hardware.twin.bots import BotAction, answer_for_table, bot_action
from hardware.twin.strengths import EVEN, Strength, Temper
from referee.contract import Answer, Refusal, Show, Zone
from referee.match import Match, Position, Setup, hear, without_answers

MOST_ANSWERS = 200
"""Maximum answers of a play-out; an unfinished one counts for the leaders."""


class StuckError(Exception):
    """Bots had no answer, or a refused one: a fault in a bot or in the rules."""


class BotLaboratory:
    """Plays out positions with the twin's bots, deterministically for a given seed."""

    def __init__(self, setup: Setup, seed: int) -> None:
        self._setup, self._seed = setup, seed
        self.answers = 0
        """Number of answers so far, as a measure of work."""

    def chance(self, moment: int) -> Random:
        return Random(f"{self._seed} {moment}")

    def play_until(
        self,
        state: object,
        places: Mapping[Zone, tuple[str, ...]],
        answer: Answer,
        is_over: Callable[[Any], bool],
        seed: float,
    ) -> Any:
        rng = Random(seed)
        game = self._setup.game
        position = Position(state, game.rules.asks(state), (), game.rules.outcome(state))
        match = Match(self._setup, position, (), answer.moment)
        table = next_table(dealer.DealtMatch(match, dict(places)), dict(places), answer, rng)
        for _answer in range(MOST_ANSWERS):
            if not table.match.asks or is_over(table.match.state):
                break
            self.answers += 1
            table = next_table(table, *answer_by_bots(table, rng), rng)
        return table.match.state


def next_table(table: dealer.DealtMatch, truth: dealer.Truth, answer: Answer, rng: Random) -> dealer.DealtMatch:
    """Apply an answer and move the cards; earlier moments are dropped to save memory."""
    after = hear(table.match, answer)
    if isinstance(after, Refusal):
        raise StuckError(f"{table.match.setup.game.name} refused a bot's answer: {answer}, {after}")
    after = replace(after, position=without_answers(after.position), before=None)
    return dealer.DealtMatch(after, dealer.follow_rulings(truth, after, rng))


def shares_of(match: Match) -> tuple[float, ...]:
    """Divide a win among the winners, or among the leaders of an unfinished match."""
    outcome, seats = match.outcome, range(len(match.setup.names))
    if outcome is not None:
        won: Sequence[int] = outcome.winners
    else:
        won = [each.seat for each in match.setup.game.rules.standings(match.state) if each.place == 1]
    return tuple(1 / len(won) if seat in won else 0.0 for seat in seats)


def answer_by_bots(
    table: dealer.DealtMatch, rng: Random, strengths: Sequence[Strength] = (), tempers: Sequence[Temper] = ()
) -> tuple[dealer.Truth, Answer]:
    """Return the truth and answer of the first bot that acts, or of all bots for the table.

    `strengths` and `tempers` are indexed by seat; missing ones are plain.
    """
    match = table.match
    found = _first_action(table, rng, strengths, tempers)
    ask = next((ask for ask in match.asks if isinstance(ask, Show)), None)
    if found is not None:
        (seat, action), truth = found, table.truth
        if action.hand:
            truth = tabletop.reorder_hand(truth, Zone("hand", seat), action.hand)
        key = "" if ask is None else ask.key
        return truth, action.answer or Answer(match.number, key, action.lays, sense="camera")
    everybody = frozenset(range(len(match.setup.names)))
    if ask is not None and (due := tabletop.cards_due(match, table.truth, ask, everybody)):
        return table.truth, Answer(match.number, ask.key, tuple(face for _zone, face in due), sense="camera")
    together = answer_for_table(match, table.truth, rng)
    if together is None:
        raise StuckError(f"no bot answers {match.asks}")
    return table.truth, together


def _first_action(
    table: dealer.DealtMatch, rng: Random, strengths: Sequence[Strength], tempers: Sequence[Temper]
) -> tuple[int, BotAction] | None:
    """Return the first seat's action, preferring bots that don't wait for others."""
    polite: tuple[int, BotAction] | None = None
    for seat in sorted({seat for ask in table.match.asks for seat in ask.seats}):
        known = tabletop.known_cards(table.match.setup.game, table.truth, seat)
        strength = strengths[seat] if seat < len(strengths) else "plain"
        temper = tempers[seat] if seat < len(tempers) else EVEN
        action = bot_action(table.match, seat, known, rng, strength, temper)
        if action is None or not (action.answer or action.lays):
            continue
        if not action.waits:
            return seat, action
        polite = polite or (seat, action)
    return polite
