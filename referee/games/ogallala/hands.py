"""Card moves in Ogallala, and its statistics.

The three draw piles count as one, because their cards can't be told apart. A drawn card is in the middle until
it is placed; so are booty and a canoe that is being counted.
"""

from collections.abc import Iterator, Mapping

from referee.contract import Move
from referee.contract.asks import Answer, Ruling, Show
from referee.contract.cards import CENTRE, DISCARD, OPEN_KIND, PILE, Zone
from referee.contract.game import Feat, Rate, StatisticsRules, Stretch
from referee.games.ogallala.board import LAID, turn_of
from referee.games.ogallala.rules import EMPTY
from referee.games.ogallala.state import State
from referee.kit.answers import seat_named

Faces = tuple[str, ...]
ZONES = {"territory": OPEN_KIND, "aside": OPEN_KIND}


def land(seat: int) -> Zone:
    """The zone of a player's territory, which is too wide for the camera."""
    return Zone("territory", seat)


def kept_aside(seat: int) -> Zone:
    """The zone of a player's unplaced booty."""
    return Zone("aside", seat)


WAYS: Mapping[str, tuple[str, str]] = {
    "drawn": ("pile", "middle"),
    "taken": ("discard", "middle"),
    **dict.fromkeys(LAID, ("middle", "own")),
    "discarded": ("middle", "discard"),
    "unplaced": ("middle", "discard"),
    "ropes": ("target", "middle"),
    "shoots": ("target", "discard"),
    "sinks": ("own", "discard"),
    "captures": ("target", "middle"),
    "crew-lost": ("own", "discard"),
    "aside": ("middle", "aside"),
    "fetches": ("aside", "middle"),
    "put-back": ("middle", "aside"),
    "count-canoe": ("own", "middle"),
    "canoe-points": ("middle", "own"),
}


def moves(_state: State, ruling: Ruling) -> tuple[Move, ...]:
    if ruling.key == "refill":
        return (Move(DISCARD, PILE, shuffled=True),)
    if ruling.key not in WAYS:
        return ()
    source, target = (_zone(place, ruling) for place in WAYS[ruling.key])
    faces = _faces(ruling)
    return (Move(source, target, len(faces), faces=faces) if faces else Move(source, target),)


def _zone(place: str, ruling: Ruling) -> Zone:
    match place:
        case "own":
            return land(seat_named(ruling))
        case "target":
            return land(seat_named(ruling, "target"))
        case "aside":
            return kept_aside(seat_named(ruling))
        case _:
            return {"pile": PILE, "middle": CENTRE, "discard": DISCARD}[place]


def _faces(ruling: Ruling) -> Faces:
    card, cards = ruling.values.get("card"), ruling.values.get("cards")
    if isinstance(card, str):
        return (card,)
    return tuple(map(str, cards)) if isinstance(cards, tuple) else ()


def sources(_state: State, ask: Show) -> tuple[Zone, ...]:
    """Return the source of the cards an ask wants to see: the piles, or the canoe moved there."""
    return (PILE,) if ask.key == "draw" else (CENTRE,)


def is_fair(_state: State, answer: Answer, places: Mapping[Zone, Faces]) -> bool:
    """Return whether the piles are really empty when a player reports so; nothing else is hidden."""
    return answer.value != EMPTY or not places.get(PILE)


TOLD = {
    "drawn": "draws",
    "taken": "draws",
    "double": "doubles",
    "discarded": "discards",
    "stops": "stops",
    "completes": "canoes-completed",
    "ropes": "roped",
    "shoots": "shot",
    "sinks": "canoes-sunk",
    "attacks": "attacks",
    "spares": "spared",
}
SUFFERED = {"attacks": "attacked", "ropes": "cards-roped", "shoots": "cards-shot"}
"""Statistics of the targeted seat, by ruling."""


def ends(stretch: Stretch) -> bool:
    return any(ruling.key == "next" for ruling in stretch.rulings)


def feats(stretch: Stretch) -> tuple[Feat, ...]:
    seat = turn_of(stretch.before)
    turn = () if seat is None else (Feat(seat, "turns"),)
    return (*turn, *(feat for place, ruling in enumerate(stretch.rulings) for feat in _feats(place, ruling)))


def _feats(place: int, ruling: Ruling) -> Iterator[Feat]:
    if ruling.key in TOLD:
        yield Feat(seat_named(ruling), TOLD[ruling.key], ruling=place)
    if ruling.key in SUFFERED:
        yield Feat(seat_named(ruling, "target"), SUFFERED[ruling.key], ruling=place)
    cards = ruling.values.get("cards")
    if ruling.key == "captures" and isinstance(cards, tuple):
        yield Feat(seat_named(ruling), "captured", len(cards), place)


COUNTING = StatisticsRules(
    ends=ends,
    feats=feats,
    rates=(
        Rate("mean-draws", "draws", "turns", is_share=False),
        Rate("rate-discards", "discards", "draws"),
        Rate("rate-attacks", "attacks", "canoes-completed"),
        Rate("mean-captured", "captured", "attacks", is_share=False),
    ),
    begins=("begins", "seat"),
    score="points",
)
