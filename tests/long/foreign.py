"""Judge the reader's certainty by the world of others: cards they drew, distortions they wrote.

`.ci/judge -m tests.long.foreign make FOLDER` photographs the decks of `tests/vision/foreign` into a folder;
`python -m tests.long.foreign read FOLDER` reads what is there, with one thread. Sure, likely and guessed names
are of cards whose face was taught and that are seen to a third. The ratio is a photograph's time over cvtColor,
Otsu and findContours of it.
"""

import argparse
from collections.abc import Iterator
from functools import reduce
from pathlib import Path
from typing import TextIO

import cv2
import msgspec
from msgspec import Struct

from hardware.twin.rendering.renderer import CardTruth
from tests.vision.counting import best_face, pairs
from tests.vision.foreign.scenes import PAIRS, Described, Judged, make_pair
from tests.vision.foreign.sheets import sheet_names
from tests.vision.sets.judging import HEADING, Tally, outcomes, row_line, timed_reading
from tests.vision.sets.kept import kept_photographs
from tests.vision.sets.kinds import face_in
from vision.sightings import Reading
from vision.teaching.taught_decks import teach_from
from vision.teaching.tried_decks import prepare_deck

# figures of each card


class CardFigures(Struct, frozen=True):
    """What one sighting was named, and what it is in truth."""

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


def _figures(
    where: tuple[str, int, str, str], truth: tuple[CardTruth, ...], reading: Reading, known: frozenset[str]
) -> Iterator[CardFigures]:
    met = {id(seen): truth[i] for i, seen in pairs(truth, reading.cards).items()}
    for seen in reading.cards:
        lies, best = met.get(id(seen)), best_face(seen)
        face = None if lies is None else face_in(lies.face)
        shown = 0.0 if lies is None else round(lies.visible, 3)
        yield CardFigures(*where, face, face in known, shown, best, best == face, seen.sure, seen.chance)


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
            reading, ratio = timed_reading(shown.picture, deck)
            tally.counts.update(outcomes(shown.truth, reading, known))
            tally.ratios.append(ratio)
            if figures is not None:
                where = (described.deck, pair, kind, shown.name)
                for each in _figures(where, shown.truth, reading, known):
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
