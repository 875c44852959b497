"""One photograph, read in a process of its own, which is not trusted: what comes in is made by anybody."""

from collections.abc import Mapping
from typing import IO

from msgspec import Struct

from vision.sightings import Outline, Reading, SecondLook, Sighting

SECONDS, OTHERS = 40, 10
"""Seconds of a processor that it may take, and how many other decks are tried."""
LONGEST, SHOWN, KEPT = 2400, 900, 1600
"""Pixels along the longer side of a photograph as it is read, as it is shown, and of its part that is kept."""


class PhotographRequest(Struct, frozen=True):
    """What is to be read: cards of a deck, so many of each."""

    deck: str
    among: Mapping[str, int]
    seen: tuple[tuple[Sighting, Outline], ...] = ()
    """The cards as the table's own camera sees them now, and where they lie on the table."""


class CroppedPicture(Struct, frozen=True):
    """The part of a photograph around its cards, with outlines and names, and the reading as it lies there."""

    jpeg: bytes
    reading: Reading


class PhotographReading(Struct, frozen=True, tag=True):
    """What was read, the picture with outlines and names, and the part around the cards if there are any."""

    reading: Reading
    picture: bytes
    part: CroppedPicture | None = None
    parts: tuple[SecondLook, ...] = ()
    """What the table's camera had to do with each card."""
    looks_like: str | None = None
    """The other deck that the cards seem to be of, if it is another one."""


class PhotographFailure(Struct, frozen=True, tag=True):
    """Why nothing was read."""

    why: str


def read_photograph(asked: PhotographRequest, file: IO[bytes]) -> PhotographReading | PhotographFailure:
    """Say what the cards are, or why there are none."""
    # what can be turned against us is loaded behind the limits
    import cv2  # noqa: PLC0415

    from firmware.storage.decks import deck_named  # noqa: PLC0415
    from firmware.storage.other_decks import find_likely_deck  # noqa: PLC0415
    from vision.photographs import PhotographError, decode_photograph  # noqa: PLC0415
    from vision.process.covered_cards import mark_more_below  # noqa: PLC0415
    from vision.process.evidence import as_jpeg  # noqa: PLC0415
    from vision.process.parts import crop_to_cards  # noqa: PLC0415
    from vision.process.two_looks import bring_into_picture, fuse_looks  # noqa: PLC0415
    from vision.reading.reader import read  # noqa: PLC0415

    cv2.setNumThreads(1)
    try:
        frame = decode_photograph(file, LONGEST)
    except PhotographError as error:
        return PhotographFailure(error.problem.key)
    deck = deck_named(asked.deck)
    alone = mark_more_below(read(frame, deck, asked.among), frame, deck.size)
    second = bring_into_picture(asked.seen, frame, alone.cards)
    fused = fuse_looks(alone.cards, second, (frame.shape[1], frame.shape[0]))
    reading = Reading(tuple(each.card for each in fused), alone.unexplained)
    cut = crop_to_cards(frame, reading)
    part = None if cut is None else CroppedPicture(as_jpeg(*cut, KEPT), cut[1])
    other = find_likely_deck(frame, reading, asked.deck, None, OTHERS).name
    parts = tuple(each.part for each in fused)
    return PhotographReading(reading, as_jpeg(frame, reading, SHOWN), part, parts, other)
