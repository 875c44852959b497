"""Judge the reader's certainty by the world of others: cards they drew, distortions they wrote.

`.ci/judge -m tests.long.foreign make FOLDER` photographs the decks of `tests/vision/foreign` into a folder;
`python -m tests.long.foreign read FOLDER` reads what is there, with one thread. Sure, likely and guessed names
are of cards whose face was taught and that are seen to a third. The ratio is a photograph's time over cvtColor,
Otsu and findContours of it.
"""

import argparse
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import reduce
from pathlib import Path
from typing import TextIO
from unittest.mock import patch

import cv2
import msgspec
import numpy as np
from msgspec import Struct

from hardware.twin.rendering.renderer import CardTruth
from tests.vision.counting import best_face, pairs
from tests.vision.foreign.scenes import PAIRS, Described, Judged, make_pair
from tests.vision.foreign.sheets import sheet_names
from tests.vision.sets.judging import HEADING, Tally, outcomes, row_line, timed_reading
from tests.vision.sets.kept import kept_photographs
from tests.vision.sets.kinds import face_in
from vision.reading import reader
from vision.reading.deciding import Likeness
from vision.reading.templates import Templates
from vision.sightings import Reading, Sighting
from vision.teaching.taught_decks import teach_from
from vision.teaching.tried_decks import prepare_deck

# figures of each card


class CardFigures(Struct, frozen=True):
    """All that is known of one sighting: what it is in truth, and how it compares with the deck."""

    deck: str
    pair: int
    kind: str
    photograph: str
    truth: str | None
    """The face that lies there; None where no card lies."""
    taught: bool
    """Whether that face was taught; strangers weren't."""
    shown: float
    """The share of the card that can be seen, in truth; 0 where none lies."""
    best: str | None
    right: bool
    sure: bool
    chance: float | None
    score: float
    fit: float
    misfit: float
    margin: float
    distinction: float
    index: float | None
    way: float
    strange: float
    foreign: float
    visible: float
    at_a_glance: bool
    rivals: tuple[tuple[str, float], ...]
    height: float
    """The length of the card's left side in the picture, in pixels."""


Likenesses = dict[int, Likeness]
"""The likeness behind each sighting, by the sighting's id."""


@contextmanager
def _recorded(*, wanted: bool) -> Iterator[Likenesses]:
    """Record the likeness behind each sighting while a picture is read, if that is wanted."""
    known: Likenesses = {}
    if not wanted:
        yield known
        return
    usual = reader._sighting

    def recording(card: Likeness, deck: Templates, among: Mapping[str, int] | None) -> Sighting:
        told = usual(card, deck, among)
        known[id(told)] = card
        return told

    with patch.object(reader, "_sighting", recording):
        yield known


def _figures(
    where: tuple[str, int, str, str],
    deck: Templates,
    truth: tuple[CardTruth, ...],
    reading: Reading,
    likenesses: Likenesses,
    known: frozenset[str],
) -> Iterator[CardFigures]:
    met = {id(seen): truth[i] for i, seen in pairs(truth, reading.cards).items()}
    for seen in reading.cards:
        card, lies = likenesses[id(seen)], met.get(id(seen))
        face = None if lies is None else face_in(lies.face)
        best = best_face(seen)
        rivals = tuple((deck.names[deck.faces[row]], round(near, 4)) for row, near in card.rivals[:2])
        left = np.subtract(seen.outline[3], seen.outline[0])
        yield CardFigures(
            *where,
            truth=face,
            taught=face in known,
            shown=0.0 if lies is None else round(lies.visible, 3),
            best=best,
            right=best == face,
            sure=seen.sure,
            chance=seen.chance,
            score=card.score,
            fit=card.fit,
            misfit=card.misfit,
            margin=card.margin,
            distinction=card.distinction,
            index=card.index,
            way=card.way,
            strange=card.strange,
            foreign=card.foreign,
            visible=card.visible,
            at_a_glance=card.at_a_glance,
            rivals=rivals,
            height=round(float(np.hypot(*left)), 1),
        )


# reading


def _read_pair(home: Path, pair: int, tallies: dict[tuple[str, str], Tally], figures: TextIO | None) -> None:
    described = msgspec.json.decode((home / "deck.json").read_bytes(), type=Described)
    lesson = teach_from(home / "taught", described.deck)
    if lesson.missed_faces:
        print(f"{described.deck}, pair {pair}: not taught: {', '.join(lesson.missed_faces)}")
    deck, known = prepare_deck(lesson.taught.faces, lesson.taught.card), frozenset(described.known)
    for kind in described.kinds:
        tally = tallies.setdefault((described.deck, kind), Tally())
        for shown in kept_photographs(home / kind):
            with _recorded(wanted=figures is not None) as likenesses:
                reading, ratio = timed_reading(shown.picture, deck)
            tally.counts.update(outcomes(shown.truth, reading, known))
            tally.ratios.append(ratio)
            if figures is not None:
                where = (described.deck, pair, kind, shown.name)
                for each in _figures(where, deck, shown.truth, reading, likenesses, known):
                    figures.write(msgspec.json.encode(each).decode() + "\n")


def read_made(folder: Path, decks: list[str], figures: TextIO | None) -> None:
    print(HEADING)
    tallies: dict[tuple[str, str], Tally] = {}
    for deck in decks:
        for home in sorted((folder / deck).glob("pair-*")):
            _read_pair(home, int(home.name.partition("-")[2]), tallies, figures)
        own = {kind: tally for (name, kind), tally in tallies.items() if name == deck}
        for kind, tally in own.items():
            print(row_line(deck, kind, tally))
        print(_total(deck, list(own.values())), flush=True)
    kinds = dict.fromkeys(kind for _deck, kind in tallies)
    for kind in kinds:
        print(_total("all", [tally for (_deck, name), tally in tallies.items() if name == kind], kind))
    print(_total("all", list(tallies.values())))


def _total(deck: str, some: list[Tally], kind: str = "all") -> str:
    return row_line(deck, kind, reduce(Tally.add, some, Tally()))


# the command


def main() -> None:
    asked = argparse.ArgumentParser(description="Judge the reader by cards and distortions of others.")
    asked.add_argument("what", choices=("make", "read"))
    asked.add_argument("folder", type=Path)
    asked.add_argument("--decks", nargs="+", choices=sheet_names(), default=list(sheet_names()), metavar="DECK")
    asked.add_argument("--seed", type=int, default=0, help="what all is drawn from")
    asked.add_argument("--photographs", type=int, default=12, metavar="N", help="of each deck, pair and kind")
    asked.add_argument(
        "--figures", type=Path, metavar="FILE", help="write what is known of each card, as JSON lines"
    )
    told = asked.parse_args()
    cv2.setNumThreads(1)
    if told.what == "make":
        _make(told.folder, told.decks, told.seed, told.photographs)
    elif told.figures is None:
        read_made(told.folder, told.decks, None)
    else:
        with told.figures.open("w", encoding="utf-8") as figures:
            read_made(told.folder, told.decks, figures)


def _make(folder: Path, decks: list[str], seed: int, photographs: int) -> None:
    """Make what isn't there yet, in the environment of the judge."""
    for deck in decks:
        for pair in range(PAIRS):
            make_pair(Judged(deck, pair, seed), folder / deck / f"pair-{pair}", photographs)
            print(f"made {deck}, pair {pair}", flush=True)


if __name__ == "__main__":
    main()
