"""The pieces under the twin's camera, such as coins: where they lie, and what hands do with them. Pure.

Hands move as many as a moment moves; what was a piece too many or too few before stays so.
"""

from collections.abc import Callable, Iterable, Mapping
from math import cos, hypot, radians, sin

from msgspec import Struct
from msgspec.structs import replace

from hardware.twin.rendering.scene import CARD, SceneCard, piece_card
from hardware.twin.tabletop import FARTHEST, Tabletop
from referee.contract import Zone
from referee.match import Match

Heaps = Mapping[tuple[str, Zone], int]
"""How many pieces of a kind lie in a part of the table; a stock lies beside it."""
Spot = tuple[float, float]
IsIn = Callable[[Zone, Spot], bool]  # whether a spot lies in a part of the table

GAP = 3.0  # millimetres between neighbouring pieces
REACH = 260.0  # how far from the first card of a part pieces may lie
PLATES = (370.0, 210.0)  # farther out than this, both ways, the markers' plates lie


class LoosePiece(Struct, frozen=True):
    """A piece on the table: its kind, the side that lies up, where it belongs and where it lies."""

    kind: str
    side: int
    across: float
    home: Zone
    x: float
    y: float
    angle: float


Pieces = tuple[LoosePiece, ...]


def heaps_of(match: Match) -> Heaps:
    """Say how many pieces should lie where by the record."""
    game = match.setup.game
    due = game.table.pieces_lying(game.shown.view(match.state, None))
    return {(each.piece, each.zone): each.count for each in due if not each.is_stock}


def follow_heaps(
    pieces: Pieces, before: Heaps, match: Match, spots: Callable[[Zone], Iterable[Spot]]
) -> Pieces:
    after, across = heaps_of(match), {piece.name: piece.across for piece in match.setup.game.table.pieces}
    for (kind, zone), count in after.items():
        moved = count - before.get((kind, zone), 0)
        for _piece in range(-moved):
            pieces = take_piece(pieces, kind, zone)
        for _piece in range(moved):
            pieces = lay_piece(pieces, kind, across[kind], zone, spots(zone))
    return pieces


def take_piece(pieces: Pieces, kind: str, zone: Zone) -> Pieces:
    """Take the piece that was laid last in a part of the table, if there is one."""
    mine = [each for each in pieces if (each.kind, each.home) == (kind, zone)]
    return tuple(each for each in pieces if not mine or each is not mine[-1])


def lay_piece(pieces: Pieces, kind: str, across: float, zone: Zone, spots: Iterable[Spot]) -> Pieces:
    """Lay a piece at the first free spot; if there is none, where it covers least of the others."""
    offered = list(spots)
    x, y = next((spot for spot in offered if _is_free(pieces, spot, across)), None) or max(
        _between(offered, across), key=lambda spot: min(_distance(each, spot) for each in pieces)
    )
    # sides and turns follow from the place: the same table is drawn the same
    number = len(pieces)
    return (*pieces, LoosePiece(kind, number % 2, across, zone, x, y, (number * 137.5) % 360))


def step_aside(pieces: Pieces, table: Tabletop, spots: Callable[[Zone], Iterable[Spot]]) -> Pieces:
    """Push pieces aside that a card has come to lie on, as hands do; where there is no room, onto others."""
    stays = tuple(each for each in pieces if not is_covered(table, (each.x, each.y), each.across))
    for each in (each for each in pieces if each not in stays):
        offered = list(spots(each.home))
        free = (spot for spot in offered if _is_free(stays, spot, each.across))
        x, y = next(free, offered[0])
        stays = (*stays, replace(each, x=x, y=y))
    return stays


def spots_in(zone: Zone, first: Spot, is_in: IsIn, across: float) -> tuple[Spot, ...]:
    """List the spots for pieces in a part of the table: those beside the places of cards come first."""
    step, reach = across + GAP, int(REACH // (across + GAP))
    steps = [step * number for number in range(-reach, reach + 1)]
    grid = [(first[0] + right, first[1] + down) for right in steps for down in steps]
    inside = [spot for spot in grid if _is_seen(spot) and _is_well_in(zone, spot, across, is_in)]
    left, right, high = across / 2 + CARD[0] * 0.5, across / 2 + CARD[0] * 1.6, (across + CARD[1]) / 2

    def rank(spot: Spot) -> tuple[bool, float]:
        x, y = spot[0] - first[0], spot[1] - first[1]
        return -left < x < right and abs(y) < high, hypot(x, y)

    return tuple(sorted(inside, key=rank)) or (first,)


def free_spots(spots: tuple[Spot, ...], table: Tabletop, across: float) -> tuple[Spot, ...]:
    return tuple(spot for spot in spots if not is_covered(table, spot, across))


def is_covered(table: Tabletop, spot: Spot, across: float) -> bool:
    room = across / 2 + 1
    for card in table.lying:
        turn, x, y = radians(card.pose.angle), spot[0] - card.pose.x, spot[1] - card.pose.y
        right, down = x * cos(turn) + y * sin(turn), y * cos(turn) - x * sin(turn)
        if abs(right) < CARD[0] / 2 + room and abs(down) < CARD[1] / 2 + room:
            return True
    return False


def scene_pieces(pieces: Pieces) -> tuple[SceneCard, ...]:
    return tuple(piece_card(each.kind, each.side, each.across, each.x, each.y, each.angle) for each in pieces)


def _is_free(pieces: Pieces, spot: Spot, across: float) -> bool:
    return all(_distance(each, spot) > (each.across + across) / 2 + 1 for each in pieces)


def _between(spots: Iterable[Spot], across: float) -> list[Spot]:
    """List places half a piece beside some spots."""
    half = across / 2
    return [(x + right, y + down) for x, y in spots for right in (0, -half, half) for down in (0, -half, half)]


def _distance(piece: LoosePiece, spot: Spot) -> float:
    return hypot(piece.x - spot[0], piece.y - spot[1])


def _is_seen(spot: Spot) -> bool:
    x, y = abs(spot[0]), abs(spot[1])
    return x < FARTHEST[0] - 20 and y < FARTHEST[1] - 45 and not (x > PLATES[0] and y > PLATES[1])


def _is_well_in(zone: Zone, spot: Spot, across: float, is_in: IsIn) -> bool:
    around = ((0, 0), (0.8, 0), (-0.8, 0), (0, 0.8), (0, -0.8))
    return all(is_in(zone, (spot[0] + x * across, spot[1] + y * across)) for x, y in around)
