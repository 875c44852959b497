"""Damage a table's files, and read them with every reader: `python -m tests.trust.read_ways 400`.

400 bits are flipped in each of database, log and match files, of a killed table and of a cleanly ended one;
files are truncated, too. Saved matches, the history and a restored backup are compared with the opened journal.
It fails if one lacks lines without a report, or if reading writes.
"""

from collections import Counter
from collections.abc import Iterator
from random import Random

from msgspec import Struct

from firmware.storage.files import scratch as folder_in_memory
from tests.firmware.storage.damages import leave_files, truncate_files
from tests.firmware.storage.read_ways import flips, incomplete_readers
from tests.scripts import script


class Read(Struct):
    """The outcome."""

    bits_flipped: int = 0
    cut_off: int = 0
    short_without_a_word: dict[str, int] = {}


@script
def main(count: int, seed: int = 0) -> Iterator[object]:
    rng, short = Random(seed), Counter[str](save=0, history=0, backup=0)
    yield (figures := Read(short_without_a_word=short))
    with folder_in_memory() as folder:
        for is_killed in (True, False):
            left = leave_files(folder / str(is_killed), 0, seed, is_killed=is_killed, begun=3)
            flipped, cut = list(flips(left, count, rng)), list(truncate_files(left, count // 4, rng))
            figures.bits_flipped += len(flipped)
            figures.cut_off += len(cut)
            for damaged in (*flipped, *cut):
                short.update(incomplete_readers(left, damaged, folder))
    yield from (f"{name}: {number}" for name, number in short.items() if number)
