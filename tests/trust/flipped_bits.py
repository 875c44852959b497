"""Damage journals a thousand times, and time an answer: `python -m tests.trust.flipped_bits 1000`.

Each byte of a small journal is flipped in turn; then bits, bytes and sectors of database, log and match files,
one or several at once. It fails if a line with an intact copy is lost, if a line is invented, or a loss isn't
reported. It also fails if commits with a match file take much longer than those without.
"""

from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from pathlib import Path
from random import Random
from statistics import quantiles
from time import perf_counter
from unittest.mock import patch

from msgspec import Struct

from firmware.storage import match_files
from firmware.storage.files import scratch as folder_in_memory
from firmware.storage.journal import Journal, open_journal
from referee.contract import Answer
from tests.firmware.playing import any_match
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
from tests.scripts import say, script

PLAYED = 4
"""Journals to damage at random; half of them are left by a kill, with a large log."""
MOST = 1.2  # maximum ratio of the slowest percentile of commits, with to without a second copy


class Damaged(Struct):
    """The outcome."""

    damages: int = 0
    lines_hit_in_both_copies: int = 0
    lines_lost: int = 0
    copy_or_table_healed_by_the_other: int = 0
    wrong: list[str] = []


def _count_untold(
    figures: Damaged, left: LeftFiles, all_damaged: Iterable[dict[str, bytes]], folder: Path
) -> str:
    """Return the number of lost lines that had an intact copy, and of unreported losses."""
    found = [count_unreported(left, damaged, folder / "damaged") for damaged in all_damaged]
    lost, silently = (sum(each) for each in zip(*found, strict=True))
    told = f"lost though whole: {lost}, lost and not told: {silently}"
    figures.wrong += [told] if lost or silently else []
    return told


def _note(figures: Damaged, left: LeftFiles, damaged: dict[str, bytes], folder: Path) -> None:
    hit, lost, wrong = check_damage(left, damaged, folder / "damaged")
    figures.damages += 1
    figures.lines_hit_in_both_copies += hit
    figures.lines_lost += lost
    figures.wrong += [wrong] if wrong else []


# cost of a commit


def _measure(folder: Path, commits: int) -> float:
    """Commit answers to two journals in turn; return the ratio of the slowest, with a copy to without."""
    with ExitStack() as ends:
        without, with_copy = (
            ends.enter_context(open_journal(folder / name / "journal.sqlite3")).journal
            for name in ("without", "with")
        )
        times = {journal: list[float]() for journal in (without, with_copy)}
        match = any_match(Random(0))
        numbers = {journal: journal.begin(match) for journal in times}
        for number in range(1, commits + 1):
            times[with_copy].append(_time(with_copy, numbers[with_copy], number))
            with patch.object(match_files, "append", lambda *_line: True):
                times[without].append(_time(without, numbers[without], number))
    slow, bare = (quantiles(times[journal], n=100)[-1] for journal in (with_copy, without))
    ratio = slow / bare
    say(f"the slowest of 100 answers with a copy: {1000 * slow:.2f} ms, {ratio:.2f} of without")
    return ratio


def _time(journal: Journal, match: int, number: int) -> float:
    begun = perf_counter()
    journal.append(match, number, Answer(number - 1, "announce", 14, 1, "dial", "2026-11-24T20:15:00+01:00"))
    return perf_counter() - begun


@script
def main(count: int, scratch: Path, seed: int = 0, commits: int = 3000) -> Iterator[object]:
    yield (figures := Damaged())
    with folder_in_memory() as folder:
        small = leave_files(folder / "small", 0, seed, is_killed=False)
        for name, content in small.files.items():
            for at in range(len(content)):
                _note(figures, small, {name: flip(content, 8 * at + at % 8)}, folder)
        say(f"each byte flipped: {figures.damages}, lines lost: {figures.lines_lost}")
        few = leave_files(folder / "few", 0, seed, is_killed=False, begun=3)
        for content, name in ((b"", "gone"), (blank_match_heads(few), "without its matches' beginnings")):
            bits = [
                {DATABASE: content, copy: flip(few.files[copy], 8 * at + at % 8)}
                for copy in few.copies
                for at in range(len(few.files[copy]))
            ]
            told = _count_untold(figures, few, bits, folder)
            say(f"database {name}, each byte of the match files flipped: {len(bits)}, {told}")
        many = leave_files(folder / "many", 0, seed, is_killed=True, begun=4)
        told = _count_untold(figures, many, truncate_files(many, count, Random(seed)), folder)
        say(f"files cut off at their ends: {count}, {told}")
        rng, figures.damages = Random(seed), 0
        for number in range(PLAYED):
            left = leave_files(folder / str(number), 8, number, is_killed=number % 2 == 0)
            for damaged in damages(left, count // PLAYED, rng):
                _note(figures, left, damaged, folder)
        with other_disk(folder) as disk:
            table = copied_on_four_days(folder / "table", disk)
            for number in range(count // 4):
                is_copy = number % 2 == 1
                wrong = damage_copy(table, rng) if is_copy else damage_table(table, rng, 5 + number % 20)
                figures.wrong += filter(None, [wrong])
        figures.copy_or_table_healed_by_the_other = count // 4
    ratio = _measure(scratch, commits)
    yield from [] if ratio <= MOST else [f"commits last {ratio:.2f} as long as without a copy"]
