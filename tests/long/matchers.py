"""Read rendered sets of difficult photographs: `python -m tests.long.matchers covered steep --keep FOLDER`.

Each kind of photograph is rendered once (into the folder of `--keep`) and taught once. It is then read with one
thread, starting at the number of `--first`. The rows are those of `tests.long.foreign`, each followed by a
comparison of stated probabilities with results.
"""

from pathlib import Path

import cv2

from tests.scripts import script
from tests.vision.counting import reliability, reliability_lines
from tests.vision.sets.judging import HEADING, Tally, judge_photographs, row_line, teach_deck
from tests.vision.sets.kept import keep_set
from tests.vision.sets.kinds import KINDS, Kind, faces_of


def judge_kind(kind: Kind, folder: Path, first: int) -> None:
    home, tally = keep_set(kind, folder, first), Tally()
    deck, known = teach_deck(home / "taught", kind.name), frozenset(faces_of(kind)[0])
    stated = list(judge_photographs(home / "read", deck, known, tally))
    print(row_line("drawn", kind.name, tally), flush=True)
    if stated:
        print("\n".join(reliability_lines(reliability(kind.name, stated))), flush=True)


@script
def main(scratch: Path, *kinds: str, keep: str = "", first: int = 0) -> None:
    cv2.setNumThreads(1)
    print(HEADING)
    for name in kinds or KINDS:
        judge_kind(KINDS[name], Path(keep) if keep else scratch, first)
