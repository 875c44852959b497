"""Cards that should lie on the table by the match's record; pure functions."""

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import lru_cache

from referee.contract import CENTRE, PROOF, Answer, Move, Show, Zone
from referee.legal import ask_named
from referee.match import Match, Position, Step, standing_answers

MAX_LOOKBACK = 100
"""Number of earlier answers to search; cards laid before that aren't expected any more."""
Faces = Counter[str]


def expected_cards(match: Match, zone: Zone) -> Faces:
    """Count the cards that were laid in a zone since it was empty."""
    return +_expected_by_zone(match).get(zone, Faces())


def expected_in_view(match: Match, but: Zone | None = None) -> Faces:
    """Count the cards that lie face up, apart from discards, which cover each other."""
    names = {CENTRE.name, PROOF.name, *match.setup.game.table.parting(len(match.setup.names)).parts}
    zones = _expected_by_zone(match).items()
    return sum((faces for zone, faces in zones if zone.name in names and zone != but), Faces())


def brought_cards(match: Match, ask: Show) -> Faces:
    """Count the cards that the record places in the ask's zone already, so that hands are to bring them."""
    is_brought = ask.zone in match.setup.game.table.sources(match.state, ask)
    return expected_cards(match, ask.zone) if is_brought else Faces()


@lru_cache(maxsize=1)
def _expected_by_zone(match: Match) -> Mapping[Zone, Faces]:
    lying = dict[Zone, Faces]()
    for move in _moves_so_far(match):
        if move.faces:
            source, target = (lying.setdefault(zone, Faces()) for zone in (move.source, move.target))
            for face in move.faces:
                source[face] -= 1
                target[face] += 1
        elif move.count is None:
            lying.pop(move.source, None)
    return {zone: +faces for zone, faces in lying.items()}


def _moves_so_far(match: Match) -> Iterator[Move]:
    positions, moves = list[Position](), match.setup.game.table.moves
    position: Position | None = match.position
    while position is not None and len(positions) < MAX_LOOKBACK:
        positions.append(position)
        position = position.before if isinstance(position, Step) else None
    return (
        move for each in reversed(positions) for ruling in each.rulings for move in moves(each.state, ruling)
    )


def last_cards_answer(match: Match) -> tuple[Step, Show] | None:
    for step in reversed(standing_answers(match)):
        ask = ask_named(step.before.asks, step.answer.ask)
        if isinstance(ask, Show):
            return step, ask
    return None


def last_revealed(match: Match) -> Faces:
    """Count the cards of the last answers with cards, up to the answer of another kind before them."""
    faces, last = Faces(), last_cards_answer(match)
    position: Position | None = None if last is None else last[0]
    while isinstance(position, Step) and (named := faces_named(position.answer)):
        faces.update(named)
        position = position.before
    return faces


def faces_named(answer: Answer) -> tuple[str, ...]:
    return answer.value if isinstance(answer.value, tuple) else ()
