"""What should lie open on the table by now, as the rules have moved the cards; what is wanted next: pure."""

from collections import Counter

from referee.contract import Answer, Move, Refusal, Show, Zone
from referee.match import Match, Position, Step, hear

FAR_BACK = 100
"""Number of answers to look back at: cards laid earlier than that aren't expected any more."""


def expected_cards(match: Match, zone: Zone) -> "Counter[str]":
    """Count the cards that were seen laid in a zone since it was empty."""
    lying: Counter[str] = Counter()
    for move in _moves_since_empty(match, zone):
        if move.target == zone:
            lying.update(move.faces)
        else:
            lying.subtract(move.faces)
    return +lying


def _moves_since_empty(match: Match, zone: Zone) -> list[Move]:
    """List what hands did in a zone, first to last, since all cards went from it."""
    back: list[Move] = []
    position: Position | None = match.position
    for _answer in range(FAR_BACK):
        if position is None:
            break
        for move in _moves_at(match, position):
            if move.source == zone and move.count is None and not move.faces:
                return back[::-1]
            if zone in (move.source, move.target):
                back.append(move)
        position = position.before if isinstance(position, Step) else None
    return back[::-1]


def _moves_at(match: Match, position: Position) -> list[Move]:
    """List what an answer made hands do, last to first."""
    game = match.setup.game
    moves = [move for ruling in position.rulings for move in game.table.moves(position.state, ruling)]
    return moves[::-1]


def is_more_wanted(match: Match, answer: Answer, zone: Zone) -> bool:
    """Tell whether after an answer another card is wanted in the same zone: so it is within a trick."""
    after = hear(match, answer)
    if isinstance(after, Refusal):
        return False
    return any(isinstance(ask, Show) and ask.zone == zone for ask in after.asks)
