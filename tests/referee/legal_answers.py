"""Legal answers, counted to a depth."""

from referee.contract import Refusal
from referee.legal_answers import legal_answers
from referee.match import Match, hear


def leaves(match: Match, depth: int, *, but: str = "") -> int:
    """Count the answers at a depth; where some ask stands, nothing is counted."""
    if but and any(ask.key == but for ask in match.asks):
        return 0
    if depth == 1:
        return sum(1 for _answer in legal_answers(match))
    total = 0
    for answer in legal_answers(match):
        after = hear(match, answer)
        assert not isinstance(after, Refusal)
        total += leaves(after, depth - 1, but=but)
    return total
