"""Measure the reader's certainty on third-party cards and distortions.

`.ci/judge -m tests.long.foreign make FOLDER` photographs the decks of `tests/vision/foreign` into a folder;
`python -m tests.long.foreign read FOLDER` reads the photographs with one thread. Sure, likely and guessed names
are counted for taught faces of which at least a third is visible. The ratio is a photograph's reading time over
its time for cvtColor, Otsu and findContours. The last lines compare stated probabilities with results.
"""

import argparse
from collections.abc import Iterator
from functools import reduce
from pathlib import Path

import cv2
import msgspec

from tests.vision.counting import Stated, reliability, reliability_lines, stated_names
from tests.vision.foreign.scenes import PAIRS, Described, Judged, make_pair
from tests.vision.foreign.sheets import sheet_names
from tests.vision.sets.judging import HEADING, Tally, outcomes, row_line, timed_reading
from tests.vision.sets.kept import kept_photographs
from tests.vision.sets.kinds import face_in
from vision.teaching.taught_decks import teach_from
from vision.teaching.tried_decks import prepare_deck


def _read_pair(home: Path, tallies: dict[tuple[str, str], Tally]) -> Iterator[Stated]:
    described = msgspec.json.decode((home / "deck.json").read_bytes(), type=Described)
    lesson = teach_from(home / "taught", described.deck)
    if lesson.missed_faces:
        print(f"{described.deck}, {home.name}: not taught: {', '.join(lesson.missed_faces)}")
    deck, known = prepare_deck(lesson.taught.faces, lesson.taught.card), frozenset(described.known)
    for kind in described.kinds:
        tally = tallies.setdefault((described.deck, kind), Tally())
        for shown in kept_photographs(home / kind):
            reading, ratio = timed_reading(shown.picture, deck)
            tally.counts.update(outcomes(shown.truth, reading, known))
            tally.ratios.append(ratio)
            yield from stated_names(shown.truth, reading, face_in)


def read_made(folder: Path, decks: list[str]) -> None:
    print(HEADING)
    tallies, stated = dict[tuple[str, str], Tally](), list[Stated]()
    for deck in decks:
        for home in sorted((folder / deck).glob("pair-*")):
            stated += _read_pair(home, tallies)
        own = {kind: tally for (name, kind), tally in tallies.items() if name == deck}
        for kind, tally in own.items():
            print(row_line(deck, kind, tally))
        print(_total(deck, list(own.values())), flush=True)
    kinds = dict.fromkeys(kind for _deck, kind in tallies)
    for kind in kinds:
        print(_total("all", [tally for (_deck, name), tally in tallies.items() if name == kind], kind))
    print(_total("all", list(tallies.values())))
    print("\n".join(reliability_lines(reliability("all", stated))))


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
    told = asked.parse_args()
    cv2.setNumThreads(1)
    if told.what == "make":
        _make(told.folder, told.decks, told.seed, told.photographs)
    else:
        read_made(told.folder, told.decks)


def _make(folder: Path, decks: list[str], seed: int, photographs: int) -> None:
    """Create missing photographs, in the environment of `.ci/judge`."""
    for deck in decks:
        for pair in range(PAIRS):
            make_pair(Judged(deck, pair, seed), folder / deck / f"pair-{pair}", photographs)
            print(f"made {deck}, pair {pair}", flush=True)


if __name__ == "__main__":
    main()
