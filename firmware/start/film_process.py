"""Makes what is shared of a match, beside the table: `python -m firmware.start.film_process` takes JSON."""

import os
import sys
from pathlib import Path
from typing import Literal

import msgspec
from msgspec import Struct

from firmware.start.games import hand_in_games

NICE = 10
"""The table goes first."""


class FilmRequest(Struct, frozen=True):
    """What is to be made, of which record, in which language, with which pictures."""

    what: Literal["film", "card"]
    record: tuple[str, ...]
    language: str
    folder: str = ""
    """Where pictures are kept; empty for a film without."""
    match: int = 0


def main() -> None:
    """Print what was asked for; nothing if there is no match in the record."""
    os.nice(NICE)
    hand_in_games()
    from firmware.start.film_making import film_bytes, score_card_bytes  # noqa: PLC0415 - games bring their artwork

    wish = msgspec.json.decode(sys.stdin.buffer.read(), type=FilmRequest)
    if wish.what == "card":
        made = score_card_bytes(wish.record, wish.language)
    else:
        made = film_bytes(wish.record, wish.language, Path(wish.folder) if wish.folder else None, wish.match)
    sys.stdout.buffer.write(made or b"")


if __name__ == "__main__":
    main()
