"""What hands do with the cards once they have heard a ruling: the simulated table plays by it."""

from high_card.deck import HAND
from high_card.rules import State
from referee.contract import Move, Ruling
from referee.kit.answers import seat_named
from referee.kit.hidden_hands import clear_centre, gather_and_deal, lay_in_centre


def moves(state: State, ruling: Ruling) -> tuple[Move, ...]:
    """Deal, lay a card in the middle, put a trick away."""
    match ruling.key:
        case "deal":
            return gather_and_deal(len(state.points), HAND)
        case "lays":
            return lay_in_centre(seat_named(ruling), str(ruling.values["card"]))
        case "takes":
            return clear_centre()
        case _:
            return ()
