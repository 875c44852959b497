"""Plays a match file from a phone, beside the table: `python -m firmware.start.match_file_process SECONDS`.

A file may hold as much work as the rules allow for one match: within so many seconds it is a film, or it is
given up.
"""

import sys

from firmware.parts.reader_process import limit_process
from firmware.start.games import hand_in_games
from referee.film import film_of
from referee.packed_film import pack_film
from referee.record import read_film

NO_MATCH = b"no match"


def play_file(content: bytes) -> bytes:
    """Pack the film of a match file; a byte that is no text damages only its own line."""
    reading = read_film(content.decode("utf-8-sig", errors="surrogateescape").rstrip().split("\n"))
    if reading.match is None:
        return NO_MATCH
    try:
        return pack_film(reading, film_of(reading.match))
    except (OverflowError, UnicodeError):
        # what is wrong with it can't even be told
        return NO_MATCH


if __name__ == "__main__":
    limit_process(int(sys.argv[1]))
    hand_in_games()
    sys.stdout.buffer.write(play_file(sys.stdin.buffer.read()))
