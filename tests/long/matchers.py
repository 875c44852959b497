"""Read the drawn sets of hard photographs: `python -m tests.long.matchers covered steep --keep FOLDER`.

Each kind of photograph is drawn once (into the folder that `--keep` names) and taught once, and then read
with one thread. Right, unsure, missed and wrong are cards of the deck that are seen to
a third; strangers have a face that wasn't taught. Precision counts every false name: of another face, of a
stranger, or where no card lies. The ratio is a photograph's time over cvtColor, Otsu and findContours of it.
"""

import argparse
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import process_time

import cv2

from hardware.twin.rendering.lens import Pixels
from tests.bench.measured import milliseconds
from tests.vision.counting import Stated, reliability, reliability_lines, stated_names, yardstick
from tests.vision.sets.kept import keep_set, kept_photographs
from tests.vision.sets.kinds import KINDS, Kind, face_in, faces_of
from tests.vision.sets.verdicts import Verdict, count_of_false_names, verdicts
from vision.reading.reader import read
from vision.sightings import Reading
from vision.teaching.taught_decks import TaughtDeck, teach_from
from vision.teaching.tried_decks import prepare_deck

Reader = Callable[[Pixels], Reading]


def ours(taught: TaughtDeck) -> Reader:
    """Prepare our reader."""
    deck = prepare_deck(taught.faces, taught.card)
    return lambda picture: read(picture, deck)


HEADING = (
    f"{'kind':16} {'cards':>6} {'right':>7} {'unsure':>7} {'missed':>7} {'wrong':>6}"
    f" {'strangers':>10} {'named':>6} {'nothing':>8} {'precision':>10} {'ratio':>7}"
)


def judge_kind(kind: Kind, folder: Path, first: int) -> None:
    """Print what our reader makes of a kind's photographs."""
    home = keep_set(kind, folder, first)
    lesson = teach_from(home / "taught", kind.name)
    known = frozenset(faces_of(kind)[0])
    if lesson.missed_faces:
        print(f"{kind.name}: not taught: {', '.join(lesson.missed_faces)}")
    reader, counts, ratios = ours(lesson.taught), Counter[Verdict](), []
    stated: list[Stated] = []
    for shown in kept_photographs(home):
        reading, ratio = _timed(reader, shown.picture)
        ratios.append(ratio)
        counts.update(verdicts(shown.truth, reading, known))
        stated += stated_names(shown.truth, reading, face_in)
    print(_line(kind.name, counts, median(ratios)), flush=True)
    if stated:
        print("\n".join(reliability_lines(reliability(kind.name, stated))), flush=True)


def _timed(reader: Reader, picture: Pixels) -> tuple[Reading, float]:
    """Read a picture; give the time beside the yardstick's."""
    readings: list[Reading] = []
    base = min(milliseconds(lambda: yardstick(picture), process_time) for _time in range(3))
    spent = milliseconds(lambda: readings.append(reader(picture)), process_time)
    return readings[0], spent / base


def _line(kind: str, counts: Counter[Verdict], ratio: float) -> str:
    missed = counts["flagged"] + counts["missed"]
    cards = counts["right"] + counts["unsure"] + missed + counts["wrong"]
    told = counts["right"] + count_of_false_names(counts)
    precision = 100 * counts["right"] / told if told else float("nan")
    return (
        f"{kind:16} {cards:>6} {100 * counts['right'] / max(1, cards):>6.1f}% {counts['unsure']:>7}"
        f" {missed:>7} {counts['wrong']:>6} {counts['stranger'] + counts['named']:>10} {counts['named']:>6}"
        f" {counts['nothing']:>8} {precision:>9.1f}% {ratio:>7.1f}"
    )


def main() -> None:
    """Read the kinds that are named, or all."""
    asked = argparse.ArgumentParser(description="Read drawn photographs of cards.")
    asked.add_argument("kinds", nargs="*", metavar="KIND", help=f"any of: {', '.join(KINDS)}")
    asked.add_argument(
        "--keep", type=Path, metavar="FOLDER", help="keep the pictures here, and use those there"
    )
    asked.add_argument("--first", type=int, default=0, metavar="N", help="photographs from this number on")
    told = asked.parse_args()
    if unknown := [name for name in told.kinds if name not in KINDS]:
        asked.error(f"no kind {unknown[0]!r}: choose from {', '.join(KINDS)}")
    cv2.setNumThreads(1)
    print(HEADING)
    with TemporaryDirectory() as passing:
        for name in told.kinds or KINDS:
            judge_kind(KINDS[name], told.keep or Path(passing), told.first)


if __name__ == "__main__":
    main()
