"""Search a learnt deck for cards that only others saw: `python -m tests.trust.peeking 20` plays 20 matches."""

import os
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from tests.trust.telling import add_up, finish, wishes
from tests.webui.access.peeking import PeekReport, attack_learnt_deck

MOMENTS = 60  # of each match


def main() -> None:
    wish, several = wishes(__doc__, "matches", seed=0), list[PeekReport]()
    for number in range(wish.matches):
        with TemporaryDirectory() as folder:
            os.environ["STATE_DIRECTORY"] = folder
            several.append(attack_learnt_deck(Path(folder), Random(f"{wish.seed} {number}"), MOMENTS))
    finish(add_up(several))


if __name__ == "__main__":
    main()
