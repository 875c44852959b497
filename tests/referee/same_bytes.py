"""Play many random matches of each game, replay each from its record, and print one digest for each game.

`python -m tests.referee.same_bytes coyote=1000 coup=1000` prints the same whatever the machine, the Python and
PYTHONHASHSEED; `all=1000` means every game, `--replayed` takes the bytes from the records, `--first 5000`
begins with match 5,000.
"""

import argparse
import sys
from collections.abc import Mapping
from hashlib import sha256
from random import Random

import msgspec

from hardware.twin.player import play_on
from referee.games import GAMES
from referee.match import moments
from referee.record import read, written
from tests.referee.tables import TABLES, new_match


def digest(name: str, numbers: range, *, replayed: bool) -> str:
    """Digest the records, states and rulings of matches of a game, in all settings in turn."""
    bytes_of_all = sha256()
    tables = [table.values for table in TABLES if table.values[0].name == name]
    for number in numbers:
        game, rules, seats = tables[number % len(tables)]
        match = play_on(new_match(game, rules, seats), Random(f"2026 {name} {number}"))
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


def wanted(words: list[str]) -> Mapping[str, int]:
    """Read how many matches of which games are wanted; a later word counts for more."""
    numbers = dict(word.split("=") for word in words)
    usual = numbers.pop("all", None)
    return {
        **(dict.fromkeys(GAMES, int(usual)) if usual else {}),
        **{name: int(number) for name, number in numbers.items()},
    }


def main() -> None:
    """Print each game's digest."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("matches", nargs="+", help="GAME=NUMBER, or all=NUMBER")
    parser.add_argument("--replayed", action="store_true", help="from the records")
    parser.add_argument("--first", type=int, default=0, metavar="K", help="the K-th match and those after it")
    wish = parser.parse_args()
    for name, matches in wanted(wish.matches).items():
        numbers = range(wish.first, wish.first + matches)
        sys.stdout.write(f"{name} {matches} {digest(name, numbers, replayed=wish.replayed)}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
