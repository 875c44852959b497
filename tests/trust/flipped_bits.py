"""Damage journals a thousand times, and read them: `python -m tests.trust.flipped_bits 1000`.

Each byte of a small journal is flipped in turn; then bits, bytes and sectors of database, log and match files,
one or several at once, and files are cut off. It fails if a line with an intact copy is lost, if a line is
invented, or a loss isn't reported. Saved matches, the history and a restored backup of damaged files are
compared with the opened journal; it fails if one lacks lines without a report, or if reading writes.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from random import Random

from msgspec import Struct

from firmware.storage.files import scratch as folder_in_memory
from tests.firmware.storage.backups.copying_tables import other_disk
from tests.firmware.storage.backups.damaged_copies import copied_on_four_days, damage_copy, damage_table
from tests.firmware.storage.damages import (
    DATABASE,
    LeftFiles,
    blank_match_heads,
    check_damage,
    count_unreported,
    damages,
    flip,
    leave_files,
    truncate_files,
)
from tests.firmware.storage.read_ways import flips, incomplete_readers
from tests.scripts import script

PLAYED = 4
"""Journals to damage at random; half of them are left by a kill, with a large log."""


class Damaged(Struct):
    """The outcome."""

    bytes_flipped: int = 0
    bytes_flipped_without_database: int = 0
    damages: int = 0
    cut_off: int = 0
    lines_hit_in_both_copies: int = 0
    lines_lost: int = 0
    copy_or_table_healed_by_the_other: int = 0
    damaged_and_read: int = 0
    wrong: list[str] = []

    def check(self, left: LeftFiles, damaged: Mapping[str, bytes], folder: Path) -> None:
        hit, lost, wrong = check_damage(left, damaged, folder)
        self.lines_hit_in_both_copies += hit
        self.lines_lost += lost
        self.wrong += [wrong] if wrong else []

    def check_reports(self, left: LeftFiles, all_damaged: Iterable[Mapping[str, bytes]], folder: Path) -> int:
        """Count lost lines that had an intact copy, and unreported losses; return the number of damages."""
        found = [count_unreported(left, damaged, folder) for damaged in all_damaged]
        lost, silently = (sum(each) for each in zip(*found, strict=True))
        self.wrong += [f"lost though whole: {lost}, not reported: {silently}"] if lost or silently else []
        return len(found)


def flip_each_byte(content: bytes) -> Iterator[bytes]:
    return (flip(content, 8 * at + at % 8) for at in range(len(content)))


def damage_small(count: int, folder: Path, seed: int, figures: Damaged) -> None:
    """Flip each byte of a small journal, without its database too, and cut files off."""
    small = leave_files(folder / "small", 0, seed, is_killed=False)
    for name in small.files:
        for content in flip_each_byte(small.files[name]):
            figures.check(small, {name: content}, folder / "damaged")
            figures.bytes_flipped += 1
    few = leave_files(folder / "few", 0, seed, is_killed=False, begun=3)
    for database in (b"", blank_match_heads(few)):
        copies = ((copy, content) for copy in few.copies for content in flip_each_byte(few.files[copy]))
        bits = ({DATABASE: database, copy: content} for copy, content in copies)
        figures.bytes_flipped_without_database += figures.check_reports(few, bits, folder / "damaged")
    many = leave_files(folder / "many", 0, seed, is_killed=True, begun=4)
    cut = truncate_files(many, count, Random(seed))
    figures.cut_off += figures.check_reports(many, cut, folder / "damaged")


@script
def main(count: int, seed: int = 0) -> Iterator[object]:
    yield (figures := Damaged())
    rng, short = Random(seed), Counter[str]()
    with folder_in_memory() as folder, other_disk(folder) as disk:
        damage_small(count, folder, seed, figures)
        for number in range(PLAYED):
            left = leave_files(folder / str(number), 8, number, is_killed=number % 2 == 0)
            for damaged in damages(left, count // PLAYED, rng):
                figures.check(left, damaged, folder / "damaged")
                figures.damages += 1
        table = copied_on_four_days(folder / "table", disk)
        for number in range(count // 4):
            is_copy = number % 2 == 1
            wrong = damage_copy(table, rng) if is_copy else damage_table(table, rng, 5 + number % 20)
            figures.wrong += filter(None, [wrong])
            figures.copy_or_table_healed_by_the_other += 1
        for is_killed in (True, False):
            left = leave_files(folder / f"read {is_killed}", 0, seed, is_killed=is_killed, begun=3)
            for damaged in (*flips(left, count // 3, rng), *truncate_files(left, count // 10, rng)):
                short.update(incomplete_readers(left, damaged, folder))
                figures.damaged_and_read += 1
    yield from (f"{name} is short without a report, {number} times" for name, number in short.items())
