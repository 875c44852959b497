"""Play games with failing functions: `python -m tests.trust.broken_games error exit`.

A game of another package fails during a match, and then from the start on; all pages are loaded meanwhile. The
script fails if a page is refused, if the table restarts, or if it reports more than a line.
"""

from pathlib import Path
from tempfile import TemporaryDirectory

from referee.games.coyote import COYOTE
from tests.firmware.start.broken_games import BrokenFigures, play_broken
from tests.plugins.brittle_game import FUNCTIONS, KINDS
from tests.trust.telling import finish, say, wishes


def main() -> None:
    wish = wishes(__doc__, words="kinds")
    figures = BrokenFigures()
    for kind in wish.kinds or KINDS:
        for where in (where for where, base in FUNCTIONS.items() if base is COYOTE):
            with TemporaryDirectory() as folder:
                play_broken(Path(folder), where, kind, figures)
        say(f"{kind}: {figures.games} games, {figures.refused} of {figures.looks} looks refused")
    finish(figures)


if __name__ == "__main__":
    main()
