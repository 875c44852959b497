"""A player who builds: completes canoes where possible, attacks, and so comes to what chance never does."""

from random import Random

from hardware.twin.dealer import DealtMatch, answer_of, follow_rulings
from referee.contract import Answer, Choice, Option
from referee.games.ogallala.placing import with_card_placed
from referee.games.ogallala.state import Placing, State, own_territory
from referee.games.ogallala.territory import canoe_at, is_complete
from referee.match import Match, hear


def answer_as_builder(table: DealtMatch, rng: Random, keen: float = 0.9) -> DealtMatch:
    answer = _clever(table.match, rng) if rng.random() < keen else None
    after = hear(table.match, answer or answer_of(table, rng))
    assert isinstance(after, Match), after
    return DealtMatch(after, follow_rulings(table.truth, after, rng))


def _clever(match: Match, rng: Random) -> Answer | None:
    for ask in match.asks:
        if isinstance(ask, Choice) and ask.key in {"place", "attack", "end"}:
            ranked = [(_worth(match.state, option), rng.random(), option) for option in ask.options]
            best = max(ranked, key=lambda each: each[:2])
            return Answer(match.number, ask.key, best[2], ask.seats[0])
    return None


def _worth(state: State, option: Option) -> float:
    """Prefer what completes a canoe, then what lies in a row that already has cards."""
    stage = state.stage
    if option.word in {"discard", "spare", "end"}:
        return -1
    if not isinstance(stage, Placing) or option.cell is None or option.word == "keep-aside":
        return 0
    canoe = canoe_at(with_card_placed(own_territory(state), option, stage.card), option.cell)
    is_whole = "" not in canoe.cards
    return 100 * is_complete(canoe) + 3 * is_whole + len(canoe.cards) * is_whole + (option.word != "put")
