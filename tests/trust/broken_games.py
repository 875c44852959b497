"""Play games with failing functions: `python -m tests.trust.broken_games error exit`.

A game of another package fails during a match, and then from the start on; all pages are loaded meanwhile. The
script fails if a page is refused, if the table restarts, or if it reports more than a line.
"""

from collections.abc import Iterator
from pathlib import Path

from referee.games.coyote import COYOTE
from tests.firmware.start.broken_games import BrokenFigures, play_broken
from tests.plugins.brittle_game import FUNCTIONS, KINDS
from tests.scripts import say, script


@script
def main(scratch: Path, *kinds: str) -> Iterator[BrokenFigures]:
    yield (figures := BrokenFigures())
    for kind in kinds or KINDS:
        for where in (where for where, base in FUNCTIONS.items() if base is COYOTE):
            (folder := scratch / f"{where} {kind}").mkdir()
            play_broken(folder, where, kind, figures)
        say(f"{kind}: {figures.games} games, {figures.refused} of {figures.looks} looks refused")
