"""Read rendered sets of difficult photographs: `python -m tests.long.matchers covered steep --keep FOLDER`.

Each kind of photograph is rendered once (into the folder of `--keep`) and taught once. It is then read with one
thread, starting at the number of `--first`. The rows are those of `tests.long.foreign`, each followed by a
comparison of stated probabilities with results.
"""

from pathlib import Path
from tempfile import TemporaryDirectory

import cv2

from tests.trust.telling import wishes
from tests.vision.counting import Stated, reliability, reliability_lines, stated_names
from tests.vision.sets.judging import HEADING, Tally, outcomes, row_line, timed_reading
from tests.vision.sets.kept import keep_set, kept_photographs
from tests.vision.sets.kinds import KINDS, Kind, face_in, faces_of
from vision.teaching.taught_decks import teach_from
from vision.teaching.tried_decks import prepare_deck


def judge_kind(kind: Kind, folder: Path, first: int) -> None:
    home = keep_set(kind, folder, first)
    lesson = teach_from(home / "taught", kind.name)
    if lesson.missed_faces:
        print(f"{kind.name}: not taught: {', '.join(lesson.missed_faces)}")
    deck, known = prepare_deck(lesson.taught.faces, lesson.taught.card), frozenset(faces_of(kind)[0])
    tally, stated = Tally(), list[Stated]()
    for shown in kept_photographs(home / "read"):
        reading, ratio = timed_reading(shown.picture, deck)
        tally.counts.update(outcomes(shown.truth, reading, known))
        tally.ratios.append(ratio)
        stated += stated_names(shown.truth, reading, face_in)
    print(row_line("drawn", kind.name, tally), flush=True)
    if stated:
        print("\n".join(reliability_lines(reliability(kind.name, stated))), flush=True)


def main() -> None:
    told = wishes(__doc__, words="kinds", keep="", first=0)
    cv2.setNumThreads(1)
    print(HEADING)
    with TemporaryDirectory() as passing:
        for name in told.kinds or KINDS:
            judge_kind(KINDS[name], Path(told.keep or passing), told.first)


if __name__ == "__main__":
    main()
