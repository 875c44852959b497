"""Positions played on by bots: what they do next, and the laboratory for coaches."""

from collections.abc import Mapping, Sequence
from random import Random

from msgspec.structs import replace

from hardware.twin import tabletop
from hardware.twin.bots import BotAction, answer_for_table, bot_action
from hardware.twin.bots.tempers import EVEN, Temper
from hardware.twin.dealer import DealtMatch, Truth, answer_of, follow_rulings
from hardware.twin.strengths import Strength
from referee.contract import Answer, Refusal, Show, Zone
from referee.match import Match, Position, Setup, hear, without_answers

MOST_ANSWERS = 200
"""Answers of a position that is played on; one that isn't over then counts for the leaders."""


class StuckError(Exception):
    """Bots had nothing to say, or weren't understood: a fault in a bot or in the rules."""


class BotLaboratory:
    """Plays positions on with the twin's bots; its seed alone decides what comes of it."""

    def __init__(self, setup: Setup, seed: int) -> None:
        self._setup, self._seed = setup, seed
        self.answers = 0
        """Answers that were given so far: the work that was done."""

    def chance(self, moment: int) -> Random:
        """Give the source of chance for one moment."""
        return Random(f"{self._seed} {moment}")

    def play(
        self, state: object, places: Mapping[Zone, tuple[str, ...]], answer: Answer, players: str, seed: float
    ) -> tuple[float, ...]:
        """Give an answer, and let bots play on to the end; the winners share one win."""
        rng = Random(seed)
        game = self._setup.game
        match = Match(self._setup, Position(state, game.rules.asks(state), ()), (), answer.moment)
        table = next_table(DealtMatch(match, dict(places)), dict(places), answer, rng)
        for _answer in range(MOST_ANSWERS):
            if not table.match.asks:
                break
            self.answers += 1
            if players == "random":
                table = next_table(table, table.truth, answer_of(table, rng), rng)
            else:
                table = next_table(table, *answer_by_bots(table, rng), rng)
        return shares_of(table.match)


def next_table(table: DealtMatch, truth: Truth, answer: Answer, rng: Random) -> DealtMatch:
    """Hear an answer, and move the cards as it is ruled; the moments before it are let go of."""
    after = hear(table.match, answer)
    if isinstance(after, Refusal):
        raise StuckError(f"{table.match.setup.game.name} refused a bot's answer: {answer}, {after}")
    after = replace(after, position=without_answers(after.position), before=None)
    return DealtMatch(after, follow_rulings(truth, after, rng))


def shares_of(match: Match) -> tuple[float, ...]:
    """Share a win among the winners, or among the leaders of a match that isn't over."""
    outcome, seats = match.outcome, range(len(match.setup.names))
    if outcome is not None:
        won: Sequence[int] = outcome.winners
    else:
        won = [each.seat for each in match.setup.game.rules.standings(match.state) if each.place == 1]
    return tuple(1 / len(won) if seat in won else 0.0 for seat in seats)


def answer_by_bots(
    table: DealtMatch, rng: Random, strengths: Sequence[Strength] = (), tempers: Sequence[Temper] = ()
) -> tuple[Truth, Answer]:
    """Let the first bot that has something to do do it, or all of them answer for the table.

    Strengths and tempers are those of the seats, the first is that of seat 0; seats without one are plain bots.
    """
    match = table.match
    found = _first_action(table, rng, strengths, tempers)
    ask = next((ask for ask in match.asks if isinstance(ask, Show)), None)
    if found is not None:
        seat, action = found
        truth = (
            tabletop.reorder_hand(table.truth, Zone("hand", seat), action.hand) if action.hand else table.truth
        )
        key = "" if ask is None else ask.key
        return truth, action.answer or Answer(match.number, key, action.lays, sense="camera")
    due = (
        ()
        if ask is None
        else tabletop.cards_due(match, table.truth, ask, frozenset(range(len(match.setup.names))))
    )
    if ask is not None and due:
        return table.truth, Answer(match.number, ask.key, tuple(face for _zone, face in due), sense="camera")
    together = answer_for_table(match, table.truth, rng)
    if together is None:
        raise StuckError(f"no bot answers {match.asks}")
    return table.truth, together


def _first_action(
    table: DealtMatch, rng: Random, strengths: Sequence[Strength], tempers: Sequence[Temper]
) -> tuple[int, BotAction] | None:
    """Ask one seat after the other what it does; one that lets others speak first does."""
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
