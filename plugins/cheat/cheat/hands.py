"""Card moves, for the simulated table."""

from cheat.rules import State
from referee.contract import PILE, PROOF, Move, Ruling, Zone, ZoneKind, hand_of
from referee.kit.answers import seat_named

CLAIM = Zone("claim")  # zone of the last claim's face-down cards, on top of all others
ZONES = {CLAIM.name: ZoneKind(taken_by="top")}


def moves(state: State, ruling: Ruling) -> tuple[Move, ...]:
    """Deal all cards, place some face down, reveal them, take the pile."""
    match ruling.key:
        case "dealt":
            return tuple(Move(PILE, hand_of(seat), count) for seat, count in enumerate(state.cards))
        case "claims":
            return (Move(hand_of(seat_named(ruling)), CLAIM, int(str(ruling.values["count"]))),)
        case "stands":
            return (Move(CLAIM, PILE),)
        case "honest" | "lied":
            return (Move(CLAIM, PROOF),)
        case "takes":
            hand = hand_of(seat_named(ruling))
            return (Move(PROOF, hand), Move(PILE, hand, shuffled=True))
    return ()
