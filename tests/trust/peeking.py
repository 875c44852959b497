"""Search a learnt deck for cards that only others saw: `python -m tests.trust.peeking 20` plays 20 matches."""

import os
from collections.abc import Iterator
from pathlib import Path
from random import Random

from tests.scripts import script
from tests.webui.access.peeking import PeekReport, attack_learnt_deck

MOMENTS = 60  # of each match


@script
def main(matches: int, scratch: Path, seed: int = 0) -> Iterator[PeekReport]:
    for number in range(matches):
        (folder := scratch / str(number)).mkdir()
        os.environ["STATE_DIRECTORY"] = str(folder)
        yield attack_learnt_deck(folder, Random(f"{seed} {number}"), MOMENTS)
