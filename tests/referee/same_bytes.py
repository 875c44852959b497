"""Play random matches of each game, or replay them from records, and print one digest per game.

`python -m tests.referee.same_bytes coyote=1000 coup=1000` prints the same on every machine, Python and
PYTHONHASHSEED. `all=1000` selects every game, `--first 5000` starts with match 5,000, `--keep FOLDER` stores
the
records there, and `--replay FOLDER` prints the digests of their results.
"""

import argparse
import gc
import sys
from collections.abc import Iterable, Iterator, Mapping
from hashlib import sha256
from itertools import groupby
from pathlib import Path
from random import Random

import msgspec

from hardware.twin.player import play_on
from referee.games.catalogue import GAMES
from referee.match import Match, moments
from referee.record import read_record, record_lines
from tests.given import present
from tests.referee.tables import TABLES, new_match


def play_all(name: str, numbers: range) -> Iterator[Match]:
    tables = [table.values for table in TABLES if table.values[0].name == name]
    for number in numbers:
        game, rules, seats = tables[number % len(tables)]
        yield play_on(new_match(game, rules, seats), Random(f"2026 {name} {number}"))


def keep_records(matches: Iterable[Match], file: Path) -> Iterator[Match]:
    with file.open("w", encoding="utf-8") as records:
        for match in matches:
            records.writelines(f"{line}\n" for line in (*record_lines(match), ""))
            yield match


def replay_records(file: Path) -> Iterator[Match]:
    with file.open(encoding="utf-8") as records:
        for is_record, lines in groupby(map(str.rstrip, records), bool):
            if is_record:
                reading = read_record(lines)
                assert reading.fault is None, reading.fault
                yield present(reading.match)


def digest(matches: Iterable[Match]) -> str:
    bytes_of_all = sha256()
    for match in matches:
        bytes_of_all.update("\n".join(record_lines(match)).encode())
        bytes_of_all.update(msgspec.json.encode([moment.rulings for moment in moments(match)]))
        bytes_of_all.update(msgspec.json.encode(match.state))
    return bytes_of_all.hexdigest()


def parse_wanted(words: list[str]) -> Mapping[str, int]:
    """Parse the number of matches per game; later arguments take precedence."""
    numbers = dict(word.split("=") for word in words)
    usual = numbers.pop("all", None)
    every = dict.fromkeys(GAMES, usual) if usual else {}
    return {name: int(number) for name, number in (every | numbers).items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("matches", nargs="+", help="GAME=NUMBER, or all=NUMBER")
    parser.add_argument("--first", type=int, default=0, metavar="K", help="the K-th match and those after it")
    place = parser.add_mutually_exclusive_group()
    place.add_argument("--keep", type=Path, metavar="FOLDER", help="leave their records there")
    place.add_argument("--replay", type=Path, metavar="FOLDER", help="take their records from there")
    wish = parser.parse_args()
    # long chains without cycles would be scanned by the collector again and again
    gc.disable()
    for name, number in parse_wanted(wish.matches).items():
        numbers = range(wish.first, wish.first + number)
        if wish.replay:
            matches = replay_records(wish.replay / name)
        elif wish.keep:
            matches = keep_records(play_all(name, numbers), wish.keep / name)
        else:
            matches = play_all(name, numbers)
        sys.stdout.write(f"{name} {number} {digest(matches)}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
