"""A match that is over, compared with the second scorer's tale of it."""

from referee.contract import Answer
from referee.games.plenty_coups import PLENTY_COUPS
from referee.match import Match, standing_answers
from tests.referee.games.plenty_coups.second_scorer import Tale


def answers_of(match: Match) -> list[Answer]:
    """List the answers of a match."""
    return [step.answer for step in standing_answers(match)]


def compare_with_tale(match: Match) -> None:
    """Compare a match that is over with the tale of it."""
    state = match.state
    tale = Tale(state.players, state.house, answers_of(match))
    rows = [(clan.colour, clan.herd, clan.feats, clan.bond) for clan in state.clans]
    assert [(tribe.colour, tribe.horses, tribe.prestige, tribe.behind) for tribe in tale.tribes] == rows
    stands = {each.seat: (each.place, each.counts["renown"]) for each in PLENTY_COUPS.standings(state)}
    assert {seat: (tale.end.ranks[seat], tale.end.total(seat)) for seat in stands} == stands
    assert match.outcome is not None
    assert match.outcome.winners == tale.end.winners
