"""Count pieces at quiet moments: the table is still, no hand is in it, and all cards have been read."""

from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from vision.process.watching import Picture, Watch
from vision.reading.pieces import PieceReading, read_pieces
from vision.reading.surroundings import Surroundings
from vision.reading.unrolled import PieceKind, piece_kind
from vision.table.calibration import Calibration
from vision.table.piece_counts import ZoneCount, count_in_zones
from vision.table.zones import Zones
from vision.teaching.taught_decks import load_deck

VOTES = 2
"""Readings of one still table; a count is sure if they agree."""
CALM = 20
"""Pictures without any motion before pieces are counted: hands may not be done."""


class PieceCounter(Struct, frozen=True, eq=False):
    """What is counted, and how far the eyes have got with it since anything moved."""

    kinds: tuple[PieceKind, ...] = ()
    is_due: bool = True
    ballots: tuple[PieceReading, ...] = ()


def load_pieces(folders: Sequence[str]) -> PieceCounter:
    """Load the kinds of pieces; each is kept as a deck is."""
    decks = [load_deck(Path(folder)) for folder in folders]
    return PieceCounter(
        tuple(
            piece_kind(name, deck.card[0], pictures) for deck in decks for name, pictures in deck.faces.items()
        )
    )


def count_pieces(
    counter: PieceCounter,
    picture: Picture,
    watch: Watch | None,
    place: tuple[Surroundings, Calibration, Zones] | None,
) -> tuple[PieceCounter, tuple[ZoneCount, ...] | None]:
    """Look at a picture; give the counts once they are certain, else None."""
    if not counter.kinds or watch is None or place is None:
        return counter, None
    if watch.is_busy or watch.whole or watch.reached.any():
        return replace(counter, is_due=True, ballots=()), None
    if not counter.is_due or watch.calm < CALM:
        return counter, None
    around, table, zones = place
    ballots = (*counter.ballots, read_pieces(picture, counter.kinds, around))
    if len(ballots) < VOTES:
        return replace(counter, ballots=ballots), None
    names = [kind.name for kind in counter.kinds]
    return replace(counter, is_due=False, ballots=()), count_in_zones(ballots, names, watch.known, table, zones)
