"""Count the pieces in each zone, as far as that is certain, once the table is still and all cards are read."""

from collections import Counter
from collections.abc import Sequence
from itertools import product
from pathlib import Path

import cv2
import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from vision.pictures import Picture
from vision.process.watching import Watch
from vision.reading.pieces import PieceKind, PieceReading, piece_kind, read_pieces
from vision.reading.views import Surroundings
from vision.sightings import Cards, Point
from vision.table.calibration import Calibration, to_table
from vision.table.zones import ZoneCount, Zones
from vision.teaching.taught_decks import load_deck

EDGE = 8.0  # millimetres from the edge of a zone within which a piece could as well be meant to lie beyond it
BARE = 0.97  # the least visible share of a card on which nothing lies


def count_in_zones(
    ballots: Sequence[PieceReading], kinds: Sequence[str], cards: Cards, table: Calibration, zones: Zones
) -> tuple[ZoneCount, ...]:
    bare = [card.outline for card in cards if card.sure and card.visible >= BARE]
    polls = [_count(ballot, bare, table, zones) for ballot in ballots]
    told = list[ZoneCount]()
    for kind, zone in product(kinds, zones):
        counts = {poll[kind, zone] for poll, _unsure in polls}
        is_sure = len(counts) == 1 and not any(zone in unsure for _poll, unsure in polls)
        told.append(ZoneCount(kind, zone, min(counts), is_sure))
    return tuple(told)


def _count(
    reading: PieceReading, bare: Sequence[Sequence[Point]], table: Calibration, zones: Zones
) -> tuple[Counter[tuple[str, str]], set[str]]:
    """Count what lies well within each zone; name those in which more may lie, besides prints of bare cards."""
    counts, unsure = Counter[tuple[str, str]](), set[str]()
    doubts = [spot for spot in reading.doubts if all(_depth(card, spot) < 0 for card in bare)]
    seen = [*((piece.kind, piece.middle) for piece in reading.pieces), *((None, spot) for spot in doubts)]
    there = to_table(table, np.array([spot for _kind, spot in seen], np.float64).reshape(-1, 2)).tolist()
    for (kind, _spot), where in zip(seen, there, strict=True):
        near = _zones_near(zones, where)
        if kind is not None and len(near) == 1:
            counts[kind, near[0]] += 1
        else:
            unsure |= {*near} or {max(zones, key=lambda name: _depth(zones[name], where))}
    return counts, unsure


def _zones_near(zones: Zones, where: Point) -> list[str]:
    """Name the zones in which something could be meant to lie; where they overlap, the first counts."""
    near = list[str]()
    for name, corners in zones.items():
        depth = _depth(corners, where)
        if depth > -EDGE:
            near.append(name)
        if depth >= EDGE:
            break
    return near


def _depth(corners: Sequence[Point], where: Point) -> float:
    """Measure how deep inside a polygon a point lies; outside it, less than 0."""
    return float(cv2.pointPolygonTest(np.array(corners, np.float32), where, measureDist=True))


VOTES = 2  # readings of one still table; a count is sure if they agree
CALM = 20  # pictures without any motion before pieces are counted: hands may not be done


Place = tuple[Surroundings, Calibration, Zones]


class PieceCounter(Struct, frozen=True, eq=False):
    """What is counted, and how far the eyes have got with it since anything moved."""

    kinds: tuple[PieceKind, ...] = ()
    is_due: bool = True
    ballots: tuple[PieceReading, ...] = ()


def load_pieces(folders: Sequence[str]) -> PieceCounter:
    decks = [load_deck(Path(folder)) for folder in folders]
    kinds = (piece_kind(name, deck.card[0], shown) for deck in decks for name, shown in deck.faces.items())
    return PieceCounter(tuple(kinds))


def count_pieces(
    counter: PieceCounter, picture: Picture, watch: Watch | None, place: Place | None
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
