"""Damage a table's files, and read them with every reader: `python -m tests.trust.read_ways 400`.

400 bits are flipped in each of database, log and match files, of a killed table and of a cleanly ended one;
files are truncated, too. Saved matches, the history and a restored backup are compared with the opened journal.
It fails if one lacks lines without a report, or if reading writes.
"""

from collections import Counter
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from msgspec import Struct

from firmware.storage.files import MEMORY
from tests.firmware.storage.damages import leave_files, truncate_files
from tests.firmware.storage.read_ways import flips, incomplete_readers
from tests.trust.telling import finish, wishes


class Read(Struct):
    """The outcome."""

    bits_flipped: int = 0
    cut_off: int = 0
    short_without_a_word: dict[str, int] = {}
    wrong: list[str] = []


def main() -> None:
    wish, figures = wishes(__doc__, "count", seed=0), Read()
    rng, short = Random(wish.seed), Counter[str](save=0, history=0, backup=0)
    with TemporaryDirectory(dir=MEMORY if MEMORY.is_dir() else None) as folder:
        for is_killed in (True, False):
            left = leave_files(Path(folder, str(is_killed)), 0, wish.seed, is_killed=is_killed, begun=3)
            flipped, cut = list(flips(left, wish.count, rng)), list(truncate_files(left, wish.count // 4, rng))
            figures.bits_flipped += len(flipped)
            figures.cut_off += len(cut)
            for damaged in (*flipped, *cut):
                short.update(incomplete_readers(left, damaged, Path(folder)))
    figures.short_without_a_word = dict(short)
    finish(figures, [f"{name}: {count}" for name, count in short.items() if count])


if __name__ == "__main__":
    main()
