"""Measure the reader's certainty on third-party cards and distortions.

`.ci/judge -m tests.long.foreign make FOLDER` photographs the decks of `tests/vision/foreign` into a folder;
`python -m tests.long.foreign read FOLDER` reads the photographs with one thread. Sure, likely and guessed names
are counted for taught faces of which at least a third is visible. The ratio is a photograph's reading time over
its time for cvtColor, Otsu and findContours. The last lines compare stated probabilities with results.
"""

from collections.abc import Iterator, Sequence
from functools import reduce
from itertools import product
from pathlib import Path
from typing import Literal

import cv2
import msgspec

from tests.scripts import script
from tests.vision.counting import Stated, reliability, reliability_lines
from tests.vision.foreign.scenes import PAIRS, Described, Judged, make_pair
from tests.vision.foreign.sheets import sheet_names
from tests.vision.sets.judging import HEADING, Tally, judge_photographs, row_line, teach_deck


def _read_pair(home: Path, tallies: dict[tuple[str, str], Tally]) -> Iterator[Stated]:
    described = msgspec.json.decode((home / "deck.json").read_bytes(), type=Described)
    deck = teach_deck(home / "taught", described.deck)
    for kind in described.kinds:
        tally = tallies.setdefault((described.deck, kind), Tally())
        yield from judge_photographs(home / kind, deck, frozenset(described.known), tally)


def read_made(folder: Path, decks: Sequence[str]) -> None:
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


@script
def main(
    what: Literal["make", "read"], folder: Path, /, *decks: str, seed: int = 0, photographs: int = 12
) -> None:
    """Make missing photographs of each pair and kind, in the environment of `.ci/judge`, or read them."""
    cv2.setNumThreads(1)
    if what == "read":
        read_made(folder, decks or sheet_names())
        return
    for deck, pair in product(decks or sheet_names(), range(PAIRS)):
        make_pair(Judged(deck, pair, seed), folder / deck / f"pair-{pair}", photographs)
        print(f"made {deck}, pair {pair}", flush=True)
