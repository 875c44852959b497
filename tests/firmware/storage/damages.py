"""Damage to a journal's files, from one bit to a bad sector, and the permitted losses.

Permitted losses are found without the repair code: a line counts as hit if no file contains its bytes any more.
"""

import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path
from random import Random

from msgspec import Struct

from firmware.storage.database import sealed
from firmware.storage.journal import OpenedJournal, open_journal
from firmware.storage.lines import ends_in
from firmware.storage.match_files import MATCHES
from hardware.twin.player import play_on
from referee.sums import SealedLine, filed
from tests.firmware.playing import any_match, play_lines

JOURNAL = "journal.sqlite3"
DATABASE, LOG, COPY = (
    JOURNAL,
    f"{JOURNAL}-wal",
    f"{JOURNAL}{MATCHES}",
)  # the last one is a folder of match files
PLACES = ((DATABASE,), (LOG,), (COPY,), (DATABASE, COPY), (DATABASE, LOG), (LOG, COPY), (DATABASE, LOG, COPY))
"""Files damaged at once."""
SECTOR = 4096
Line = tuple[int, int]  # a match, and the number of one of its lines


class LeftFiles(Struct, frozen=True):
    """Files left by a table, and each acknowledged line."""

    files: Mapping[str, bytes]
    lines: Mapping[Line, str]
    table: int

    @property
    def copies(self) -> list[str]:
        """Return the names of the match files."""
        return [name for name in self.files if name.startswith(COPY)]

    def lay(self, folder: Path, damaged: Mapping[str, bytes]) -> Path:
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        (folder / COPY).mkdir()
        for name, content in {**self.files, **damaged}.items():
            (folder / name).write_bytes(content)
        return folder / JOURNAL

    def may_lose(self, damaged: Mapping[str, bytes]) -> set[Line]:
        """Return the lines that no file contains completely."""
        files = {**self.files, **damaged}.values()
        lines = [SealedLine(*place, text) for place, text in self.lines.items()]
        ends = ends_in(lines)
        contents = {line.place: (sealed(line), filed(self.table, line, ends[line.match_id])) for line in lines}
        return {
            place for place, ways in contents.items() if not any(way in each for each in files for way in ways)
        }


def leave_files(folder: Path, matches: int, seed: int, *, is_killed: bool, begun: int = 1) -> LeftFiles:
    """Play: a killed table leaves its newest lines in the write-ahead log only."""
    path, rng = folder / JOURNAL, Random(seed)
    with open_journal(path) as opened:
        for _match in range(matches):
            opened.journal.begin(play_on(any_match(rng), rng))
    with open_journal(path) as opened:
        for match in [any_match(rng) for _begun in range(begun)]:
            play_lines(opened.journal, opened.journal.begin(match), match, 12, rng)
        lines, table = kept_in(opened), opened.journal.table
        files = files_in(folder)
    return LeftFiles(files if is_killed else {**files_in(folder), LOG: b""}, lines, table)


def files_in(folder: Path) -> dict[str, bytes]:
    names = (DATABASE, LOG, *(f"{COPY}/{file.name}" for file in sorted((folder / COPY).iterdir())))
    return {name: (folder / name).read_bytes() for name in names if (folder / name).exists()}


def kept_in(opened: OpenedJournal) -> dict[Line, str]:
    journal = opened.journal
    lines = (
        (each.id, number, text)
        for each in journal.matches()
        for number, text in enumerate(journal.lines(each.id))
    )
    return {(match_id, number): text for match_id, number, text in lines if text}


def flip(content: bytes, bit: int) -> bytes:
    return content[: bit // 8] + bytes([content[bit // 8] ^ 1 << bit % 8]) + content[bit // 8 + 1 :]


def blanked(content: bytes, at: int, size: int = SECTOR) -> bytes:
    return content[:at] + bytes(size) + content[at + size :]


def damage(content: bytes, rng: Random) -> bytes:
    """Damage a file: one bit, some bytes, a small or a large sector."""
    if not content:
        return content
    kind, at = rng.randrange(4), rng.randrange(len(content))
    if kind == 0:
        return flip(content, 8 * at + rng.randrange(8))
    size = (0, rng.randint(1, 64), 512, SECTOR)[kind]
    first = at if kind == 1 else at // size * size
    filler = rng.choice([bytes(size), b"\xff" * size, rng.randbytes(size)])[: len(content) - first]
    return content[:first] + filler + content[first + len(filler) :]


def damage_lines(file: Path, *texts: str) -> None:
    """Damage lines in a file, or in a folder of match files."""
    files, found = sorted(file.iterdir()) if file.is_dir() else [file], set[str]()
    for each in files:
        content = each.read_bytes()
        for text in texts:
            # in a match file, the text's end comes behind its sum
            there = text.encode() if text.encode() in content else text.encode()[:-1]
            if there in content:
                content = content.replace(there, there.replace(b'"', b"'"))
                found.add(text)
        each.write_bytes(content)
    assert found == {*texts}


def damages(left: LeftFiles, count: int, rng: Random) -> Iterator[dict[str, bytes]]:
    for _damage in range(count):
        files = [rng.choice(left.copies) if name == COPY else name for name in rng.choice(PLACES)]
        hits = [rng.choice(files) for _hit in range(rng.randint(1, 3))]
        damaged = {name: left.files[name] for name in {*files, *hits}}
        for name in (*files, *hits):
            damaged[name] = damage(damaged[name], rng)
        yield damaged


def check_damage(left: LeftFiles, damaged: Mapping[str, bytes], folder: Path) -> tuple[int, int, str]:
    """Open the files twice. Returns the number of hit and of lost lines, and the faults."""
    path, may_lose = left.lay(folder, damaged), left.may_lose(damaged)
    with open_journal(path) as opened:
        kept = kept_in(opened)
    with open_journal(path) as again:
        is_steady = again.aside is None and not again.saved_lines and kept_in(again) == kept
    lost = {line for line, text in left.lines.items() if kept.get(line) != text}
    made_up = kept.keys() - left.lines.keys()
    wrong = [
        f"lost {sorted(lost - may_lose)}" if lost - may_lose else "",
        f"made up {sorted(made_up)}" if made_up else "",
        "" if is_steady else "not the same when opened again",
    ]
    return len(may_lose), len(lost), ", ".join(filter(None, wrong))


# reports


def blank_match_heads(left: LeftFiles) -> bytes:
    """Blank a database's pages that contain the beginnings of its matches."""
    database = left.files[DATABASE]
    for (match, number), text in left.lines.items():
        at = database.find(sealed(SealedLine(match, number, text)))
        if number == 0 and at >= 0:
            page = at // SECTOR * SECTOR
            database = blanked(database, page)
    return database


def count_unreported(left: LeftFiles, damaged: Mapping[str, bytes], folder: Path) -> tuple[int, int]:
    """Open the files; count lines lost though completely present, and losses without a report."""
    path, may_lose = left.lay(folder, damaged), left.may_lose(damaged)
    with open_journal(path) as opened:
        lost = {line for line, text in left.lines.items() if kept_in(opened).get(line) != text}
        counted = [each for each in opened.repairs() if each.key in {"lines missing", "lines lost at the end"}]
        told = sum(int(each.values["lines"]) for each in counted)
        if any(each.key == "lines not counted" for each in opened.repairs()):
            return len(lost - may_lose), 0
    return len(lost - may_lose), max(0, len(lost) - told)


def truncate_files(left: LeftFiles, count: int, rng: Random) -> Iterator[dict[str, bytes]]:
    """Cut several files at their ends, up to their whole length."""
    for _cut in range(count):
        places = rng.choice([(DATABASE,), (LOG,), (DATABASE, LOG)])
        files = (*places, *left.copies)
        sizes = {name: len(left.files[name]) for name in files}
        yield {
            name: left.files[name][: size - min(size, int(2 ** rng.uniform(1, 15)))]
            for name, size in sizes.items()
        }
