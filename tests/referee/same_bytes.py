"""Play many random matches, replay each from its record, and print one digest of all their bytes.

`python -m tests.referee.same_bytes MATCHES` prints the same whatever the machine and PYTHONHASHSEED.
"""

import sys
from hashlib import sha256
from random import Random

import msgspec

from hardware.twin.player import play_on
from referee.match import moments
from referee.record import read, written
from tests.referee.tables import TABLES, new_match


def digest(matches: int, *, replayed: bool) -> str:
    """Digest the records, states and rulings of matches in all settings in turn."""
    bytes_of_all, rng = sha256(), Random(2026)
    for number in range(matches):
        game, rules, seats = TABLES[number % len(TABLES)].values
        match = play_on(new_match(game, rules, seats), rng)
        lines = written(match)
        if replayed:
            reading = read(lines)
            assert reading.fault is None
            assert reading.match is not None
            match = reading.match
        bytes_of_all.update("\n".join(lines).encode())
        bytes_of_all.update(msgspec.json.encode([moment.rulings for moment in moments(match)]))
        bytes_of_all.update(msgspec.json.encode(match.state))
    return bytes_of_all.hexdigest()


if __name__ == "__main__":
    print(digest(int(sys.argv[1]), replayed=sys.argv[2:] == ["replayed"]))
