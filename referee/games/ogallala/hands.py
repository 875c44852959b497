"""What hands do with the cards of Ogallala: the twin does it, a voice can tell people to.

The three draw piles are one to the referee, because nothing tells their cards apart. A card that is drawn lies
in the middle until its place is known, and so does booty, and a canoe that is counted.
"""

from collections.abc import Callable, Mapping

from referee.contract import CENTRE, DISCARD, PILE, Answer, Move, Ruling, Show, Zone
from referee.games.ogallala.rules import EMPTY
from referee.games.ogallala.state import State
from referee.kit.answers import seat_named

Faces = tuple[str, ...]


def land(seat: int) -> Zone:
    """Name a player's territory: it is too wide to lie under the camera."""
    return Zone("territory", seat)


def kept_aside(seat: int) -> Zone:
    """Name the place of booty that has found no place in a territory."""
    return Zone("aside", seat)


def moves(_state: State, ruling: Ruling) -> tuple[Move, ...]:
    """Say what hands do once they have heard a ruling."""
    hands = _HANDS.get(ruling.key)
    return hands(ruling) if hands else ()


def sources(_state: State, ask: Show) -> tuple[Zone, ...]:
    """Say from where the cards come that an ask wants to see: the piles, or the canoe that was pushed there."""
    return (PILE,) if ask.key == "draw" else (CENTRE,)


def is_fair(_state: State, answer: Answer, places: Mapping[Zone, Faces]) -> bool:
    """Tell whether the piles are really empty when a player says so; nothing else is hidden."""
    return answer.value != EMPTY or not places.get(PILE)


def _move_faces(source: Zone, target: Zone, ruling: Ruling) -> tuple[Move, ...]:
    faces = _faces(ruling)
    return (Move(source, target, len(faces), faces=faces),)


def _own_land(ruling: Ruling) -> Zone:
    return land(seat_named(ruling))


def _target_land(ruling: Ruling) -> Zone:
    return land(seat_named(ruling, "target"))


def _own_aside(ruling: Ruling) -> Zone:
    return kept_aside(seat_named(ruling))


def _faces(ruling: Ruling) -> Faces:
    card, cards = ruling.values.get("card"), ruling.values.get("cards")
    if isinstance(card, str):
        return (card,)
    return tuple(map(str, cards)) if isinstance(cards, tuple) else ()


def _lay(ruling: Ruling) -> tuple[Move, ...]:
    return _move_faces(CENTRE, _own_land(ruling), ruling)


_HANDS: dict[str, Callable[[Ruling], tuple[Move, ...]]] = {
    "drawn": lambda ruling: _move_faces(PILE, CENTRE, ruling),
    "taken": lambda ruling: _move_faces(DISCARD, CENTRE, ruling),
    "first": _lay,
    "put": _lay,
    "push-left": _lay,
    "push-right": _lay,
    "slide-left": _lay,
    "slide-right": _lay,
    "discarded": lambda ruling: _move_faces(CENTRE, DISCARD, ruling),
    "unplaced": lambda ruling: _move_faces(CENTRE, DISCARD, ruling),
    "ropes": lambda ruling: _move_faces(_target_land(ruling), CENTRE, ruling),
    "shoots": lambda ruling: _move_faces(_target_land(ruling), DISCARD, ruling),
    "sinks": lambda ruling: _move_faces(_own_land(ruling), DISCARD, ruling),
    "captures": lambda ruling: _move_faces(_target_land(ruling), CENTRE, ruling),
    "crew-lost": lambda ruling: _move_faces(_own_land(ruling), DISCARD, ruling),
    "aside": lambda ruling: _move_faces(CENTRE, _own_aside(ruling), ruling),
    "fetches": lambda ruling: _move_faces(_own_aside(ruling), CENTRE, ruling),
    "put-back": lambda ruling: _move_faces(CENTRE, _own_aside(ruling), ruling),
    "refill": lambda _ruling: (Move(DISCARD, PILE, shuffled=True),),
    "count-canoe": lambda ruling: _move_faces(_own_land(ruling), CENTRE, ruling),
    "canoe-points": lambda ruling: (Move(CENTRE, _own_land(ruling)),),
}
